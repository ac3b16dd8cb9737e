"""The gateways that `--via` names: other ways to the models of one provider."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from conformance.errors import ConfigError
from conformance.providers import urls
from conformance.providers.checks import NOT_A_NAME, VARIABLE
from conformance.providers.models import Model, Provider, ProvidersFile
from conformance.run.plan import ALL, GATEWAY, Plan, select_providers, split

if TYPE_CHECKING:
    from conformance.run.options import Options

_ADDRESS: Final = "://"


def gateways(options: Options, upstreams: Sequence[Provider], known: Callable[[], ProvidersFile]) -> list[Provider]:
    """The gateways to measure beside a provider.

    Args:
        options: what is asked for.
        upstreams: the providers that are selected; with a gateway there must be one.
        known: reads the providers file.

    Raises:
        ConfigError: the options contradict each other, or a gateway is unknown.
    """
    names = split(options.via)
    if not names:
        if options.via or options.via_model is not None or options.via_api_key_env is not None:
            raise ConfigError("--via is given without a name; name a gateway: a provider of the file, or an address")
        return []
    if len(upstreams) != 1:
        raise ConfigError("--via holds one provider against its gateways; name that one with --provider")
    if ALL in names:
        raise ConfigError(f"--via {ALL}: name the gateways whose answers come from {upstreams[0].name}")
    addresses = [name for name in names if _ADDRESS in name]
    if len(addresses) > 1:
        raise ConfigError("--via takes one address; give further gateways names in the providers file")
    if options.via_api_key_env is not None and not addresses:
        raise ConfigError("--via-api-key-env goes with an address; for a provider of the file set its 'api_key_env'")
    listed = [name for name in names if _ADDRESS not in name]
    found = list(select_providers(known(), listed)[0]) if listed else []
    if upstreams[0].name in {gateway.name for gateway in found}:
        raise ConfigError(f"--via {upstreams[0].name}: a provider is no gateway of its own; name another one")
    return [*found, *(_at(address, options, upstreams[0]) for address in addresses)]


def check_shared(plan: Plan) -> None:
    """See that there is something to compare.

    Raises:
        ConfigError: a gateway and the provider behind it have no exchange in common.
    """
    replay = plan.run_mode == "replay"
    held: dict[str, set[tuple[str, str]]] = {}
    for cell in plan.cells:
        if not replay or plan.cassette(cell).exists():
            held.setdefault(cell.provider.name, set()).add((cell.scenario.name, cell.mode))
    for gateway, upstream in plan.via.items():
        if held.get(gateway, set()).isdisjoint(held.get(upstream, ())):
            what = "recorded exchange" if replay else "exchange"
            fix = "record both, or add --live" if replay else "select other scenarios or modes"
            raise ConfigError(f"--via {gateway}: {upstream} and {gateway} share no {what}; {fix}")


def _at(address: str, options: Options, upstream: Provider) -> Provider:
    """A gateway that is in no file."""
    if wrong := urls.problem(address):
        raise ConfigError(f"--via {wrong}")
    if options.run_mode == "replay":
        raise ConfigError(f"--via {address} is live; add --live, or name a provider of the file")
    if options.run_mode == "record":
        raise ConfigError("--record needs gateways of the file to record for: name one with --via")
    key = options.via_api_key_env
    if key is not None and not re.fullmatch(VARIABLE, key):
        raise ConfigError(f"--via-api-key-env {NOT_A_NAME}")
    model = options.via_model or options.model or upstream.default.name
    return Provider(name=GATEWAY, base_url=address, models=(Model(name=model),), api_key_env=key)

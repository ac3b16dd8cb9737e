"""What somebody asked a run to do, from the command line or from pytest, and the plan that follows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from conformance.errors import ConfigError
from conformance.model import Mode
from conformance.providers import urls
from conformance.providers.checks import NOT_A_NAME, VARIABLE
from conformance.providers.load import load
from conformance.providers.models import Model, Provider, ProvidersFile
from conformance.quirks import catalogue as quirks
from conformance.run.gateways import check_shared, gateways
from conformance.run.plan import ALL, LOCAL, Plan, Shard, make_plan, select_providers, split
from conformance.run.retry import RETRIES
from conformance.run.rows import RunMode
from conformance.scenarios import catalogue, select

_LONGEST: Final = 36_000
MODES: Final[tuple[Mode, ...]] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked to do.

    Attributes:
        providers: names, each possibly a comma-separated list; empty or `all` for every one.
        scenarios, modes: selections; empty for every one.
        config: the providers file.
        cassettes: the folder of the cassettes; None for `cassettes` beside the providers file.
        run_mode: where exchanges come from.
        base_url: an endpoint to test; alone it is in no file, with one provider it is where that one is reached.
        model: the model, if not the provider's default.
        api_key_env: variable with the key of `base_url`.
        samples: how often each cell is repeated, at most.
        strict: `should` findings count.
        shard: `I/N`, the part of the plan to run; None for the whole.
        max_requests: requests that may be sent; None for any number.
        deadline: seconds since the epoch after which no exchange is begun; None for never.
        retries: further attempts after an answer that says nothing, or a connection that fails.
        timeout: seconds for each exchange; None for what the providers file says.
        max_bytes: of each answer; None for what the providers file says.
        resume: keep what an earlier try of the same run already measured.
        via: gateways to the one provider, by name or one by address; both ways are run and compared.
        via_model: the model to ask a gateway for, if not its default; an address is asked for the provider's.
        via_api_key_env: variable with the key of a gateway that is given by address.
    """

    providers: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    config: Path = Path("providers.yaml")
    cassettes: Path | None = None
    run_mode: RunMode = "replay"
    base_url: str | None = None
    model: str | None = None
    api_key_env: str | None = None
    samples: int = 1
    strict: bool = False
    shard: str | None = None
    max_requests: int | None = None
    deadline: float | None = None
    retries: int = RETRIES
    timeout: float | None = None
    max_bytes: int | None = None
    resume: bool = False
    via: tuple[str, ...] = ()
    via_model: str | None = None
    via_api_key_env: str | None = None


def plan_for(options: Options) -> Plan:
    """The plan that options ask for.

    Raises:
        ConfigError: options contradict each other, or the providers file is wrong.
        SelectionError: a name is unknown, or nothing is left to do.
    """
    _check(options)
    scenarios = select(split(options.scenarios))
    known, named = _providers(options)
    behind = gateways(options, known, lambda: _load(options))
    via = {gateway.name: known[0].name for gateway in behind}
    plan = make_plan(
        [*known, *behind],
        scenarios,
        cassettes=options.cassettes or options.config.parent / "cassettes",
        run_mode=options.run_mode,
        named=named | set(via),
        model=options.model,
        modes=options.modes,
        samples=options.samples,
        narrowed=bool(options.scenarios),
        shard=_shard(options.shard),
        max_requests=options.max_requests,
        via=via,
        via_model=options.via_model,
    )
    if plan.shard is None:
        check_shared(plan)
    return plan


def _shard(text: str | None) -> Shard | None:
    if text is None:
        return None
    parts = re.fullmatch(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", text)
    if parts is None or int(parts[1]) > int(parts[2]):
        raise ConfigError(f"--shard {text}: give I/N, such as 1/4 for the first of four parts")
    return Shard(int(parts[1]), int(parts[2]))


def _check(options: Options) -> None:
    live = options.run_mode != "replay"
    if options.samples < 1:
        raise ConfigError(f"--samples {options.samples}: give a number from 1 on")
    if options.samples > 1 and not live:
        raise ConfigError(f"--samples {options.samples}: a replay plays what is recorded; add --live or --record")
    if options.retries < 0:
        raise ConfigError(f"--retries {options.retries}: give a number from 0 on")
    if options.max_requests is not None and options.max_requests < 1:
        raise ConfigError(f"--max-requests {options.max_requests}: give a number from 1 on")
    if options.timeout is not None and not 0 < options.timeout <= _LONGEST:
        raise ConfigError(f"--timeout {options.timeout:g}: give a number of seconds above 0, at most {_LONGEST}")
    if options.max_bytes is not None and options.max_bytes < 1:
        raise ConfigError(f"--max-bytes {options.max_bytes}: give a number from 1 on")
    if not live and (options.max_requests is not None or options.deadline is not None):
        raise ConfigError("--max-requests and --max-seconds limit what is sent; a replay sends nothing")
    if not live and (options.timeout is not None or options.max_bytes is not None):
        raise ConfigError("--timeout and --max-bytes limit live exchanges; a replay waits for nobody")
    if not live and options.cassettes is not None and not options.cassettes.is_dir():
        raise ConfigError(
            f"--cassettes {options.cassettes}: there is no such folder; give the one with a folder for each provider"
        )
    if options.base_url is None:
        if options.api_key_env is not None:
            raise ConfigError("--api-key-env goes with --base-url; for a provider of the file set its 'api_key_env'")
        if live and not options.providers:
            raise ConfigError(
                f"name the providers to send to with --provider NAME, or --provider {ALL}: requests may cost money"
            )
        return
    if wrong := urls.problem(options.base_url):
        raise ConfigError(f"--base-url {wrong}")
    if not live:
        raise ConfigError("--base-url is live; leave --replay out")
    if options.api_key_env is not None and not re.fullmatch(VARIABLE, options.api_key_env):
        raise ConfigError(f"--api-key-env {NOT_A_NAME}")


def _providers(options: Options) -> tuple[tuple[Provider, ...], frozenset[str]]:
    if options.base_url is not None and set(split(options.providers)) <= {LOCAL}:
        return (_local(options, options.base_url),), frozenset((LOCAL,))
    chosen, named = select_providers(_load(options), options.providers)
    if options.base_url is None:
        return chosen, named
    if len(chosen) != 1:
        raise ConfigError("--base-url is one address; name one provider with it, or none")
    return (_moved(chosen[0], options, options.base_url),), named


def _load(options: Options) -> ProvidersFile:
    return load(
        options.config,
        known_quirks=[q.slug for q in quirks()],
        known_scenarios=[s.name for s in catalogue()],
    )


def _local(options: Options, base_url: str) -> Provider:
    if not options.model:
        raise ConfigError("--base-url needs --model NAME, the model to ask for")
    if options.run_mode == "record":
        raise ConfigError("--record needs a provider of the file to record for: add --provider NAME")
    return Provider(name=LOCAL, base_url=base_url, models=(Model(name=options.model),), api_key_env=options.api_key_env)


def _moved(provider: Provider, options: Options, base_url: str) -> Provider:
    """A provider of the file, reached at another address."""
    models = provider.models
    if options.model and all(one.name != options.model for one in models):
        models = (*models, Model(name=options.model))
    key = options.api_key_env or provider.api_key_env
    return provider.model_copy(update={"base_url": base_url, "models": models, "api_key_env": key})

"""From a provider in the file to where its requests go: address, key and headers, with the variables looked up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from conformance.errors import ConfigError, NotRun
from conformance.providers import urls, variables
from conformance.providers.models import Provider


@dataclass(frozen=True, slots=True)
class Address:
    """Where a request goes and with which credentials; those stay out of its `repr`.

    Attributes:
        base_url: up to but not including `/chat/completions`.
        api_key: None if the provider wants none, or nothing is sent.
        headers, query: with every variable replaced.
        key_header: header that carries the key as it is; None = `Authorization: Bearer`.
        timeout: seconds without a byte.
    """

    base_url: str
    api_key: str | None = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    key_header: str | None
    timeout: float


def resolve(provider: Provider, environ: Mapping[str, str] | None = None, *, live: bool = True) -> Address:
    """Look up the variables of a provider.

    Args:
        provider: whose address is wanted.
        environ: variables; None = those of the process.
        live: False for a replay, which sends nothing: no variable is looked up, so that the address (its path is
            matched) is the same on every machine; unknown parts of it stand as the variable's name.

    Raises:
        NotRun: a variable without default is absent (`no-key`, or `no-address` for any other than the key's).
        ConfigError: a variable holds what cannot be an address, a header or a key.
    """
    environ = {} if not live else os.environ if environ is None else environ
    absent: dict[str, None] = {}

    def expand(text: str) -> str:
        value, missing = variables.expand(text, environ)
        absent.update(dict.fromkeys(missing))
        return value

    base_url = expand(provider.base_url)
    headers = {name: expand(text) for name, text in provider.headers.items()}
    query = {name: expand(text) for name, text in provider.query.items()}
    key = (environ.get(provider.api_key_env) or None) if provider.api_key_env else None
    if live:
        if provider.api_key_env and key is None:
            raise _absent("no-key", provider, provider.api_key_env, "the key")
        for name in absent:
            raise _absent("no-address", provider, name, "a part of the address or of a header")
        _refuse(provider, base_url, headers, key)
    return Address(base_url, key, headers, query, provider.key_header, provider.timeout)


def _absent(reason: str, provider: Provider, name: str, what: str) -> NotRun:
    return NotRun(reason, f"{name} is not set; {provider.name} takes {what} from it", f"export {name}=…")


def _refuse(provider: Provider, base_url: str, headers: Mapping[str, str], key: str | None) -> None:
    """Check what came from the environment; values are not repeated, they may be secret."""
    where = f"{provider.name}: "
    if wrong := urls.problem(base_url):
        names = ", ".join(variables.names(provider.base_url))
        raise ConfigError(f"{where}the address {wrong}{f' (it comes from {names})' if names else ''}")
    for name, text in headers.items():
        if not text.isascii() or not text.isprintable():
            names = ", ".join(variables.names(provider.headers[name]))
            raise ConfigError(f"{where}the header {name} cannot carry what {names} holds (a line break, or not ASCII)")
    if key is not None and (not key.isascii() or not key.isprintable() or " " in key):
        raise ConfigError(
            f"{where}{provider.api_key_env} holds white space or a character that no key has; set it again, without a "
            "line break at its end"
        )

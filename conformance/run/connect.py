"""Who is asked, and who is not asked any more: a provider that refuses once is not tried again for every cell."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterable
from typing import Final

from conformance.errors import NotRun
from conformance.providers import variables
from conformance.providers.models import Provider
from conformance.providers.resolve import resolve
from conformance.run.rows import NotRunRow
from conformance.transport import Endpoint
from conformance.transport.endpoint import MAX_BYTES, TOTAL

_PATIENCE: Final = {
    **dict.fromkeys(("refused", "unreachable", "blocked", "not-http", "http-401", "http-403"), 1),
    **dict.fromkeys(("timeout", "limit", "http-404", "http-429"), 3),
}
"""After how many cells in a row that failed for one reason a provider is given up."""
_OF_MODEL: Final = frozenset(("http-403", "http-404"))
"""Reasons that may hold for one model alone: it is not there, or not for this key."""


class Connections:
    """The endpoints of one process, and what is known about reaching them.

    Args:
        timeout: seconds for each exchange, with or without a byte; None = as each provider says.
        max_bytes: of each answer; None = as each provider says.
    """

    def __init__(self, timeout: float | None = None, max_bytes: int | None = None) -> None:
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._endpoints: dict[tuple[str, bool], Endpoint | NotRun] = {}
        self._failures: Counter[tuple[str, str, str]] = Counter()
        self._refused: dict[tuple[str, str], NotRun] = {}

    def check(self, providers: Iterable[Provider]) -> None:
        """Look at the variables of every provider before anything is sent; what is merely absent shows in its cells.

        Raises:
            ConfigError: a variable holds what cannot be an address, a header or a key.
        """
        for provider in providers:
            with contextlib.suppress(NotRun):
                self.endpoint(provider, live=True)

    def endpoint(self, provider: Provider, *, live: bool, model: str = "") -> Endpoint:
        """How to reach a provider.

        Args:
            provider: who is asked.
            live: whether requests are sent; a replay needs neither key nor address.
            model: for which model.

        Raises:
            NotRun: its key or address is missing, or it was given up, as a whole or with this model.
            ConfigError: a variable holds what cannot be an address, a header or a key.
        """
        known: Endpoint | NotRun | None = self._refused.get((provider.name, model)) if live else None
        known = known or self._endpoints.get((provider.name, live))
        if known is None:
            try:
                known = self._resolved(provider, live)
            except NotRun as problem:
                known = problem
            self._endpoints[provider.name, live] = known
        if isinstance(known, NotRun):
            raise NotRun(known.reason, known.detail, known.fix)
        return known

    def learn(self, provider: Provider, failure: NotRunRow | None, *, model: str = "") -> None:
        """Take note of how a cell went that was asked for, or an exchange that was had.

        Args:
            provider, model: who was asked.
            failure: why there was no answer to judge; None if there was one.
        """
        if failure is None:
            for reason in _PATIENCE:
                self._failures.pop((provider.name, _scope(reason, model), reason), None)
            return
        reason = failure["reason"]
        scope = _scope(reason, model)
        self._failures[provider.name, scope, reason] += 1
        if reason in _PATIENCE and self._failures[provider.name, scope, reason] >= _PATIENCE[reason]:
            given_up = NotRun(reason, failure["detail"], failure["fix"])
            if reason in _OF_MODEL:
                self._refused[provider.name, model] = given_up
            else:
                self._endpoints[provider.name, True] = given_up

    def _resolved(self, provider: Provider, live: bool) -> Endpoint:
        address = resolve(provider, live=live)
        return Endpoint(
            base_url=address.base_url,
            api_key=address.api_key,
            headers=address.headers,
            query=address.query,
            key_header=address.key_header,
            timeout=self._timeout or address.timeout,
            total=self._timeout or provider.total_timeout or TOTAL,
            max_bytes=self._max_bytes or provider.max_bytes or MAX_BYTES,
            public_url=resolve(provider, live=False).base_url,
            secrets=_values(provider) if live else (),
        )


def _scope(reason: str, model: str) -> str:
    return model if reason in _OF_MODEL else ""


def _values(provider: Provider) -> tuple[str, ...]:
    """What the environment puts into a provider's address, headers and query."""
    texts = (provider.base_url, *provider.headers.values(), *provider.query.values())
    used = {name for text in texts for name in variables.names(text)}
    return tuple(value for name in sorted(used) if (value := os.environ.get(name)))

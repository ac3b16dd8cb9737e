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

_PATIENCE: Final = {"refused": 1, "unreachable": 1, "http-401": 1, "http-403": 1, "timeout": 3}
"""After how many failures in a row of one kind a provider is given up."""


class Connections:
    """The endpoints of one process, and what is known about reaching them."""

    def __init__(self) -> None:
        self._endpoints: dict[tuple[str, bool], Endpoint | NotRun] = {}
        self._failures: Counter[tuple[str, str]] = Counter()

    def check(self, providers: Iterable[Provider]) -> None:
        """Look at the variables of every provider before anything is sent; what is merely absent shows in its cells.

        Raises:
            ConfigError: a variable holds what cannot be an address, a header or a key.
        """
        for provider in providers:
            with contextlib.suppress(NotRun):
                self.endpoint(provider, live=True)

    def endpoint(self, provider: Provider, *, live: bool) -> Endpoint:
        """How to reach a provider.

        Args:
            provider: who is asked.
            live: whether requests are sent; a replay needs neither key nor address.

        Raises:
            NotRun: its key or address is missing, or it was given up.
            ConfigError: a variable holds what cannot be an address, a header or a key.
        """
        known = self._endpoints.get((provider.name, live))
        if known is None:
            try:
                known = _endpoint(provider, live)
            except NotRun as problem:
                known = problem
            self._endpoints[provider.name, live] = known
        if isinstance(known, NotRun):
            raise NotRun(known.reason, known.detail, known.fix)
        return known

    def learn(self, provider: Provider, failure: NotRunRow | None) -> None:
        """Take note of how an exchange with a provider went that was sent."""
        if failure is None:
            for reason in _PATIENCE:
                self._failures.pop((provider.name, reason), None)
            return
        reason = failure["reason"]
        self._failures[provider.name, reason] += 1
        if reason in _PATIENCE and self._failures[provider.name, reason] >= _PATIENCE[reason]:
            self._endpoints[provider.name, True] = NotRun(reason, failure["detail"], failure["fix"])


def _endpoint(provider: Provider, live: bool) -> Endpoint:
    address = resolve(provider, live=live)
    texts = (provider.base_url, *provider.headers.values(), *provider.query.values())
    used = {name for text in texts for name in variables.names(text)} if live else set()
    return Endpoint(
        base_url=address.base_url,
        api_key=address.api_key,
        headers=address.headers,
        query=address.query,
        key_header=address.key_header,
        timeout=address.timeout,
        public_url=resolve(provider, live=False).base_url,
        secrets=tuple(value for name in sorted(used) if (value := os.environ.get(name))),
    )

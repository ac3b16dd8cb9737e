"""Items that ask an adapter: `pytest --conformance-client "python my_adapter.py"`, one for each quirk and mode."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import pytest

from conformance.errors import ConfigError, NotRun
from conformance.impact.adapter import Limits
from conformance.impact.asks import Ask, asks, failure
from conformance.impact.children import Children
from conformance.impact.drive import asking
from conformance.impact.environment import bare

NAME = "conformance-client"


def start(config: pytest.Config) -> None:
    """Join the session.

    Raises:
        pytest.UsageError: the command is none, or its program is not there.
    """
    try:
        config.pluginmanager.register(Session(config), NAME)
    except (ConfigError, NotRun) as problem:
        raise pytest.UsageError(f"--conformance-client: {problem}") from None


class Wrong(Exception):
    """The client came to something else; `str()` is all there is to say."""


class Session:
    """The adapter, started when the first item asks it, and ended with the session."""

    def __init__(self, config: pytest.Config) -> None:
        self._ready = bare(config.getoption("--conformance-client"))
        self._modes = config.getoption("--conformance-mode")
        limits = Limits()
        self._limits = Limits(case=config.getoption("--conformance-timeout") or limits.case)
        self._open = contextlib.ExitStack()
        self._ask: Any = None
        config.add_cleanup(self._open.close)

    @pytest.hookimpl(tryfirst=True)  # before -k chooses
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add an item for each quirk and mode."""
        suite = Suite.from_parent(session, name=NAME, nodeid=NAME, asks=asks(modes=self._modes), mine=self)
        items += suite.collect()

    def wrong(self, ask: Ask) -> list[str]:
        """Ask all cases; what went wrong, a text each.

        Raises:
            NotRun: the adapter cannot be started, or does not keep the protocol.
            pytest.skip.Exception: the client cannot be asked any of them.
        """
        if self._ask is None:
            self._ask = self._open.enter_context(asking("the client", self._ready, self._limits, Children()))
        wrong, reasons = [], []
        for case in ask.cases:
            verdict, seen = self._ask(case)
            if verdict.outcome == "not-applicable":
                reasons.append(verdict.detail)
            elif verdict.outcome != "right":
                wrong.append(failure(ask, case, verdict, seen.line if seen is not None else ""))
        if len(reasons) == len(ask.cases):
            pytest.skip(reasons[0])
        return wrong


class Suite(pytest.Collector):
    """All items of the client."""

    def __init__(self, *, asks: Iterable[Ask], mine: Session, **named: Any) -> None:
        super().__init__(**named)
        self._items = [Item.from_parent(self, name=ask.name, ask=ask, mine=mine) for ask in asks if ask.cases]

    def collect(self) -> list[Item]:
        """One for each quirk and mode."""
        return self._items


class Item(pytest.Item):
    """One quirk in one mode."""

    def __init__(self, *, ask: Ask, mine: Session, **named: Any) -> None:
        super().__init__(**named)
        self._ask = ask
        self._mine = mine

    def runtest(self) -> None:
        """Ask."""
        wrong = self._mine.wrong(self._ask)
        if wrong:
            raise Wrong("\n\n".join(wrong))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The text alone: a traceback through the harness helps nobody."""
        if isinstance(excinfo.value, (Wrong, NotRun)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """What pytest calls it."""
        return self.path, None, f"{NAME} {self.name}"

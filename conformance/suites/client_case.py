"""The fixture `conformance_case`: one answer at a time, to try any client that runs in the test's own process."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from conformance.errors import ConfigError
from conformance.impact.asks import Ask, asks, failure
from conformance.impact.cases import Case, everything
from conformance.impact.handed import Hands
from conformance.impact.judge import Seen, judge
from conformance.impact.server import CaseServer
from conformance.impact.values import compact
from conformance.model import Mode

MARK = "conformance_cases"


@dataclass(frozen=True)
class ClientCase:
    """One answer, and whether a client comes to what is right.

    Attributes:
        quirk: the slug of the quirk it stands for; `honest` for an answer without a fault, `others` for what stands for
            no quirk.
        title: what the server does.
        mode: `stream` or `complete`: how to ask.
        base_url: where to ask; the same bytes come whatever is asked, and a text to whoever goes on from them.
        api_key: a key, for clients that insist on one.
    """

    quirk: str
    title: str
    mode: Mode
    base_url: str
    api_key: str
    _ask: Ask = field(repr=False)
    _case: Case = field(repr=False)
    _server: CaseServer = field(repr=False)

    @property
    def request(self) -> dict[str, Any]:
        """What to ask, as the body of a request; a copy."""
        return copy.deepcopy(dict(self._case.request))

    def check(
        self,
        calls: Iterable[Any] | None,
        *,
        invalid: Iterable[Any] = (),
        finish_reason: Any = None,
        error: BaseException | None = None,
        ids: bool = True,
    ) -> None:
        """Compare with what is right.

        Args:
            calls: what the client hands its user to be run; mappings `{"id", "name", "arguments"}`, or tool calls as
                the Chat Completions API has them, as mappings or objects.
            invalid: calls that the client itself reports as not to be run.
            finish_reason: as the client hands it over; it may tell that the answer is cut.
            error: what the client raised.
            ids: false for a client that hands over no ids.

        Raises:
            AssertionError: it is not right; the message says which quirk, what was expected and what came.
        """
        __tracebackhide__ = True
        line = {
            "case": self._case.name,
            "calls": [_call(one) for one in calls or ()],
            "invalid": [{**_call(one), "why": ""} for one in invalid],
            "content": None,
            "finish_reason": _plain(finish_reason),
            "error": {"type": type(error).__name__, "message": str(error)} if error is not None else None,
        }
        asked = self._server.asked(self._case.name)
        verdict = judge(self._case.expected, self.mode, Seen(line, asked=asked), Hands(ids=ids))
        if not asked:
            raise AssertionError(f"{self.quirk}: no request came to {self.base_url}/chat/completions") from error
        if verdict.outcome != "right":
            raise AssertionError(failure(self._ask, self._case, verdict, compact(line))) from error

    def attempt(self, ask: Callable[[], Iterable[Any] | None], *, ids: bool = True) -> None:
        """Call `ask`, and check the calls that it returns, or what it raises.

        Raises:
            AssertionError: as `check`.
        """
        __tracebackhide__ = True
        try:
            calls = ask()
        except Exception as problem:  # a client may raise anything, and it may be right to
            self.check((), error=problem, ids=ids)
        else:
            self.check(calls, ids=ids)


def parametrize(metafunc: pytest.Metafunc) -> None:
    """One item for each answer; the marker `conformance_cases(quirks=[…], modes=[…])` asks for some only.

    Raises:
        pytest.Collector.CollectError: the marker names what is not there.
    """
    said: dict[str, Sequence[str]] = {}
    for mark in metafunc.definition.iter_markers(MARK):
        said = {**mark.kwargs, **said}
    unknown = said.keys() - {"quirks", "modes"}
    try:
        if unknown:
            raise ConfigError(f"{min(unknown)} is no argument; it takes quirks=[…] and modes=[…]")
        found = asks(said.get("quirks", ()), said.get("modes", ()))
        if not found:
            raise ConfigError("no answer is left; modes are 'stream' and 'complete'")
    except ConfigError as problem:
        # a usage error would come with the frames of pytest: it ends the run only before anything is collected
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: {MARK}: {problem}") from None
    params = [pytest.param((ask, case), id=f"{ask.quirk}/{case.name}") for ask in found for case in ask.cases]
    metafunc.parametrize("conformance_case", params, indirect=True)


@contextmanager
def serving() -> Iterator[CaseServer]:
    """Serve all cases on loopback."""
    every = everything()
    with CaseServer({name: case.wire for name, case in {**every.controls, **every.cases}.items()}) as server:
        yield server


def made(param: tuple[Ask, Case], server: CaseServer) -> ClientCase:
    """The fixture of a parameter."""
    ask, case = param
    server.asked(case.name)  # what an earlier item asked
    url = server.url_of(case.name)
    return ClientCase(ask.quirk, case.title, case.mode, url, "made-up", ask, case, server)


def _call(call: Any) -> dict[str, Any]:
    function = _field(call, "function")
    inner = call if function is None else function
    return {
        "id": _plain(_field(call, "id")),
        "name": _plain(_field(inner, "name")),
        "arguments": _plain(_field(inner, "arguments")),
    }


def _field(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _plain(value: Any) -> Any:
    """As a JSON value, which is what is compared; however deep it is."""
    try:
        return json.loads(json.dumps(value, default=repr))
    except (RecursionError, ValueError):
        return value

"""All cases of one client: honest answers first, then those that deviate."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from conformance.errors import NotRun
from conformance.impact.adapter import Adapter, Died, Hung, Limits
from conformance.impact.cases import Case, Catalogue, everything
from conformance.impact.children import Children, Stopped
from conformance.impact.environment import Ready
from conformance.impact.folders import Runs
from conformance.impact.handed import Hands
from conformance.impact.judge import Seen, Verdict, judge
from conformance.impact.protocol import Broken
from conformance.impact.server import CaseServer
from conformance.impact.steady import steady, steady_text
from conformance.impact.store import Observation, Store
from conformance.impact.values import document
from conformance.model import Mode

Ask = Callable[[Case], tuple[Verdict, Observation | None]]

_KEY: Final = "made-up"
"""The API key that adapters get."""


@dataclass(slots=True)
class Driven:
    """What came of the cases of one client.

    Attributes:
        hello: its greeting.
        verdicts: by name of the case; controls as well.
        seen: what each verdict rests on.
        without_ids, without_names: modes in which it hands over no ids, or no names, not even those of honest answers:
            there they are not judged.
        why: why it did not come to the end, `""` if it did.
        interrupted: the measurement was ended from outside.
    """

    hello: Mapping[str, Any] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    seen: dict[str, Observation] = field(default_factory=dict)
    without_ids: list[Mode] = field(default_factory=list)
    without_names: list[Mode] = field(default_factory=list)
    why: str = ""
    interrupted: bool = False


def drive(
    name: str,
    ready: Ready,
    catalogue: Catalogue,
    store: Store,
    limits: Limits,
    children: Children,
    step: Callable[[], None] = lambda: None,
) -> Driven:
    """Ask a client everything.

    A case whose honest answer the client already gets wrong is not asked: whatever came of it would say nothing about
    the fault.

    Args:
        name: of the client.
        ready: what starts its adapter.
        catalogue: what to ask.
        store: what was seen before.
        limits: what the adapter may take.
        children: starts it.
        step: is called after each case.
    """
    found = Driven()
    every = {**catalogue.controls, **catalogue.cases}
    served = {case.name: case.wire for case in (*everything().controls.values(), *every.values())}
    with _home() as home, CaseServer(served) as server:
        session = _Session(name, ready, home, server, limits, children)
        try:
            known = store.hello(name)
            found.hello = known or session.greeting()
            if known is None:
                store.keep_hello(dict(found.hello))
            for case in every.values():
                verdict, seen = _one(case, found, session, store)
                found.verdicts[case.name] = verdict
                if seen is not None:
                    found.seen[case.name] = seen
                step()
        except Stopped:
            found.interrupted = True
            found.why = "interrupted"
        except NotRun as problem:
            found.why = problem.detail.removeprefix(f"{name}: ")
        except Broken as problem:
            found.why = f"its adapter does not keep the protocol: {problem}"
        finally:
            session.end()
    return found


@contextlib.contextmanager
def asking(name: str, ready: Ready, limits: Limits, children: Children) -> Iterator[Ask]:
    """Ask cases one by one, each after the honest answer that it is held against.

    Args:
        name: of the client, for messages.
        ready: what starts its adapter.
        limits: what the adapter may take.
        children: starts it.

    Yields:
        What asks a case, and gives the verdict and what was seen; it raises `NotRun` where the adapter cannot be
        started or does not keep the protocol.
    """
    every, found, store = everything(), Driven(), Store(None)
    served = {case.name: case.wire for case in (*every.controls.values(), *every.cases.values())}
    with _home() as home, CaseServer(served) as server:
        session = _Session(name, ready, home, server, limits, children)

        def ask(case: Case) -> tuple[Verdict, Observation | None]:
            try:
                found.hello = found.hello or session.greeting()
                for one in (every.controls[case.control], case):
                    if one.name not in found.verdicts:
                        found.verdicts[one.name], seen = _one(one, found, session, store)
                        if seen is not None:
                            found.seen[one.name] = seen
            except Broken as problem:
                session.end()
                raise NotRun("client", f"{name}: its adapter does not keep the protocol: {problem}") from None
            return found.verdicts[case.name], found.seen.get(case.name)

        try:
            yield ask
        finally:
            session.end()


def _one(case: Case, found: Driven, session: _Session, store: Store) -> tuple[Verdict, Observation | None]:
    if case.mode not in found.hello["modes"]:
        return Verdict("not-applicable", f"it has no {case.mode} mode"), None
    control = found.verdicts.get(case.control)
    if control is not None and case.name != case.control and control.outcome != "right":
        return Verdict("not-applicable", f"the honest answer to this request came to: {control.outcome}"), None
    seen = store.get(case.digest, case.name)
    if seen is None:
        seen = session.observe(case)
        store.keep(case.digest, seen)
    line = document(seen.line.encode("utf-8", "surrogatepass")) if seen.line else {}
    if not case.fault:
        _look_for("id", line, case.mode, found.without_ids)
        _look_for("name", line, case.mode, found.without_names)
    hands = Hands(session.runs, case.mode not in found.without_ids, case.mode not in found.without_names)
    return judge(case.expected, case.mode, Seen(line, seen.died, seen.hung, seen.asked), hands), seen


def _look_for(key: str, line: Mapping[str, Any], mode: Mode, without: list[Mode]) -> None:
    """Note the mode if calls of an honest answer are handed over, and none of them has it."""
    calls = line.get("calls")
    if calls and not any(call[key] for call in calls) and mode not in without:
        without.append(mode)


class _Session:
    """An adapter that is started when it is needed, and anew after it ended or hung."""

    def __init__(
        self, name: str, ready: Ready, home: Path, server: CaseServer, limits: Limits, children: Children
    ) -> None:
        self._name = name
        self._ready = ready
        self._home = home
        self._server = server
        self._limits = limits
        self._children = children
        self._adapter: Adapter | None = None
        self._until = time.monotonic() + limits.total

    @property
    def runs(self) -> Runs:
        """Who runs the tools."""
        return self._ready.runs

    def greeting(self) -> Mapping[str, Any]:
        """Start it, and hear its hello."""
        return self._running().hello

    def observe(self, case: Case) -> Observation:
        """Ask a case. Who hangs is asked a second time, because the machine may be at fault."""
        for _ in range(2):
            adapter = self._running()
            self._server.asked(case.name)  # what an earlier try asked
            try:
                line = adapter.ask(self._line(case), self._limits.case)
            except Hung:
                self.end()
            except Died as problem:
                self.end()
                asked = tuple(self._server.asked(case.name))
                return Observation(died=str(problem), asked=asked, stderr=self._said(adapter))
            else:
                text = steady(line, case.wire.body, [c.id for c in case.expected.calls], self._places())
                asked = tuple(self._server.asked(case.name))
                return Observation(text.decode("utf-8", "surrogatepass"), asked=asked, stderr=self._said(adapter))
        return Observation(hung=True, asked=tuple(self._server.asked(case.name)), stderr=self._said(adapter))

    def end(self) -> None:
        """End its process."""
        if self._adapter is not None:
            self._adapter.end()
            self._adapter = None

    def _running(self) -> Adapter:
        """The adapter, warm: what a library does once, when it is first used, is no part of a case.

        Raises:
            NotRun: it does not start, or gives no honest answer, or not in time.
        """
        if time.monotonic() > self._until:
            raise NotRun("client", f"{self._name}: it took longer than {self._limits.total / 60:g} minutes")
        for last in (False, True):
            if self._adapter is not None:
                break
            self._adapter = Adapter(self._name, self._ready, self._home, self._limits, self._children)
            first = everything().controls[f"honest-one.{self._adapter.hello['modes'][0]}"]
            try:
                self._adapter.ask(self._line(first), self._limits.case)
            except Died as problem:
                self.end()
                raise NotRun("client", f"{self._name}: it does not survive an honest answer: {problem}") from None
            except Hung:
                self.end()
                if last:
                    seconds = f"{self._limits.case:g} seconds"
                    raise NotRun("client", f"{self._name}: hung: no honest answer within {seconds}, twice") from None
        assert self._adapter is not None
        return self._adapter

    def _said(self, adapter: Adapter) -> str:
        """What it wrote to standard error, without places of this machine."""
        return steady_text(adapter.stderr, self._places())

    def _line(self, case: Case) -> dict[str, Any]:
        return {
            "case": case.name,
            "base_url": self._server.url_of(case.name),
            "api_key": _KEY,
            "mode": case.mode,
            "timeout": self._limits.case,
            "request": dict(case.request),
        }

    def _places(self) -> dict[str, str]:
        ready = self._ready
        return {"(client)": str(ready.folder), "(environment)": str(ready.place), "(home)": str(self._home)}


@contextlib.contextmanager
def _home() -> Iterator[Path]:
    """An empty folder for whatever an adapter writes."""
    folder = Path(tempfile.mkdtemp(prefix="conformance-client-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

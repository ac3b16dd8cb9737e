"""What clients are asked: every fault and legal variation that shows in the bytes of one answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from conformance.errors import ConfigError, SelectionError
from conformance.faults import FAULTS, Fault
from conformance.faults.catalogue import Ask, Wire
from conformance.faults.expected import Expected, expected, stated
from conformance.faults.respond import respond
from conformance.model import Mode
from conformance.quirks import catalogue
from conformance.quirks.registry import Quirk
from conformance.run.selftest import request_for

LEFT_OUT: Final[Mapping[str, str]] = {
    "request": "what a server makes of a request is no matter of the client that reads the answer",
    "link": "whose result is whose is decided by the server",
    "history": "the client's own requests are at fault, not an answer",
    "parity": "it shows only where two answers are compared; each answer alone is asked under another quirk",
}
"""Areas of quirks that no single answer brings to a client, and why."""
_TOPICS: Final = frozenset(("other-order", "unknown-id", "empty-ids", "history", "n2"))
"""Requests of a fault that a client does not send by itself."""
_CONTROLS: Final[Mapping[str, Ask]] = {"call-announced-twice": "two"}
"""Where two calls stand on the wire for one that was asked for: the honest answer is that to another request."""
_HONEST: Final[Mapping[Ask, str]] = {
    "one": "one call",
    "two": "two calls",
    "text": "a text, and no call",
    "named": "the call that `tool_choice` names",
    "strict": "one call of a strict tool",
    "again": "one call, after an earlier turn",
    "usage": "one call, and its usage",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One answer that is served to every client.

    Attributes:
        name: `<fault>.<mode>`; `honest-<ask>.<mode>` for a control.
        fault: what is planted; `""` for a control.
        title: what the server does, for a control what it answers.
        mode: in which the client is to ask.
        request: what it is to ask.
        wire: the fixed bytes it gets, whatever it asks.
        expected: what it should end with.
        control: name of the honest answer to the same request.
    """

    name: str
    fault: str
    title: str
    mode: Mode
    request: Mapping[str, Any]
    wire: Wire
    expected: Expected
    control: str

    @property
    def digest(self) -> str:
        """What has to be equal for an outcome to be the same: request and response."""
        wire = self.wire
        said = [self.mode, self.request, wire.status, sorted(wire.headers.items()), wire.cut, wire.body.hex()]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Shown:
    """A quirk, and the cases that show it.

    Attributes:
        slug, level, title: of the quirk.
        cases: names of cases by mode.
    """

    slug: str
    level: str
    title: str
    cases: Mapping[Mode, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All that can be asked.

    Attributes:
        controls: honest answers, by name.
        cases: answers that deviate, by name.
        quirks: in the order of the quirk catalogue; those that some case shows.
        others: names of cases that stand for no quirk: legal variations that no rule has a word for, and faults that
            show two quirks at once where each has a fault of its own.
    """

    controls: Mapping[str, Case]
    cases: Mapping[str, Case]
    quirks: Sequence[Shown]
    others: Sequence[str]

    @property
    def digest(self) -> str:
        """Changes with anything that is served."""
        every = [case.digest for case in (*self.controls.values(), *self.cases.values())]
        return hashlib.sha256("".join(every).encode()).hexdigest()[:16]

    def only(self, slugs: Iterable[str]) -> Catalogue:
        """The part that shows these quirks; all of it if none is named.

        Raises:
            ConfigError: there is no such quirk.
            SelectionError: no single answer brings these quirks to a client.
        """
        wanted = list(dict.fromkeys(slugs))
        if not wanted:
            return self
        areas = {quirk.slug: quirk.area for quirk in catalogue()}
        unknown = [slug for slug in wanted if slug not in areas]
        if unknown:
            raise ConfigError(f"--quirk {unknown[0]}: there is no such quirk; see 'conformance list quirks'")
        shown = [quirk for quirk in self.quirks if quirk.slug in wanted]
        if not shown:
            why = LEFT_OUT.get(areas[wanted[0]], "no fault plants it")
            raise SelectionError(f"--quirk {wanted[0]}: clients are not asked about it: {why}")
        names = {name for quirk in shown for cases in quirk.cases.values() for name in cases}
        cases = {name: case for name, case in self.cases.items() if name in names}
        used = {case.control for case in cases.values()}
        controls = {name: case for name, case in self.controls.items() if name in used}
        return Catalogue(controls, cases, shown, [])


@cache
def everything() -> Catalogue:
    """All cases; the same every time."""
    areas = {quirk.slug: quirk.area for quirk in catalogue()}
    controls: dict[str, Case] = {}
    cases: dict[str, Case] = {}
    for fault in FAULTS.values():
        if not _concerns_clients(fault, areas):
            continue
        for mode in fault.modes:
            case = _case(fault, mode)
            honest = _control(fault, mode)
            if case.wire != honest.wire:  # else nothing is planted: the answer is a control, or its twin deviates
                controls.setdefault(honest.name, honest)
                cases[case.name] = case
    quirks = _quirks(cases)
    told = {name for quirk in quirks for names in quirk.cases.values() for name in names}
    return Catalogue(controls, cases, quirks, [name for name in cases if name not in told])


def _concerns_clients(fault: Fault, areas: Mapping[str, str]) -> bool:
    if fault.scenario or fault.ask in _TOPICS or fault.name.startswith("twin-") or not stated(fault):
        return False
    return not fault.shows or any(areas[slug] not in LEFT_OUT for slug in fault.shows)


def _case(fault: Fault, mode: Mode) -> Case:
    request = request_for(fault, mode)
    return Case(
        f"{fault.name}.{mode}",
        fault.name,
        fault.title,
        mode,
        request,
        respond(request, fault),
        expected(fault, request),
        _control(fault, mode).name,
    )


def _control(fault: Fault, mode: Mode) -> Case:
    ask = _CONTROLS.get(fault.name, fault.ask)
    request = request_for(replace(fault, ask=ask), mode)
    name = f"honest-{ask}.{mode}"
    return Case(
        name, "", f"an honest answer: {_HONEST[ask]}", mode, request, respond(request), expected(None, request), name
    )


def _quirks(cases: Mapping[str, Case]) -> list[Shown]:
    """Which cases show which quirk.

    A fault that is known by several quirks stands for one of them only if no fault shows that one alone: else a client
    would be blamed under one name for what another one did.
    """
    found: list[Shown] = []
    for quirk in catalogue():
        if quirk.area in LEFT_OUT:
            continue
        known = [case for case in cases.values() if _shows(case, quirk)]
        alone = [case for case in known if len(FAULTS[case.fault].shows) == 1]
        by_mode: dict[Mode, list[str]] = {}
        for case in alone or known:
            by_mode.setdefault(case.mode, []).append(case.name)
        if by_mode:
            found.append(Shown(quirk.slug, quirk.level, quirk.title, by_mode))
    return found


def _shows(case: Case, quirk: Quirk) -> bool:
    fault = FAULTS[case.fault]
    return quirk.slug in fault.shows and (fault.mode or case.mode) in quirk.modes

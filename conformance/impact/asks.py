"""What a client is asked about one quirk in one mode, and how a wrong outcome is told to whoever writes the client."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from conformance.errors import ConfigError
from conformance.faults.expected import ANY, Expected, Meant
from conformance.impact.cases import LEFT_OUT, Case, Catalogue, everything
from conformance.impact.judge import OUTCOMES, Verdict
from conformance.impact.values import compact
from conformance.model import Mode
from conformance.quirks import catalogue
from conformance.report.grid import MODES
from conformance.text import visible

HONEST: Final = "honest"
OTHERS: Final = "others"
_DUTIES: Final = {
    "run": "exactly these calls to be run",
    "either": "these calls to be run, or a word that something is wrong",
    "refuse": "a word that something is wrong, and no call to be run",
}
_SHOWN: Final = 1000


@dataclass(frozen=True, slots=True)
class Ask:
    """All answers that stand for one quirk in one mode.

    Attributes:
        quirk: its slug; `honest` for answers without a fault, `others` for those that stand for no quirk.
        title: of the quirk.
        mode: in which the client is to ask.
        cases: what it is to be asked.
    """

    quirk: str
    title: str
    mode: Mode
    cases: tuple[Case, ...]

    @property
    def name(self) -> str:
        """`index-missing/stream`."""
        return f"{self.quirk}/{self.mode}"


def asks(quirks: Collection[str] = (), modes: Collection[str] = ()) -> list[Ask]:
    """What there is to ask: honest answers first, then quirk by quirk.

    Args:
        quirks: only these; all if none is named. `honest` and `others` are names as well.
        modes: only these; both if none is named.

    Raises:
        ConfigError: no answer stands for a quirk that is named.
    """
    found = list(_all(everything()))
    unknown = [slug for slug in quirks if slug not in {ask.quirk for ask in found}]
    if unknown:
        areas = {quirk.slug: quirk.area for quirk in catalogue()}
        known = unknown[0] in areas
        why = LEFT_OUT.get(areas.get(unknown[0], ""), "no fault plants it") if known else "there is no such quirk"
        raise ConfigError(f"{visible(unknown[0], 60)}: clients are not asked about it: {why}")
    return [ask for ask in found if (not quirks or ask.quirk in quirks) and (not modes or ask.mode in modes)]


def failure(ask: Ask, case: Case, verdict: Verdict, line: str = "") -> str:
    """What went wrong with a case: which quirk, what was expected, what came.

    Args:
        ask: what it stands for.
        case: the answer that was served.
        verdict: what became of it.
        line: the adapter's line, if one came.
    """
    mode = "streamed" if case.mode == "stream" else "complete"
    said = [
        f"{ask.quirk} ({ask.title}), {mode}: {verdict.outcome}: {OUTCOMES[verdict.outcome]}",
        f"  served    {case.title}",
        f"  expected  {_expected(case.expected)}",
        f"  came      {visible(verdict.detail, _SHOWN) or 'nothing'}",
    ]
    if line:
        said.append(f"  line      {visible(line, _SHOWN)}")
    if case.fault:
        said.append(f"  again     conformance serve --fault {case.fault}")
    return "\n".join(said)


def _expected(expected: Expected) -> str:
    duty = _DUTIES[expected.duty]
    if expected.duty == "refuse":
        return duty
    as_right = "".join(f"; as right: {_calls(calls)}" for calls in expected.also)
    return f"{duty}: {visible(_calls(expected.calls) + as_right, _SHOWN)}"


def _calls(calls: Iterable[Meant]) -> str:
    return "; ".join(map(_call, calls)) or "no call"


def _call(call: Meant) -> str:
    ids = {"": "never sent", ANY: "any"}
    return f"{call.name}({compact(call.arguments)}), id {ids.get(call.id, call.id)}"


def _all(every: Catalogue) -> Iterator[Ask]:
    for mode in MODES:
        yield Ask(HONEST, "nothing is wrong", mode, tuple(c for c in every.controls.values() if c.mode == mode))
    for shown in every.quirks:
        for mode, names in shown.cases.items():
            yield Ask(shown.slug, shown.title, mode, tuple(every.cases[name] for name in names))
    for mode in MODES:
        others = tuple(every.cases[name] for name in every.others if every.cases[name].mode == mode)
        yield Ask(OTHERS, "legal, or two quirks at once", mode, others)

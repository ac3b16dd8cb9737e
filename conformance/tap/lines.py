"""What a person sees while exchanges pass: a line for each, its findings, and the guard when a quirk shows first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import click

from conformance.model import Finding, Level
from conformance.quirks import get
from conformance.report.text import plural, visible
from conformance.tap.passed import Glimpse, Judged
from conformance.tap.tally import COLOURS

_REMEMBERED: Final = 1000
_INDENT: Final = " " * 10

Told = frozenset[tuple[str, int | None, int | None]]


class Lines:
    """Writes the lines of exchanges in the order in which they end; what was told early is not told twice.

    Text of a provider is shown escaped.
    """

    def __init__(self) -> None:
        self._guarded: set[str] = set()
        self._early: OrderedDict[int, Told] = OrderedDict()

    def glimpse(self, glimpse: Glimpse) -> Iterator[str]:
        """What is certain of an answer that is still coming."""
        told = self._early.get(glimpse.number, frozenset())
        new = [f for f in _loud(glimpse.findings) if _key(f) not in told]
        if not new:
            return
        self._early[glimpse.number] = told | {_key(f) for f in new}
        if len(self._early) > _REMEMBERED:
            self._early.popitem(last=False)
        now = datetime.now().astimezone()
        yield f"{_head(now, glimpse.number)}  {visible(glimpse.model, 60)}  still coming"
        for finding in new:
            yield from self._finding(finding)

    def judged(self, judged: Judged) -> Iterator[str]:
        """What became of an exchange."""
        told = self._early.pop(judged.number, frozenset())
        yield f"{_head(judged.started, judged.number)}  {'  '.join(_facts(judged))}"
        if judged.standing == "not judged":
            yield f"{_INDENT}{click.style('not judged', fg='magenta')}: {visible(judged.why)}"
        elif judged.standing == "in part":
            yield f"{_INDENT}{click.style('judged in part', fg='magenta')}: {visible(judged.why)}"
        loud = _loud(judged.findings)
        for finding in loud:
            if _key(finding) not in told:
                yield from self._finding(finding)
        if again := [f"{f.quirk}{_times(f)}" for f in loud if _key(f) in told]:
            yield f"{_INDENT}as told above: {', '.join(again)}"
        if judged.standing == "judged" and not loud:
            yield f"{_INDENT}nothing deviates ({plural(len(judged.applicable), 'check')} applied)"
        if judged.problem:
            yield f"{_INDENT}{click.style('not saved', fg='red')}: {visible(judged.problem)}"

    def _finding(self, finding: Finding) -> Iterator[str]:
        place = [f"event {finding.where.event}"] if finding.where.event is not None else []
        place += [visible(finding.where.pointer, 120)] if finding.where.pointer else []
        level = click.style(finding.level, fg=COLOURS[finding.level], bold=True)
        where = f", {', '.join(place)}" if place else ""
        yield f"{_INDENT}{level} {finding.quirk}: {visible(finding.message)}{_times(finding)}  [{finding.layer}{where}]"
        guard = get(finding.quirk).guard
        if guard and finding.quirk not in self._guarded:
            self._guarded.add(finding.quirk)
            yield f"{_INDENT}  guard  {guard}"


def _head(moment: datetime, number: int) -> str:
    return f"{moment:%H:%M:%S}  {click.style(f'#{number}', bold=True)}"


def _facts(judged: Judged) -> Iterator[str]:
    if judged.standing == "other" or not judged.model:
        yield visible(judged.request, 120)
    else:
        yield visible(judged.model, 60)
    if judged.mode:
        yield judged.mode
    if judged.status is None:
        yield "no answer"
    else:
        yield click.style(str(judged.status), fg="red") if judged.status >= 400 else str(judged.status)
    yield f"{judged.size} bytes"
    yield f"{judged.ms:.0f} ms"
    if judged.calls:
        unfit = judged.calls - judged.usable
        yield plural(judged.calls, "call") + (f" ({unfit} not usable)" if unfit else "")
    if judged.standing == "judged" and not judged.complete:
        yield click.style("not complete: do not run the calls", fg="red")


def _loud(findings: Sequence[Finding]) -> list[Finding]:
    ranks: tuple[Level, ...] = ("must", "should")
    return sorted((f for f in findings if f.level in ranks), key=lambda f: ranks.index(f.level))


def _key(finding: Finding) -> tuple[str, int | None, int | None]:
    return (finding.quirk, finding.choice, finding.call)


def _times(finding: Finding) -> str:
    return f" ({finding.count}x)" if finding.count > 1 else ""

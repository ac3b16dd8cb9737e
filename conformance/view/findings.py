"""The findings: what was expected, what came, where, on whose authority, and the guard to add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from rich.console import RenderableType
from rich.text import Text

from conformance.model import Finding
from conformance.quirks import Verdict, get
from conformance.text import visible
from conformance.view.parts import GOOD, QUIET, Line, heading, place, tag

Language = Literal["python", "typescript"]
_WIDTH = 10


def findings_section(verdict: Verdict, language: Language) -> Iterator[RenderableType]:
    """The section: deviations, the gravest first, then the names of legal variations."""
    loud = sorted((f for f in verdict.findings if f.level != "info"), key=lambda f: f.level != "must")
    if loud:
        yield heading("findings")
    guarded: set[str] = set()
    for number, finding in enumerate(loud):
        if number:
            yield Text()
        yield from _finding(finding)
        if finding.quirk not in guarded:
            guarded.add(finding.quirk)
            yield from _guard(finding, language)
    yield from _legal(verdict.findings)


def _legal(findings: Sequence[Finding]) -> Iterator[RenderableType]:
    quiet = sorted({f.quirk for f in findings if f.level == "info"})
    if quiet:
        yield Text()
        yield Line(Text("  legal variations: ", QUIET), Text(", ".join(quiet), QUIET))


def _finding(finding: Finding) -> Iterator[RenderableType]:
    sources = get(finding.quirk).sources
    times = f" ({finding.count}x)" if finding.count > 1 else ""
    head = tag(finding).append(f": {visible(finding.message)}{times}").append(f"  [{finding.layer}]", QUIET)
    yield Line("  ", head)
    yield _row("expected", finding.expected)
    yield _row("actual", visible(finding.actual) or "-")
    yield _row("where", place(finding.where))
    yield _row("source", sources[0].title if sources else "-")


def _guard(finding: Finding, language: Language) -> Iterator[RenderableType]:
    quirk = get(finding.quirk)
    if quirk.guard:
        yield _row("guard", quirk.guard)
    code = quirk.guard_python if language == "python" else quirk.guard_typescript
    for at, line in enumerate(code.splitlines()):
        yield _row(language if at == 0 else "", Text(line, GOOD))


def _row(label: str, text: str | Text) -> Line:
    return Line(f"      {label:<{_WIDTH}}{' ' if len(label) >= _WIDTH else ''}", text)

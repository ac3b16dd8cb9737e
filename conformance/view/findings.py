"""The findings: what was expected, what came, where, on whose authority, and the guard to add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from rich.console import RenderableType
from rich.text import Text

from conformance.model import Finding
from conformance.quirks import Verdict, get
from conformance.text import visible
from conformance.view.parts import GOOD, QUIET, Line, heading, place, tag

Language = Literal["python", "typescript"]
_WIDTH: Final = 10
_MOST: Final = 6
"""Findings of one quirk that are told; a stream of a hundred calls may have one for each."""


def findings_section(verdict: Verdict, language: Language) -> Iterator[RenderableType]:
    """The section: deviations, the gravest first and each quirk's together, then the names of legal variations."""
    by_quirk: dict[str, list[Finding]] = {}
    for finding in sorted((f for f in verdict.findings if f.level != "info"), key=lambda f: f.level != "must"):
        by_quirk.setdefault(finding.quirk, []).append(finding)
    if by_quirk:
        yield heading("findings")
    for number, found in enumerate(by_quirk.values()):
        if number:
            yield Text()
        yield from _quirk(found, language)
    yield from _legal(verdict.findings)


def _quirk(found: Sequence[Finding], language: Language) -> Iterator[RenderableType]:
    """The findings of one quirk; what is the same for all of them is said once."""
    for finding in found[:_MOST]:
        yield from _finding(finding)
    if len(found) > _MOST:
        yield _row("", f"and {len(found) - _MOST} more like this, --format json has all")
    sources = get(found[0].quirk).sources
    yield _row("source", sources[0].title if sources else "-")
    yield from _guard(found[0].quirk, language)


def _legal(findings: Sequence[Finding]) -> Iterator[RenderableType]:
    quiet = sorted({f.quirk for f in findings if f.level == "info"})
    if quiet:
        yield Text()
        yield Line(Text("  legal variations: ", QUIET), Text(", ".join(quiet), QUIET))


def _finding(finding: Finding) -> Iterator[RenderableType]:
    times = f" ({finding.count}x)" if finding.count > 1 else ""
    head = tag(finding).append(f": {visible(finding.message)}{times}").append(f"  [{finding.layer}]", QUIET)
    yield Line("  ", head)
    yield _row("expected", finding.expected)
    yield _row("actual", visible(finding.actual) or "-")
    yield _row("where", place(finding.where))


def _guard(slug: str, language: Language) -> Iterator[RenderableType]:
    quirk = get(slug)
    if quirk.guard:
        yield _row("guard", quirk.guard)
    code = quirk.guard_python if language == "python" else quirk.guard_typescript
    for at, line in enumerate(code.splitlines()):
        yield _row(language if at == 0 else "", Text(line, GOOD))


def _row(label: str, text: str | Text) -> Line:
    return Line(f"      {label:<{_WIDTH}}{' ' if len(label) >= _WIDTH else ''}", text)

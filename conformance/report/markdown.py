"""`quirks.md`: the page as GitHub shows it, from the answer to the evidence. Whatever a provider wrote is escaped."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.report import markdown_evidence, markdown_matrix, words
from conformance.report.elsewhere import Kind
from conformance.report.files import BESIDE
from conformance.report.grid import Matrix, Row
from conformance.report.summary import KINDS, EvidenceKind, guards, mentions, nothing
from conformance.report.text import anchor, code, plural, prose, ticked


def render(matrix: Matrix, base: str = BESIDE) -> str:
    """The whole document.

    Args:
        matrix: what to show.
        base: the way from the document to the folder that evidence is relative to.
    """
    parts = [
        _head(matrix),
        _glance(matrix),
        _verdicts(matrix),
        _hops(matrix),
        _unmeasured(matrix),
        _guards(matrix),
        markdown_matrix.render(matrix),
        _nowhere(matrix),
        _not_run(matrix),
        _expectations(matrix),
        markdown_evidence.render(matrix, base),
        markdown_evidence.repositories(matrix),
    ]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def _head(matrix: Matrix) -> Iterator[str]:
    yield f"# {words.TITLE}"
    if not matrix.finished:
        yield f"\n> [!CAUTION]\n> **{words.INCOMPLETE}**"
    yield ""
    yield from (prose(sentence, 2000) for sentence in words.origin(matrix))
    yield ""
    yield words.totals(matrix) if matrix.judged else f"**{words.NOTHING}** {words.totals(matrix)}"


def _glance(matrix: Matrix) -> Iterator[str]:
    rows = matrix.shown
    if not any(row.published or not row.judged for row in rows):
        return
    yield f"## At a glance\n\n{words.GLANCE} {words.ELSEWHERE}\n"
    yield f"| provider | recorded here | {Kind.SHOWN.symbol} published | {Kind.REPORTED.symbol} reported |"
    yield "| --- | --- | --- | --- |"
    for row in rows:
        yield f"| {prose(row.label)} | {' | '.join(_mentioned(matrix, row, kind) for kind in KINDS)} |"


def _mentioned(matrix: Matrix, row: Row, kind: EvidenceKind) -> str:
    found = []
    for one in mentions(matrix, row, kind):
        name = f"**{prose(one.column.slug)}**" if one.level == "must" else prose(one.column.slug)
        count = f"&nbsp;{one.count}" if one.count else ""
        found.append(f"[{name}](#{one.place}){count}")
    return ", ".join(found) or nothing(row, kind)


def _verdicts(matrix: Matrix) -> Iterator[str]:
    if not matrix.measured:
        return
    yield "## Verdicts\n"
    yield "| provider | model | verdict | judged | usable calls streamed | complete | recorded | verified |"
    yield "| --- | --- | --- | ---: | ---: | ---: | --- | --- |"
    for row in matrix.measured:
        cells = [
            prose(row.provider["name"]),
            prose(row.model),
            _verdict(row),
            str(row.judged),
            words.usable(row, "stream"),
            words.usable(row, "complete"),
            words.period(row.recorded_at),
            prose(row.provider["verified"]),
        ]
        yield f"| {' | '.join(cells)} |"
    yield f"\n<sub>{words.LEGEND}</sub>"


def _verdict(row: Row) -> str:
    headline = words.headline(row)
    return f"**{headline}**{prose(words.verdict(row).removeprefix(headline), 4000)}"


def _hops(matrix: Matrix) -> Iterator[str]:
    for number, hop in enumerate(matrix.hops):
        if number:
            yield ""
        yield f"## Which hop? {prose(hop.title)}\n"
        yield prose(hop.summary, 1000)
        if hop.quirks:
            yield f"\n| quirk | level | blames | straight | through {prose(hop.gateway)} | change |"
            yield "| --- | --- | --- | ---: | ---: | --- |"
        for one in hop.quirks:
            name = f"[{prose(one.slug)}](#{anchor('quirk', one.slug)})"
            cells = [name, one.level, one.layer, one.straight.count, one.through.count, one.change.word]
            yield f"| {' | '.join(cells)} |"
        if hop.quirks:
            yield f"\n<sub>{hop.legend}</sub>"
        for left in hop.unpaired:
            yield f"\nNot compared, {prose(left.why, 1000)}: {', '.join(map(prose, left.places))}."


def _unmeasured(matrix: Matrix) -> Iterator[str]:
    if not matrix.unmeasured:
        return
    yield "## Not measured here\n"
    yield "| provider | planned model | | what is known | verified |"
    yield "| --- | --- | --- | --- | --- |"
    for row in matrix.unmeasured:
        cells = [
            prose(row.provider["name"]),
            prose(row.model),
            f"{words.unmeasured_state(row).symbol} {row.verdict.text}",
            prose(words.unmeasured(matrix, row), 4000),
            prose(row.provider["verified"]),
        ]
        yield f"| {' | '.join(cells)} |"


def _guards(matrix: Matrix) -> Iterator[str]:
    needed = guards(matrix)
    if not needed:
        return
    theirs = any(one.theirs for one in needed)
    yield "## Guards\n\nWhat a client needs to survive what was found.\n"
    yield "| quirk | level | guard | with |" + (" published or reported with |" if theirs else "")
    yield "| --- | --- | --- | --- |" + (" --- |" if theirs else "")
    for one in needed:
        cells = [prose(one.column.slug), one.level, ticked(words.guard(one.column)), _labels(one.measured)]
        yield f"| {' | '.join([*cells, *([_labels(one.theirs)] if theirs else [])])} |"


def _labels(rows: tuple[Row, ...]) -> str:
    return ", ".join(prose(row.label) for row in rows)


def _nowhere(matrix: Matrix) -> Iterator[str]:
    if not matrix.judged:
        return
    nowhere = matrix.nowhere()
    looked = [f"{prose(column.slug)}&nbsp;({words.looked(n, theirs)})" for column, n, theirs in nowhere if n or theirs]
    never = [prose(column.slug) for column, n, theirs in nowhere if not n and not theirs]
    if looked:
        yield f"## Nowhere found\n\n{words.looked_at(matrix)}\n"
        yield ", ".join(looked) + "."
    if never:
        yield ("\n" if looked else "") + "## Not applicable anywhere\n\nNo exchange could have shown these.\n"
        yield ", ".join(never) + "."


def _not_run(matrix: Matrix) -> Iterator[str]:
    rows = [row for row in matrix.rows if row.gaps or row.provider.get("left_out")]
    if not rows:
        return
    yield "## Not run\n"
    for row in rows:
        for reason, gaps in words.by_reason(row):
            exchanges = plural(sum(len(gap.places) for gap in gaps), "exchange")
            yield f"- **{prose(row.label)}**, {exchanges}: {prose(reason)}"
            for gap in gaps:
                fix = f"; what helps: {code(gap.fix)}" if gap.fix else ""
                yield f"  - {', '.join(map(prose, gap.places))}: {code(gap.detail)}{fix}"
        if (left_out := row.provider.get("left_out")) and not row.elsewhere:
            yield (
                f"- **{prose(row.label)}** declares that it lacks what these scenarios need: "
                f"{', '.join(map(prose, left_out))}"
            )


def _expectations(matrix: Matrix) -> Iterator[str]:
    fates = list(matrix.fates())
    if not fates:
        return
    yield "## Expectations\n"
    yield "| provider | quirk | where | reason | source | standing |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for fate in fates:
        one = fate.expectation
        cells = [fate.provider, one["quirk"], words.scope(fate), one["reason"], one["source"], words.fate(fate)]
        yield f"| {' | '.join(map(prose, cells))} |"

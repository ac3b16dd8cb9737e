"""The table of events: when each came, how large it is, what it carries, and the findings that begin at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from conformance.model import Finding
from conformance.text import plural, visible
from conformance.view.folding import Gap, Row
from conformance.view.parts import ODD, QUIET, call_name, excerpt, heading, quoted, span, table, tag
from conformance.view.timeline import Event, Said

_EXCERPT = 60


def events_section(
    events: Sequence[Event], rows: Sequence[Row | Gap], findings: Sequence[Finding]
) -> Iterator[RenderableType]:
    """The section; nothing where there are no events."""
    if not events:
        return
    timed = events[0].at_ms is not None
    made = table(
        "event", "byte", "bytes", *(["ms"] if timed else []), "carries", right=("event", "byte", "bytes", "ms")
    )
    at = by_event(findings)
    for row in rows:
        if isinstance(row, Gap):
            blank = [""] * (3 if timed else 2)
            made.add_row("…", *blank, Text(f"{plural(row.rows, 'row')} left out, --events all shows them", QUIET))
            continue
        numbers = [span(row.first.number, row.last.number), str(row.first.byte), str(sum(e.size for e in row.events))]
        if row.first.at_ms is not None and row.last.at_ms is not None:
            numbers.append(span(f"{row.first.at_ms:.0f}", f"{row.last.at_ms:.0f}"))
        made.add_row(*numbers, _carries(row, at.get(row.first.number, ())))
    yield heading("events", f"{len(events)} with data; bytes are counted up to the next one")
    yield made
    if timed:
        yield Text(_pace(events), QUIET)


def by_event(findings: Sequence[Finding]) -> Mapping[int, Sequence[Finding]]:
    """Findings that count as deviations, by the event at which they begin."""
    found: defaultdict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.where.event is not None and finding.level != "info":
            found[finding.where.event].append(finding)
    return found


def _carries(row: Row, findings: Sequence[Finding]) -> Text:
    parts = [*_entries(row), *(_said(one, row, at) for at, one in enumerate(row.first.said))]
    lines = [Text("  ").join(parts) if parts else Text("an empty delta", QUIET)]
    for finding in findings:
        whose = f" {call_name(finding.choice or 0, finding.call)}" if finding.call is not None else ""
        lines.append(Text.assemble("▲ ", tag(finding), whose))
    return Text("\n").join(lines)


def _entries(row: Row) -> Iterator[Text]:
    for at, entry in enumerate(row.first.entries):
        text = Text(call_name(*entry.call))
        if entry.opens:
            name = next((f.text for f in entry.fields if f.name == "name"), "")
            text.append(f" opens {excerpt(name, 40)}" if name else " opens without a name")
        if any(field.odd for field in entry.fields):
            text.append(" !", ODD)
        arguments = "".join(event.entries[at].arguments for event in row.events)
        yield text.append(_amount(arguments, len(row.events)))


def _said(one: Said, row: Row, at: int) -> Text:
    text = "".join(event.said[at].text for event in row.events)
    name = f"choice {one.choice} {one.kind}" if one.choice else one.kind
    if one.kind in ("role", "finish_reason", "event"):
        return Text(f"{name} {visible(one.text, _EXCERPT)}", QUIET if one.kind == "role" else "")
    if one.kind in ("usage", "error", "not an object"):
        return Text(f"{name} {excerpt(one.text, _EXCERPT)}", "" if one.kind == "error" else QUIET)
    return Text(name + _amount(text, len(row.events)))


def _amount(text: str, pieces: int) -> str:
    """` '"Paris"'`, for a run with its count; nothing for no text."""
    if not text:
        return f" {pieces} times" if pieces > 1 else ""
    count = f" {plural(pieces, 'piece')}, {plural(len(text), 'character')}" if pieces > 1 else ""
    return f"{count} {quoted(text, _EXCERPT)}"


def _pace(events: Sequence[Event]) -> str:
    times = [event.at_ms or 0.0 for event in events]
    text = f"first event after {times[0]:.0f} ms, last after {times[-1]:.0f} ms"
    if len(times) > 1:
        pause, at = max((times[i] - times[i - 1], i) for i in range(1, len(times)))
        text += f", longest pause {pause:.0f} ms before event {events[at].number}"
    return text

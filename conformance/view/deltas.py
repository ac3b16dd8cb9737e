"""The deltas of all calls side by side: one column per call, one row per event that adds to any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from conformance.text import plural
from conformance.view.folding import Gap, Row
from conformance.view.parts import ODD, QUIET, call_name, excerpt, heading, quoted, span, table
from conformance.view.timeline import CallKey, Field

MOST_CALLS: Final = 8
_NARROWEST: Final = 32
_EXCERPT: Final = 60


class Deltas:
    """The section.

    Args:
        rows: what the table of events shows.
        calls: the keys of all calls, in order.
        limited: whether only the first calls are shown.
    """

    def __init__(self, rows: Sequence[Row | Gap], calls: Sequence[CallKey], limited: bool) -> None:
        self._rows = rows
        self._calls = list(calls)[:MOST_CALLS] if limited else list(calls)
        self._hidden = len(calls) - len(self._calls)
        self._about: dict[CallKey, set[int]] = {}
        for number, row in enumerate(rows):
            for entry in row.first.entries if isinstance(row, Row) else ():
                if entry.call is not None:
                    self._about.setdefault(entry.call, set()).add(number)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Called by rich: as many columns beside each other as fit."""
        if not self._calls:
            return
        yield heading("deltas", "as sent; ! marks what departs from the reference")
        room = max(1, (options.max_width - 10) // _NARROWEST)
        for start in range(0, len(self._calls), room):
            if start:
                yield Text()
            yield self._band(self._calls[start : start + room])
        if self._hidden:
            yield Text(f"{plural(self._hidden, 'more call')}, --events all shows them", QUIET)

    def _band(self, calls: Sequence[CallKey]) -> Table:
        made = table("event", *(call_name(*key) for key in calls), right=("event",))
        gaps = {number for number, row in enumerate(self._rows) if isinstance(row, Gap)}
        # only the rows about these calls: all of them for each band would be rows × calls
        for number in sorted(gaps.union(*(self._about.get(key, set()) for key in calls))):
            row = self._rows[number]
            if isinstance(row, Gap):
                made.add_row("…")
                continue
            cells = [_cell(row, key) for key in calls]
            if any(cells):
                made.add_row(span(row.first.number, row.last.number), *cells)
        return made


def _cell(row: Row, key: CallKey) -> Text:
    lines = []
    for at, entry in enumerate(row.first.entries):
        if entry.call == key:
            arguments = "".join(event.entries[at].arguments for event in row.events)
            shown = [_field(f, arguments, len(row.events)) for f in entry.fields if f.name != "type" or f.odd]
            lines.append(Text("  ").join(shown) if shown else Text("an empty entry", QUIET))
    return Text("\n").join(lines)


def _field(field: Field, arguments: str, pieces: int) -> Text:
    name = excerpt(field.name, 30)
    if field.spelling == "absent":
        return Text(f"! no {name}", ODD)
    if field.name == "arguments" and field.spelling != "null":
        count = f"{pieces} pieces, {plural(len(arguments), 'character')} " if pieces > 1 else ""
        value = count + quoted(arguments, _EXCERPT)
    elif field.spelling == "null":
        value = "null"
    elif field.spelling in ("string", "empty"):
        value = quoted(field.text, 40)
    else:
        value = excerpt(field.text, 40)
    text = f"{'args' if field.name == 'arguments' else name} {value}"
    if field.odd:
        return Text(f"! {text}{f' {field.why}' if field.why else ''}", ODD)
    return Text(text)

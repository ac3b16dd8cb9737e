"""Small pieces that all sections share: colours, quoted text, and lines that wrap under themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from conformance.model import Finding, Level, Where
from conformance.text import visible

LEVEL_STYLES: Final[Mapping[Level, str]] = {"must": "bold red", "should": "yellow", "info": "cyan"}
HEADING: Final = "bold"
QUIET: Final = "dim"
ODD: Final = "yellow"
GOOD: Final = "green"
BAD: Final = "red"
_NARROWEST: Final = 24


class Line:
    """A line that, where it is too long for a terminal, goes on under its own beginning.

    Args:
        label: what stands in front, once.
        body: the rest. In a pipe it is not wrapped, so that it can be searched.
    """

    def __init__(self, label: str | Text, body: str | Text) -> None:
        self._label = label if isinstance(label, Text) else Text(label)
        self._body = body if isinstance(body, Text) else Text(body)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Called by rich."""
        indent = self._label.cell_len
        if options.no_wrap or not self._body:
            yield Text.assemble(self._label, self._body)
            return
        lead = self._label
        for line in self._body.wrap(console, max(_NARROWEST, options.max_width - indent)):
            yield Text.assemble(lead, line)  # and not `+`, which spreads the style of the label
            lead = Text(" " * indent)


def heading(title: str, note: str = "") -> Text:
    """The title of a section, with an empty line before it."""
    return Text.assemble("\n", (title, HEADING), (f"  {note}" if note else "", QUIET))


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table without lines; the columns named in `right` hold numbers."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    numbers = set(right)
    for name in columns:
        made.add_column(name, justify="right" if name in numbers else "left", no_wrap=name in numbers, overflow="fold")
    return made


def quoted(text: str, limit: int = 110) -> str:
    """Text of a provider in quotes, on one line and harmless; a long one loses its middle."""
    return f"'{excerpt(text, limit)}'"


def excerpt(text: str, limit: int) -> str:
    """Text of a provider on one line and harmless; a long one loses its middle, as both its ends tell something."""
    if len(text) <= limit:
        return visible(text, 10 * limit)
    tail = limit // 3
    return f"{visible(text[: limit - tail - 3], 10 * limit)} … {visible(text[-tail:], 10 * limit)}"


def place(where: Where) -> str:
    """`event 3, byte 812, /choices/0/delta`; for a place that is none of these: `the body`."""
    parts = [f"event {where.event}"] if where.event is not None else []
    parts += [f"byte {where.byte}"] if where.byte is not None else []
    parts += [visible(where.pointer)] if where.pointer else []
    return ", ".join(parts) or "the body"


def call_name(choice: int, call: int) -> str:
    """How a call is named everywhere: `call 0`, or `choice 1 call 0`."""
    return f"choice {choice} call {call}" if choice else f"call {call}"


def tag(finding: Finding) -> Text:
    """`must index-missing`, coloured."""
    return Text.assemble((finding.level, LEVEL_STYLES[finding.level]), f" {finding.quirk}")


def span(first: object, last: object) -> str:
    """`5–211`, or `5` if that is all."""
    return str(first) if first == last else f"{first}–{last}"

"""`inspect --diff` for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.console import RenderableType
from rich.text import Text

from conformance.text import plural, visible
from conformance.view.difference import Comparison
from conformance.view.parts import BAD, GOOD, QUIET, Line, excerpt, heading, place
from conformance.view.report import headline
from conformance.view.side import Difference, Kind, Side
from conformance.view.values import Change

SCHEMA: Final = "conformance/diff/1"
_STYLES: Final[Mapping[Kind, str]] = {"fault": "bold red", "answer": "yellow", "note": "cyan"}
_MOST_CHANGES: Final = 12


def comparison_view(a: Side, b: Side, found: Comparison) -> Iterator[RenderableType]:
    """The report about two answers."""
    for side in (a, b):
        yield headline(side.transcript, side.name)
    if found.caveat:
        yield Line("   ", Text(f"{found.caveat}: what differs may come from that", BAD))
    if found.differences:
        yield heading("differences")
    for difference in found.differences:
        yield from _difference(difference)
    if found.same:
        yield Text()
        yield Line("  no difference in: ", ", ".join(found.same))
    yield Text()
    yield _conclusion(found)


def _difference(one: Difference) -> Iterator[RenderableType]:
    label = Text(f"  {one.kind:<8}", _STYLES[one.kind])
    yield Line(label, Text.assemble((one.what, "bold"), f": {visible(one.message, 1000)}"))
    for name, where in one.places.items():
        yield Line("          ", Text(f"{name}: {place(where)}", QUIET))
    for change in one.changes[:_MOST_CHANGES]:
        a, b = (_value(value) for value in (change.a, change.b))
        yield Line("          ", f"{visible(change.pointer) or '(the whole)'}  A {a}  B {b}")
    if len(one.changes) > _MOST_CHANGES:
        yield Text(f"          and {len(one.changes) - _MOST_CHANGES} more")


def _value(value: str | None) -> str:
    return "nothing" if value is None else excerpt(value, 60)


def _conclusion(found: Comparison) -> Line:
    faults = found.faults
    if faults:
        names = ", ".join(dict.fromkeys(one.what for one in faults))
        return Line("  ", Text(f"{plural(len(faults), 'difference')} that two runs do not explain: {names}", BAD))
    if any(one.kind == "answer" for one in found.differences):
        return Line("  ", Text("no fault: the model may have answered differently", GOOD))
    return Line("  ", Text("no fault: both say the same", GOOD))


def comparison_document(a: Side, b: Side, found: Comparison) -> dict[str, Any]:
    """The same as a JSON document."""
    return {
        "schema": SCHEMA,
        "a": a.transcript.exchange.source,
        "b": b.transcript.exchange.source,
        "caveat": found.caveat,
        "same": list(found.same),
        "differences": [
            {
                "kind": one.kind,
                "what": one.what,
                "message": one.message,
                "places": {
                    name.lower(): {"event": where.event, "byte": where.byte, "pointer": where.pointer}
                    for name, where in one.places.items()
                },
                "changes": [_change(change) for change in one.changes],
            }
            for one in found.differences
        ],
    }


def _change(change: Change) -> dict[str, str | None]:
    return {"pointer": change.pointer, "a": change.a, "b": change.b}

"""The arguments of the same call in two answers: equal, sampled differently, or lost on the way."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.text import visible
from conformance.view.parts import quoted
from conformance.view.side import Difference, Side, named
from conformance.view.values import changes, parting
from conformance.wire.transcript import Call

_SHOWN = 60


def compare_arguments(a: Side, x: Call, b: Side, y: Call) -> Iterator[Difference]:
    """Compare the arguments of call `x` of A with those of call `y` of B."""
    if x.type == "custom" or y.type == "custom":
        if x.arguments != y.arguments:
            yield Difference("answer", f"{named(x)} input", "the texts differ; the model may have answered differently")
        return
    if x.parse_error and y.parse_error:
        if x.arguments_raw != y.arguments_raw:
            message = f"parse in neither answer (A: {x.parse_error}; B: {y.parse_error})"
            yield Difference("note", f"{named(x)} arguments", message)
    elif x.parse_error:
        yield _broken(a, x, b, y, named(x))
    elif y.parse_error:
        yield _broken(b, y, a, x, named(x))
    else:
        yield from _values(a, x, b, y)


def _broken(bad: Side, broken: Call, good: Side, whole: Call, name: str) -> Difference:
    """One side does not parse: say where its text leaves that of the other."""
    raw, text = broken.arguments_raw, whole.arguments
    at, other = parting(raw, text)
    last = bad.argument_place(broken, len(raw))
    place = last if at >= len(raw) else bad.argument_place(broken, at)
    event = f"event {place.event}" if place.event is not None else "the document"
    if not raw:
        said = f"{bad.name} has no argument text, {good.name} has {quoted(text, _SHOWN)}"
    elif at >= len(raw):
        said = (
            f"the arguments of {bad.name} stop after {event}; {good.name} goes on with {quoted(text[other:], _SHOWN)}"
        )
    elif other >= len(text):
        said = f"{bad.name} goes on where {good.name} ends: in {event} comes {quoted(raw[at:], _SHOWN)}"
    else:
        said = (
            f"{bad.name} parts from {good.name} in {event}: {quoted(raw[at:], _SHOWN)}"
            f" where {good.name} has {quoted(text[other:], _SHOWN)}"
        )
    message = f"{said}; those of {bad.name} do not parse ({visible(broken.parse_error, 120)})"
    return Difference("fault", f"{name} arguments", message, {bad.name: place})


def _values(a: Side, x: Call, b: Side, y: Call) -> Iterator[Difference]:
    found = changes(x.value, y.value)
    what = f"{named(x)} arguments"
    places = {}
    if found:
        i, j = parting(x.arguments_raw, y.arguments_raw)
        places = {a.name: a.argument_place(x, i), b.name: b.argument_place(y, j)}
    for side, call, other, another in ((a, x, b, y), (b, y, a, x)):
        if (not call.value and another.value) or (call.schema_errors and not another.schema_errors):
            why = call.schema_errors[0] if call.schema_errors else "they are {}"
            message = f"{side.name} lost arguments that {other.name} has: {visible(why, 160)}"
            yield Difference("fault", what, message, places, found)
            return
    if found:
        yield Difference("answer", what, "other values; the model may have answered differently", places, found)
    if bool(x.repair) != bool(y.repair):
        side, call = (a, x) if x.repair else (b, y)
        if call.repair not in ("empty", "surrogates"):
            message = f"only {side.name} needs a repair to parse ({call.repair})"
            yield Difference("fault", what, message, side.opened(call))

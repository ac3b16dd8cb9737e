"""A stream beside the answer to the same request with `stream: false`.

Two answers differ because a model was asked twice: in the number of calls, in values, in text. What is held against
each other here is only what the server alone decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.wire.shape import CallShape, ChoiceShape, shape_of
from conformance.wire.transcript import Call, Choice, Transcript


def pairs(t: Transcript) -> Iterator[tuple[Choice, ChoiceShape]]:
    """The choices of a whole answer, each with its shape in the other mode; none without a twin."""
    if t.twin is None or t.twin.mode == t.mode or not t.complete:
        return
    if len(t.choices) == len(t.twin.choices) == 1:
        yield t.choices[0], t.twin.choices[0]
        return
    there = {choice.index: choice for choice in t.twin.choices}
    for choice in t.choices:
        if choice.index in there:
            yield choice, there[choice.index]


def twin_calls(t: Transcript) -> Iterator[tuple[Call, CallShape, CallShape]]:
    """Calls at the same place of their choice: the call, its shape, and the shape of the other mode's call there."""
    mine = shape_of(t)
    if mine is None:
        return
    shapes = {choice.index: choice.calls for choice in mine.choices}
    for choice, there in pairs(t):
        yield from zip(choice.calls, shapes[choice.index], there.calls, strict=False)

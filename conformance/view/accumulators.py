"""What each documented accumulator makes of the bytes: right, or how it is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.text import Text

from conformance.quirks.common import complete, entry, stream
from conformance.quirks.examples import exchange_of
from conformance.text import plural
from conformance.view.parts import BAD, GOOD, QUIET, Line, excerpt, heading, quoted
from conformance.wire.documented import Effect, Ran, impact
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

_MOST: Final = 4
"""Differences told of one accumulator."""
_NO_TOOLS: Final[Mapping[str, Any]] = {"tools": []}


def accumulators_section(transcript: Transcript) -> Iterator[RenderableType]:
    """The section; nothing where no accumulator has anything to do."""
    effects = impact(transcript)
    right = right_calls(transcript)
    wrong = [effect for effect in effects if effect.wrong]
    if not transcript.chunks or not (right or wrong):
        return
    yield heading(
        "what documented accumulators make of it", f"right is to run {plural(len(right), 'call') if right else 'none'}"
    )
    fine = [effect.variant for effect in effects if not effect.wrong]
    if fine:
        yield Line(Text("  right  ", GOOD), ", ".join(fine) if wrong else f"all {len(fine)}")
    anyway = wrong_anyway(transcript, right) if wrong else frozenset()
    for told, names in _grouped([effect for effect in wrong if effect.variant not in anyway], right):
        yield Line(Text("  wrong  ", BAD), ", ".join(names))
        for line in told:
            yield Line("           ", line)
    hopeless = [effect.variant for effect in wrong if effect.variant in anyway]
    if hopeless:
        note = Text(" (with honest bytes for the same calls as well)", QUIET)
        yield Line(Text("  wrong  ", QUIET), Text(", ".join(hopeless)).append_text(note))


def right_calls(transcript: Transcript) -> list[Ran]:
    """The calls there are to run, of choice 0 as the documents look at no other."""
    calls = transcript.choices[0].calls if transcript.choices else []
    return [Ran(call.id, call.name, call.arguments) for call in calls if call.usable]


def wrong_anyway(transcript: Transcript, right: Sequence[Ran]) -> frozenset[str]:
    """The accumulators that are wrong about the same calls in honest bytes too: no deviation is to blame for them."""
    if transcript.mode == "stream":
        opened = [({"tool_calls": [entry(i, c.id, c.name, "")]}, c.arguments) for i, c in enumerate(right)]
        deltas = [d for i, (o, text) in enumerate(opened) for d in (o, {"tool_calls": [entry(i, arguments=text)]})]
        honest = stream(*deltas, request=_NO_TOOLS)
    else:
        honest = complete(*(entry(..., c.id, c.name, c.arguments) for c in right), request=_NO_TOOLS)
    return frozenset(effect.variant for effect in impact(read(exchange_of(honest))) if effect.wrong)


def _grouped(effects: Sequence[Effect], right: Sequence[Ran]) -> list[tuple[tuple[str, ...], list[str]]]:
    """The accumulators that are wrong in the same way, together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for effect in effects:
        groups.setdefault(tuple(how_wrong(effect, right)), []).append(effect.variant)
    return list(groups.items())


def how_wrong(effect: Effect, right: Sequence[Ran]) -> list[str]:
    """In what the calls that an accumulator runs differ from the right ones, one phrase each."""
    if effect.error:
        return [f"stops: {excerpt(effect.error, 200)}"]
    told = []
    if len(effect.calls) != len(right):
        told.append(f"runs {plural(len(effect.calls), 'call')} instead of {len(right)}")
    told += [
        f"cannot run {quoted(call.name, 40)}: its arguments are {quoted(call.arguments, 80)}"
        for call in effect.unparsable
    ]
    left = list(right)
    others = []
    for call in effect.calls:
        same = next((r for r in left if _equal(r, call)), None)
        if same is None:
            others.append(call)
        else:
            left.remove(same)
    for got, wanted in zip(others, left, strict=False):
        told.extend(_differences(got, wanted))
    if not told:
        told.append("runs the calls in another order")
    return told if len(told) <= _MOST else [*told[:_MOST], f"and {len(told) - _MOST} more"]


def _differences(got: Ran, wanted: Ran) -> Iterator[str]:
    for name, has, should in (
        ("id", got.id, wanted.id),
        ("name", got.name, wanted.name),
        ("arguments", got.arguments, wanted.arguments),
    ):
        if has != should:
            # an invented id differs from run to run; that it was invented is what counts
            shown = "a made-up one" if name == "id" and has and not should else quoted(has, 60)
            yield f"{quoted(wanted.name, 40)}: {name} {shown} instead of {quoted(should, 60)}"


def _equal(a: Ran, b: Ran) -> bool:
    if (a.id, a.name) != (b.id, b.name):
        return False
    return a.arguments == b.arguments or bool(json.loads(a.arguments) == json.loads(b.arguments))

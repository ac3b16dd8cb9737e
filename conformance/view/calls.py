"""The assembled calls: what an agent should hand to its tools, and whether it may."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from conformance.text import visible
from conformance.view.parts import BAD, GOOD, QUIET, Line, call_name, excerpt, heading, quoted, span
from conformance.wire.transcript import Call, Transcript


def calls_section(transcript: Transcript) -> Iterator[RenderableType]:
    """The section: calls, text, and the error if there is one."""
    if transcript.choices or transcript.error is not None:
        yield heading("calls" if transcript.calls else "answer")
    for call in transcript.calls:
        yield from _call(call)
    for choice in transcript.choices:
        if choice.content:
            label = f"  choice {choice.index} content " if choice.index else "  content "
            yield Line(label, quoted(choice.content))
    if transcript.choices and not transcript.calls:
        yield Text("  no calls")
    if transcript.error is not None:
        message = transcript.error.get("message")
        yield Line(Text("  error "), Text(excerpt(message if isinstance(message, str) else "", 200), BAD))


def _call(call: Call) -> Iterator[RenderableType]:
    because = ", ".join(call.unusable_because)
    use = Text("usable", GOOD) if call.usable else Text(f"not usable ({because})", BAD)
    head = Text(f"{quoted(call.name, 60)} id {quoted(call.id, 60)}, ").append(use)
    if call.opened[0] is not None:
        first, last = call.opened[0], call.last[0]
        head.append(f", {'event' if first == last else 'events'} {span(first, last)}", QUIET)
    yield Line(f"  {call_name(call.choice, call.index)}: ", head)
    repaired = f"  (repaired: {call.repair})" if call.repair else ""
    yield Line("      ", f"{quoted(call.arguments)}{repaired}")
    if call.parse_error:
        yield Line("      ", Text(visible(call.parse_error), BAD))
    for problem in call.schema_errors[:3]:
        yield Line("      ", Text(visible(problem), BAD))

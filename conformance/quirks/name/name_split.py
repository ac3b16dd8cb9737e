"""The name comes in several pieces.

OpenAI sends it whole in the first entry. A client that sets the name keeps one piece of it and calls an unknown tool.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
    calls,
    counted,
    entry,
    issue,
    marked,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1"), issue("continuedev/continue#5849")],
    seen=[issue("NVIDIA-NeMo/Switchyard#785"), issue("openai/openai-agents-python#326")],
    expected="the whole name in one entry",
    guard="Before any argument text, append a further piece of the name, unless it equals the name held.",
    guard_python="if piece and piece != call.name and not call.arguments:\n    call.name += piece",
    guard_typescript="if (piece && piece !== call.name && !call.arguments) call.name += piece;",
    report="`function.name` is split over several deltas; OpenAI sends it whole.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_", "")), calls(entry(0, ..., "weather")), calls(entry(0, arguments=PARIS))
        )
    ],
)
def name_split(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.NAME_FRAGMENT):
        pieces = call.name_pieces[:20]
        yield Hit(
            f"{of_call(call)}: the name comes in {counted(len(call.name_pieces), 'piece')}", repr(pieces), mark, call
        )

"""Arguments violate the schema although `strict` was asked for.

With `strict: true` the server promises arguments that satisfy the schema; clients then skip their own validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, WEATHER, complete, entry, of_call
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls", "strict-tools", "finished"],
    assembled=True,
    sources=[
        Source(
            "OpenAI, structured outputs: strict function calling",
            "https://platform.openai.com/docs/guides/function-calling#strict-mode",
            "2026-11-30",
        )
    ],
    expected="arguments that satisfy the tool's `parameters`",
    guard="Validate in spite of `strict`.",
    report="With `strict: true` the arguments violate the schema.",
    good=[GOOD_STREAM],
    bad=[
        complete(
            entry(..., "call_a1", "get_weather", '{"city":5}'),
            request={"tools": [{"type": "function", "function": {**WEATHER["function"], "strict": True}}]},
        )
    ],
)
def arguments_strict_violated(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        tool = t.asked.tools.get(call.name)
        if call.schema_errors and tool is not None and tool.strict:
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: {call.schema_errors[0]}",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
                count=len(call.schema_errors),
            )

"""Arguments violate the schema of the offered tool.

A required value is missing, or a type is wrong. Most often the model's fault; empty arguments where some are required
point to the server's parser.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, api, complete, entry, issue, limited, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls", "tools", "finished"],
    assembled=True,
    sources=[api("chat"), issue("vllm-project/vllm#31501", "vllm")],
    seen=[issue("vllm-project/vllm#49248", "vllm"), issue("sgl-project/sglang#35564", "sglang")],
    expected="arguments that satisfy the tool's `parameters`",
    guard="Validate before running; answer a violation with an error result that names it.",
    guard_python="jsonschema.validate(arguments, tool['function']['parameters'])",
    report="The arguments of a tool call violate the schema that was offered.",
    good=[GOOD_STREAM],
    bad=[
        complete(entry(..., "call_a1", "get_weather", "{}")),
        complete(entry(..., "call_a1", "get_weather", '{"city":5}')),
    ],
)
def arguments_schema_violation(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        tool = t.asked.tools.get(call.name)
        if call.value == {} and not t.exchange.fidelity.wire:
            continue  # whoever put the answer together may have lost them
        if call.schema_errors and not (tool is not None and tool.strict) and not limited(t, call):
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: {call.schema_errors[0]}",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
                count=len(call.schema_errors),
                layer="server" if call.value == {} else None,
            )

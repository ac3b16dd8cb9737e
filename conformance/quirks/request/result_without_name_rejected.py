"""The server demands a name in a tool result.

The API reference has no such field in tool messages; the id links. Gateways to APIs that pair results by name demand
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue, reference
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), past_result())


@quirk(
    level="should",
    needs=["result-without-name"],
    sources=[documented("messages"), reference("000", "§3")],
    seen=[issue("ollama/ollama#14214", "ollama"), issue("langflow-ai/langflow#9437")],
    expected="an answer",
    guard="Send the name of the function as `name` beside the id.",
    report="A tool message without `name` is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "contents[2].parts[0].function_response.name: Name cannot be empty.")],
)
def result_without_name_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "result-without-name")

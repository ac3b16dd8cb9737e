"""The server rejects a tool result whose text holds `$ref`.

The content is a string. A gateway that parses it as a schema or as a reference rejects what a tool legally returned.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), past_result(content='{"a":{"$ref":"#/$defs/b"}}'))


@quirk(
    level="should",
    needs=["result-with-ref"],
    sources=[documented("messages")],
    seen=[issue("vercel/ai#14369"), issue("BerriAI/litellm#38223", "litellm")],
    expected="an answer: the content is a string",
    guard="Put the result into another object, or escape the dollar sign.",
    report="A tool message whose text holds `$ref` is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "Referenced name `#/$defs/b` does not match a display_name in the function response.")],
)
def result_with_ref_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "result-with-ref")

"""The server rejects an empty array of tools.

Clients that collect their tools send `[]` when there are none. OpenAI has rejected it, other servers take it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer()


@quirk(
    level="info",
    needs=["tools-empty"],
    sources=[documented("tools")],
    seen=[issue("vllm-project/vllm#39741", "vllm"), issue("pydantic/pydantic-ai#155")],
    expected="an answer, or an error that names the tools",
    guard="Leave `tools` out when there are none.",
    report="",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "[] is too short - 'tools'")],
)
def tools_empty_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "tools-empty")

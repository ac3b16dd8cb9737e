"""The server rejects reasoning that goes back in the history.

Some providers demand that the reasoning they sent comes back, others reject the field. Which is right depends on the
provider alone; a client that knows both has to ask a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(reasoning_content="I need the weather."), past_result())


@quirk(
    level="info",
    needs=["reasoning"],
    sources=[documented("messages")],
    seen=[issue("tashfeenahmed/freellmapi#1070"), issue("vercel/ai#8057"), issue("anomalyco/opencode#4949")],
    expected="an answer, or an error that names the field",
    guard="Send reasoning back only where it is demanded.",
    report="",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "messages[1]: property 'reasoning_content' is unsupported")],
)
def reasoning_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "reasoning")

"""A stream with status 200 begins with an error.

The request failed, but the status says it did not: retries and alarms that look at the status do nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, HTTP_STANDARD, TOOLS, events, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["answer"],
    sources=[HTTP_STANDARD, issue("openclaw/clawrouter#101")],
    seen=[issue("vllm-project/vllm#21052", "vllm"), issue("majiayu000/litellm-rs#170")],
    expected="a 4xx or 5xx status",
    guard="Look at the first event before trusting the status.",
    report="A failed streaming request is answered with HTTP 200 and an error event.",
    good=[GOOD_STREAM],
    bad=[Example(events({"error": {"message": "tools[0] is not a schema", "code": 400}}), TOOLS)],
)
def error_first_event(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.ERROR)
    if mark is not None and not t.choices and ("first-event" in mark.spellings or "event" in mark.spellings):
        yield Hit("the stream begins with an error under status 200", str(mark.sample), mark)

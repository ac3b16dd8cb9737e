"""The body ends before the answer does.

There is neither a finish reason for every choice nor `[DONE]`, or the connection broke. The calls may be incomplete,
even where their arguments happen to parse: ask again rather than run them.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    TOOLS,
    api,
    calls,
    entry,
    issue,
    reference,
    stream,
)
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="gateway",
    needs=["whole"],
    sources=[reference("001", "rules that prevent bugs"), api()],
    seen=[issue("NousResearch/hermes-agent#100160"), issue("CommandCodeAI/command-code#785")],
    expected="a finish reason for every choice, or `[DONE]`",
    guard="Run no call of an answer that has neither finish reason nor `[DONE]`; ask again.",
    guard_python='if not finish_reason and not done:\n    raise ConnectionError("the answer is incomplete; ask again")',
    guard_typescript='if (!finishReason && !done) throw new Error("the answer is incomplete; ask again");',
    report="The stream breaks off without a finish reason and without `[DONE]`.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish=None, done=False),
        Example(GOOD_STREAM.body[:-60], TOOLS),
    ],
)
def connection_cut(t: Transcript) -> Iterator[Hit]:
    status = t.exchange.status
    ours = t.exchange.ended.kind in ("limit", "client-closed")  # we hung up: that says nothing about the server
    if t.cut and not ours and t.kind != "other" and (status is None or 200 <= status < 300):
        how = t.exchange.ended
        why = f"the connection ended by {how.kind}" if how.cut else "the body ends before the answer does"
        last = t.events - 1 if t.events else None
        yield Hit(why, how.detail or t.body[-60:].decode("utf-8", "replace"), event=last)

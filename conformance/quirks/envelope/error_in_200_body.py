"""A body with status 200 holds an error.

Clients take it for an answer, find no choices, and fail somewhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, HTTP_STANDARD, TOOLS, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["complete"],
    needs=["answer"],
    layer="gateway",
    sources=[HTTP_STANDARD, issue("open-jarvis/OpenJarvis#970")],
    seen=[issue("openai/openai-agents-python#2850"), issue("XpressAI/xaibo#36")],
    expected="a 4xx or 5xx status",
    guard="Look for `error` in the body before reading choices.",
    report="A failed request is answered with HTTP 200 and an error object.",
    good=[GOOD_COMPLETE],
    bad=[Example('{"error":{"code":502,"message":"upstream overloaded"}}', {**TOOLS, "stream": False})],
)
def error_in_200_body(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.ERROR)
    if mark is not None:
        status = "under status 200" if t.exchange.status else "where an answer belongs"
        yield Hit(f"the body holds an error {status}", str(mark.sample), mark)

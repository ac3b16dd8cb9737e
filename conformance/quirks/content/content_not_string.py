"""`content` of the answer is neither a string nor null.

An array of parts, or an object: clients print it as it is, or reject the chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT_COMPLETE, api, complete, spelled
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices"],
    sources=[api("chat")],
    expected="a string or null",
    guard="Join the text parts of an array.",
    guard_python='parts = content if isinstance(content, list) else [content or ""]\n'
    'text = "".join(p if isinstance(p, str) else p.get("text") or "" for p in parts)',
    report="`content` of an answer is an array or an object.",
    good=[GOOD_TEXT_COMPLETE],
    bad=[complete(finish="stop", content=[{"type": "text", "text": "It is mild."}])],
)
def content_not_string(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.CONTENT_NOT_STRING)
        if mark is not None:
            yield Hit(f"content is of type {spelled(mark)}", str(mark.sample), mark, choice=choice)

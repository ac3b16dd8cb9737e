"""The body of a successful response is neither JSON nor an event stream.

An HTML page of a proxy, a plain text, or damaged JSON: there is no answer in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, api
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="gateway",
    sources=[api("chat")],
    expected="a JSON document or an event stream",
    guard="Treat it as a failed request.",
    report="A response with status 200 is neither JSON nor an event stream.",
    good=[GOOD_COMPLETE],
    bad=[
        Example("<html><body>Bad gateway</body></html>", {"stream": False}, {"content-type": "text/html"}),
        Example('{"id":"chatcmpl-1","choices":[}]', {"stream": False}),
    ],
)
def body_not_json(t: Transcript) -> Iterator[Hit]:
    status = t.exchange.status
    if status is not None and not 200 <= status < 300:
        return
    broken = t.kind == "json" and Fact.NOT_JSON in t.facts and not t.cut
    if broken or t.kind == "other":
        yield Hit("the body is no answer", t.body[:100].decode("utf-8", "replace"))

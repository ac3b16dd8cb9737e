"""No stream was asked for, an event stream came.

A client that parses the body as JSON fails on the first line.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["choices", "asked-complete"],
    sources=[api("chat"), issue("unslothai/unsloth#6618")],
    expected="one JSON document",
    guard="Look at the first bytes: a body that begins with `data:` is a stream.",
    report="With `stream: false` the server answers with an event stream.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body, {**TOOLS, "stream": False})],
)
def sse_on_complete_request(t: Transcript) -> Iterator[Hit]:
    yield Hit("no stream was asked for, the answer is an event stream", t.body[:60].decode("utf-8", "replace"), event=0)

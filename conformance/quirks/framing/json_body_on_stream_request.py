"""A stream was asked for, a complete JSON answer came.

A streaming client finds no event and ends with nothing, without any error.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, TOOLS, api, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["complete"],
    needs=["choices", "asked-stream"],
    sources=[api(), issue("sgl-project/sglang#2810")],
    seen=[issue("diegosouzapw/OmniRoute#3254"), issue("lidge-jun/opencodex#3770")],
    expected="an event stream",
    guard="Look at the first byte: a body that begins with `{` is a complete answer.",
    report="With `stream: true` the server answers with a plain JSON completion.",
    good=[GOOD_COMPLETE],
    bad=[Example(GOOD_COMPLETE.body, {**TOOLS, "stream": True})],
)
def json_body_on_stream_request(t: Transcript) -> Iterator[Hit]:
    yield Hit("a stream was asked for, the answer is a JSON body", t.body[:60].decode("utf-8", "replace"))

"""Usage comes in one mode only.

Asked for with `stream_options.include_usage`, a stream carries it as the complete answer does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from conformance.quirks.common import GOOD_COMPLETE, PARIS, api, beside, calls, chunk, entry, events, stream
from conformance.quirks.parity._common import SAME_REQUEST
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript

_USAGE: Final = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
_ASKED: Final = stream(
    calls(entry(0, "call_a1", "get_weather", PARIS)), request={"stream_options": {"include_usage": True}}
)
_WHOLE: Final = replace(GOOD_COMPLETE, body=GOOD_COMPLETE.body[:-1] + ', "usage": {"total_tokens": 14}}')


def _with_usage() -> Example:
    end = events({**chunk(), "choices": [], "usage": _USAGE}, "[DONE]")
    return replace(_ASKED, body=_ASKED.body.removesuffix(events("[DONE]")) + end)


@quirk(
    level="should",
    modes=["stream"],
    needs=["twin-usage", "whole"],
    sources=[api("chat"), SAME_REQUEST],
    expected="a usage object in both modes",
    guard="Count tokens on the client's side where no usage comes.",
    report="The same request brings `usage` in one mode, and none in the other.",
    good=[beside(_with_usage(), _WHOLE)],
    bad=[beside(_ASKED, _WHOLE), beside(_with_usage(), GOOD_COMPLETE)],
    also=["usage-missing"],
)
def parity_usage(t: Transcript) -> Iterator[Hit]:
    if t.twin is None or t.twin.usage == (t.usage is not None):
        return
    if t.twin.usage:
        yield Hit(
            "usage comes with `stream: false`, and not in the stream that asks for it", "no usage", event=t.events - 1
        )
    else:
        yield Hit("usage comes in the stream, and not with `stream: false`", "no usage with `stream: false`")

"""The turn holds neither content nor a call nor a refusal.

Nothing can be shown and nothing run; an agent loop ends without an answer, or asks for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT, GOOD_TEXT_COMPLETE, api, complete, issue, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["choices", "finished"],
    sources=[api("chat"), issue("vllm-project/vllm#55759", "vllm")],
    expected="text, a call or a refusal",
    guard="Treat it as a failed turn, and ask again once.",
    report="An answer that ended with `stop` is empty.",
    good=[GOOD_TEXT, GOOD_TEXT_COMPLETE],
    bad=[stream({"content": ""}, finish="stop"), complete(finish="stop", content="")],
)
def empty_turn(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        said = choice.calls or choice.content.strip() or choice.refusal or choice.extra
        if not said and choice.finish_reason == "stop":
            what = "only reasoning" if choice.reasoning else "nothing"
            yield Hit(f"the turn holds {what}", what, choice=choice, event=t.events - 1 if t.mode == "stream" else None)

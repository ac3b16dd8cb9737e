"""One chunk holds two entries for the same call.

Legal to concatenate, but clients that take the list of the first chunk as it is keep two entries and append later
pieces to one of them only. openai-python did so until 3.14.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, calls, counted, entry, issue, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["calls"],
    sources=[reference("003", "repeated indexes"), issue("openai/openai-python#3201")],
    seen=[issue("openai/openai-python#3241"), issue("openai/openai-python#3496")],
    expected="one entry per call in a chunk",
    guard="Merge every entry into the call of its index, also within one chunk; use openai-python 3.14.0 or later.",
    report="A chunk repeats one tool-call `index` in two entries; some clients keep them apart.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", '{"city":'), entry(0, arguments='"Paris"}')))],
)
def index_repeated_in_chunk(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.INDEX_TWICE_IN_CHUNK):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'further entry comes', 'further entries come')} for index {mark.sample} in a chunk that has one already",
            f"index {mark.sample} twice in one chunk",
            mark,
            call,
        )

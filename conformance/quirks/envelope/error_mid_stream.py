"""An error comes in the middle of a stream.

The status was 200 long ago, so that only the event tells. Calls that came before it are incomplete: ask again.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, calls, chunk, entry, events, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["answer"],
    sources=[reference("001", "rules that prevent bugs")],
    expected="an answer that runs to its end",
    guard="Look for `error` in every chunk, and for events named `error` or `stream_error`; then run nothing.",
    guard_python='if chunk.get("error") or event in ("error", "stream_error"):\n    raise RuntimeError(chunk)',
    guard_typescript='if (chunk.error || ["error", "stream_error"].includes(event)) '
    "throw new Error(JSON.stringify(chunk));",
    report="The stream breaks off with an error object after it had begun to answer.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", ""), role="assistant", content=None)),
                {"error": {"message": "upstream closed", "code": 502}},
            ),
            TOOLS,
        ),
        Example(
            events(chunk({"role": "assistant", "content": "It "}))
            + 'event: stream_error\ndata: {"message":"upstream closed"}\n\n',
            TOOLS,
        ),
    ],
)
def error_mid_stream(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.ERROR)
    if mark is not None and ("mid-stream" in mark.spellings or ("event" in mark.spellings and t.choices)):
        yield Hit("an error ends the stream after it had begun", str(mark.sample), mark)

"""Another number of choices came than was asked for.

A client that compares answers compares fewer than it thinks.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, counted, stream
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices", "asked-several", "finished"],
    sources=[
        Source(
            "OpenAI API reference, n",
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-n",
            "2026-11-30",
        )
    ],
    expected="`n` choices",
    guard="Count the choices.",
    report="With `n` above 1 another number of choices comes.",
    good=[GOOD_STREAM],
    bad=[stream({"content": "It is mild."}, finish="stop", request={"n": 2})],
)
def n_ignored(t: Transcript) -> Iterator[Hit]:
    n = t.asked.n or 1
    if len(t.choices) != n:
        yield Hit(
            f"{counted(n, 'choice was', 'choices were')} asked for, {len(t.choices)} came",
            counted(len(t.choices), "choice"),
        )

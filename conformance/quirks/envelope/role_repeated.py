"""Every delta carries the role.

Legal and widely done. A client that starts a message at each role starts too many; one that appends ends with
`assistantassistant`.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, reference, spelled, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["choices"],
    sources=[reference("000", "§1")],
    expected="the role in the first delta only",
    guard="Set the role, do not append it.",
    report="",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", "")),
            calls(entry(0, arguments=PARIS), role="assistant"),
        )
    ],
)
def role_repeated(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.ROLE_REPEATED)
        if mark is not None:
            yield Hit(
                f"{counted(mark.count, 'further delta carries', 'further deltas carry')} the role",
                f"role {spelled(mark)}",
                mark,
                choice=choice,
            )

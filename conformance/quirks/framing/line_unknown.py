"""A line is no field of an event stream.

The standard ignores it; what it held is lost. Often a JSON line without `data:`, or an HTML error page.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, SSE_STANDARD, TOOLS, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["framing"],
    sources=[SSE_STANDARD],
    expected="lines with the fields data, event, id or retry",
    guard="Count unknown lines, and distrust the answer if one looks like JSON.",
    report="The stream holds lines that are no SSE field, so that clients ignore them.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body + '{"note":"no field"}\n\n', TOOLS)],
)
def line_unknown(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.LINE_UNKNOWN)
    if mark is not None and not (t.cut and mark.last_event == t.events):
        yield Hit(
            f"{counted(mark.count, 'line is no field', 'lines are no fields')} of an event stream",
            str(mark.sample),
            mark,
        )

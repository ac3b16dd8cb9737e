"""A document is nested deeper than is read here.

JSON sets no limit, and decoders do, this one at 500 levels: whether the document is right stays open, and what
it could have changed is not judged. That breaks no rule, and still many clients lose the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, JSON_STANDARD, TOOLS, counted, events
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.limits import MAX_NESTING
from conformance.wire.transcript import Transcript

_DEEP = '{"choices":[],"x":' + "[" * MAX_NESTING + "]" * MAX_NESTING + "}"


@quirk(
    level="should",
    needs=["answer"],
    assembled=True,
    sources=[JSON_STANDARD],
    expected=f"at most {MAX_NESTING} levels of nesting",
    guard="Treat what your decoder refuses as a failed request; do not go on without it.",
    report="A document of the answer is nested so deeply that decoders refuse it.",
    good=[GOOD_STREAM],
    bad=[Example(events(_DEEP) + GOOD_STREAM.body, TOOLS), Example(_DEEP, {"stream": False})],
)
def json_beyond_limits(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.TOO_DEEP)
    if mark is not None:
        yield Hit(
            f"{counted(mark.count, 'document was', 'documents were')} not read: more than {MAX_NESTING} levels of nesting",
            f"more than {MAX_NESTING} levels",
            mark,
        )

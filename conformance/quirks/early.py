"""Which quirks can be told while an answer is still coming."""

from __future__ import annotations

from functools import cache
from typing import Final

from conformance.quirks.registry import Quirk, catalogue

_AREAS: Final = frozenset(("envelope", "framing", "history", "id", "index", "name", "type"))
_NEED_THE_END: Final = frozenset(
    (
        # something that is not there yet may still come
        "answer-without-choices",
        "choices-missing",
        "done-missing",
        "function-missing",
        "id-missing",
        "index-gap",
        "index-not-from-zero",
        "name-missing",
        "role-missing",
        "type-missing",
        "usage-missing",
        # what is there may go on
        "body-not-json",
        "connection-cut",
        "data-empty",
        "done-unterminated",
        "last-event-unterminated",
        "name-not-offered",
    )
)


@cache
def early() -> tuple[Quirk, ...]:
    """The quirks that no later byte can take back once they show; what a call comes to is decided at its end."""
    return tuple(q for q in catalogue() if q.area in _AREAS and q.slug not in _NEED_THE_END)

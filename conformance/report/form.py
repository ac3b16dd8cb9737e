"""In which form a quirk was seen: what, beside the quirk itself, decides whether a client loses calls over it. Pure.

Planted answers are given their form by the same rules, so that what a client made of one of them is said of a provider
only where the provider's answers have that form (`conformance.impact.join`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from conformance.model import Level, Mode
from conformance.report.cell import Evidence

Calls = Literal["none", "one", "several"]
_REASONS: Final = frozenset(("stop", "tool_calls", "length", "content_filter", "function_call"))
_WHOLE: Final = "arguments-in-one-piece"
_CALL: Final = re.compile(r"call \d+ \(.*?\): |\d+")
_SINGLE: Final = re.compile(r"\b(?:has|is)\b|(?<=\w\w\w)(?:ies|(?<!s)s)\b")
_ALIKE: Final = {"has": "have", "is": "are", "ies": "y", "s": ""}


@dataclass(frozen=True, slots=True)
class Form:
    """A form of answer.

    Attributes:
        mode: in which it was asked for.
        calls: how many calls came.
        whole: whether each call's argument text came in one piece of a stream.
        end: the finish reason; `other` for an unusual one, `none` without one, `unfinished` for an answer that failed
            or was cut.
        level: of the finding: an occurrence may be milder than the quirk.
        says: the finding's message, without which call and how many.
    """

    mode: Mode
    calls: Calls
    whole: bool
    end: str
    level: Level
    says: str

    @classmethod
    def of(
        cls,
        mode: Mode,
        calls: int,
        quirks: Collection[str],
        *,
        complete: bool,
        finish: str | None,
        level: Level,
        message: str,
    ) -> Form:
        """The form of an answer.

        Args:
            mode: in which it was asked for.
            calls: how many calls came, over all choices.
            quirks: all that were found in it.
            complete: whether it is whole, with no error.
            finish: the finish reason of the first choice, if there is one.
            level, message: of the finding in question.
        """
        end = finish if finish in _REASONS else "other" if finish else "none"
        number: Calls = "none" if calls == 0 else "one" if calls == 1 else "several"
        return cls(mode, number, _WHOLE in quirks, end if complete else "unfinished", level, says(message))

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Form:
        """Out of the document that `listed` wrote."""
        return cls(said["mode"], said["calls"], said["whole"], said["end"], said["level"], said["says"])


def says(message: str) -> str:
    """What a finding says, without which call and how many: of two continuations the same as of one."""
    bare = " ".join(_CALL.sub("", message).split())
    return _SINGLE.sub(lambda found: _ALIKE[found[0]], bare)


def listed(evidence: Iterable[Evidence]) -> list[dict[str, Any]]:
    """The forms in which a quirk was found, the most frequent first, each with how many exchanges have it."""
    counted = Counter(_form(one) for one in {_place(one): one for one in evidence}.values())
    return [{**asdict(form), "exchanges": count} for form, count in counted.most_common()]


def _form(one: Evidence) -> Form:
    row = one.exchange
    return Form.of(
        row["mode"],
        len(row["calls"]),
        {finding["quirk"] for finding in row["findings"]},
        complete=bool(row["complete"]),
        finish=row["finish_reason"],
        level=one.finding["level"],
        message=one.finding["message"],
    )


def _place(one: Evidence) -> tuple[int, Level, str]:
    """Several findings of an exchange that say the same are one form."""
    return id(one.exchange), one.finding["level"], says(one.finding["message"])

"""What became of a case: an adapter's line held against what a client should end with. Pure; nothing here reads bytes.

The rules, in this order:

1. A call counts as runnable if it has a name and its arguments are an object, or text that parses to one (strictly: no
   NaN). Text that does not parse cannot be run by accident: whoever parses it finds out.
2. The duty `refuse` (the answer is cut, failed or broken): any runnable call is `truncated-run`. Otherwise it is right
   if something was said: an exception, an invalid call, a finish reason that is no regular end, or arguments that are
   no object. Silence is `dropped`.
3. The duty `either`: right are the calls meant, and any word that something is wrong, unless a runnable call differs.
4. The duty `run`: right are exactly the calls meant, in any order (results are linked by id, not by place). Loud losses
   are `raised` and `invalid`; whatever else differs is wrong silently, also text that does not parse: good arguments
   came, and the client has handed over something else as if it were right.
5. An id that never came is right as null, `""` or made up; the last is noted. An id that came has to be the one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from conformance.faults.expected import Expected, Meant
from conformance.impact.values import compact, parsed, same
from conformance.text import plural, visible

Outcome = Literal[
    "right",
    "not-applicable",
    "invalid",
    "raised",
    "hung",
    "wrong-id",
    "phantom",
    "dropped",
    "merged",
    "wrong-name",
    "wrong-arguments",
    "truncated-run",
]
OUTCOMES: Final[Mapping[Outcome, str]] = {
    "right": "ended as it should",
    "not-applicable": "cannot be asked",
    "invalid": "reported good calls as invalid",
    "raised": "raised, or its process ended, and good calls are lost",
    "hung": "did not come to an end in time",
    "wrong-id": "handed over a call under another id, without a word",
    "phantom": "handed over a call that nobody made, without a word",
    "dropped": "lost a call, or that the answer failed, without a word",
    "merged": "made one call of two, without a word",
    "wrong-name": "handed over a call under another name, without a word",
    "wrong-arguments": "handed over other arguments, without a word",
    "truncated-run": "handed over to be run what is cut, failed or broken",
}
"""What can become of a case, from harmless to harmful; the worst of several is the last in this order."""
SILENT: Final[frozenset[Outcome]] = frozenset(list(OUTCOMES)[5:])
"""Wrong without a word to the user."""

_REGULAR_ENDS: Final = frozenset(
    ("", "stop", "endturn", "toolcalls", "toolcall", "tooluse", "functioncalls", "functioncall")
)
"""Finish reasons that say that all is well, without what libraries write differently: case, hyphens, underscores."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What an adapter said of a case, or what became of its process.

    Attributes:
        line: the adapter's line, valid by the protocol; empty where none came.
        died: what its process ended with, `""` if it did not.
        hung: no line came in time.
        asked: for each request the server got: the mode asked for, `elsewhere` if it went to another path.
    """

    line: Mapping[str, Any] = field(default_factory=dict)
    died: str = ""
    hung: bool = False
    asked: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case.

    Attributes:
        outcome: one word.
        detail: one sentence, `""` where nothing is to be added.
        notes: `id-made-up`, `other-order`; `asked-again`, `asked-other-mode`, `asked-elsewhere` (another path).
    """

    outcome: Outcome
    detail: str = ""
    notes: tuple[str, ...] = ()


def worst(outcomes: Sequence[Outcome]) -> Outcome:
    """The most harmful of several; `not-applicable` only if nothing else is there."""
    return max(outcomes, key=harm, default="not-applicable")


def harm(outcome: Outcome) -> int:
    """How harmful an outcome is; what could not be asked comes last."""
    return -1 if outcome == "not-applicable" else list(OUTCOMES).index(outcome)


def judge(expected: Expected, mode: str, seen: Seen) -> Verdict:
    """Say what became of a case.

    Args:
        expected: what a client should end with.
        mode: in which it was to ask.
        seen: what came of it.
    """
    notes = _asked(mode, seen)
    if seen.hung:
        return Verdict("hung", "no answer in time", notes)
    if seen.died:
        return _after_error(expected, (), f"the process ended: {seen.died}", notes)
    line = seen.line
    error = line["error"]
    raised = visible(f"{error['type']}: {error['message']}", 300) if error else ""
    if not seen.asked:
        return Verdict("not-applicable", raised or "it sent no request", notes)
    handed = tuple(Handed.of(call) for call in line["calls"])
    if error:
        return _after_error(expected, handed, raised, notes)
    told = _told(line, handed)
    if expected.duty == "refuse":
        return _refusing(handed, told, notes)
    match = Match.of(expected.calls, handed)
    notes += match.notes
    if expected.duty == "either":
        return _either(match, told, notes)
    return _run(match, line, notes)


@dataclass(frozen=True, slots=True)
class Handed:
    """A call that was handed over; `value` is what its arguments say, None if they do not parse."""

    id: str
    name: str
    arguments: Any
    value: Any

    @classmethod
    def of(cls, call: Mapping[str, Any]) -> Handed:
        """From the adapter's line; null and absent names are `""`."""
        given = call["arguments"]
        value = parsed(given) if isinstance(given, str) else given
        return cls(_word(call["id"]), _word(call["name"]), given, value)

    @property
    def runnable(self) -> bool:
        """Whether a user can run it without noticing anything."""
        return bool(self.name) and isinstance(self.value, dict)

    def is_(self, meant: Meant) -> bool:
        """Whether it is this call."""
        return self.has_id(meant) and self.name == meant.name and same(self.value, meant.arguments)

    def has_id(self, meant: Meant) -> bool:
        """Whether its id is that of this call; one that never came may be anything."""
        return meant.id in ("", self.id)

    def __str__(self) -> str:
        shown = self.arguments if isinstance(self.arguments, str) else compact(self.arguments)
        return visible(f"{self.name or '(no name)'}({shown})", 120)


@dataclass(frozen=True, slots=True)
class Match:
    """Calls meant and calls handed over, paired as far as they are the same.

    Attributes:
        missing: calls meant that nobody handed over.
        extra: calls handed over that nobody meant.
        notes: what is worth a word about the pairs.
    """

    missing: tuple[Meant, ...]
    extra: tuple[Handed, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, meant: Sequence[Meant], handed: Sequence[Handed]) -> Match:
        """Pair them; order does not matter, but is noted."""
        left = list(handed)
        missing: list[Meant] = []
        places: list[int] = []
        made_up = False
        for call in meant:
            found = next((one for one in left if one.is_(call)), None)
            if found is None:
                missing.append(call)
                continue
            left = [one for one in left if one is not found]
            places.append(next(place for place, one in enumerate(handed) if one is found))
            made_up = made_up or (not call.id and bool(found.id))
        notes = ("id-made-up",) * made_up + ("other-order",) * (places != sorted(places))
        return cls(tuple(missing), tuple(left), notes)


def _asked(mode: str, seen: Seen) -> tuple[str, ...]:
    modes = [one for one in seen.asked if one != "elsewhere"]
    again = ("asked-again",) * (len(modes) > 1)
    other = ("asked-other-mode",) * any(one != mode for one in modes)
    return (*again, *other, *("asked-elsewhere",) * ("elsewhere" in seen.asked))


def _told(line: Mapping[str, Any], handed: Sequence[Handed]) -> str:
    """How the user learns that something is wrong; `""` if not at all."""
    if line["invalid"]:
        return f"reported as invalid: {visible(str(line['invalid'][0].get('why') or 'no reason given'), 200)}"
    reason = _word(line["finish_reason"])
    if "".join(filter(str.isalnum, reason.lower())) not in _REGULAR_ENDS:
        return f"finish reason {visible(reason, 40)}"
    broken = next((one for one in handed if not isinstance(one.value, dict)), None)
    return f"handed over arguments that are no object: {broken}" if broken is not None else ""


def _after_error(expected: Expected, handed: Sequence[Handed], why: str, notes: tuple[str, ...]) -> Verdict:
    """It raised; what it had handed over to be run before counts first."""
    if expected.duty == "refuse":
        ran = next((one for one in handed if one.runnable), None)
        return Verdict("truncated-run", f"{ran} was handed over before {why}", notes) if ran else _loud(why, notes)
    match = Match.of(expected.calls, handed)
    wrong = tuple(one for one in match.extra if one.runnable)
    if wrong:
        return _different(Match(match.missing, wrong, ()), notes, raised=True)
    return _loud(why, notes) if expected.duty == "either" else Verdict("raised", why, notes)


def _loud(why: str, notes: tuple[str, ...]) -> Verdict:
    """To complain was right."""
    return Verdict("right", f"raised: {why}", notes)


def _refusing(handed: Sequence[Handed], told: str, notes: tuple[str, ...]) -> Verdict:
    ran = next((one for one in handed if one.runnable), None)
    if ran is not None:
        beside = f", beside: {told}" if told else ""
        return Verdict("truncated-run", f"handed over {ran}{beside}", notes)
    return Verdict("right", told, notes) if told else Verdict("dropped", "it ended as if all were well", notes)


def _either(match: Match, told: str, notes: tuple[str, ...]) -> Verdict:
    wrong = tuple(one for one in match.extra if one.runnable)
    if wrong:
        return _different(Match(match.missing, wrong, ()), notes)
    if not match.missing and not match.extra:
        return Verdict("right", "", notes)
    return Verdict("right", told, notes) if told else _different(match, notes)


def _run(match: Match, line: Mapping[str, Any], notes: tuple[str, ...]) -> Verdict:
    if not match.missing and not match.extra and not line["invalid"]:
        return Verdict("right", "", notes)
    if line["invalid"] and not match.extra:
        return Verdict("invalid", _told(line, ()), notes)
    return _different(match, notes)


def _different(match: Match, notes: tuple[str, ...], *, raised: bool = False) -> Verdict:
    """Name how the calls handed over differ from those meant; what an exception kept back is not lost silently."""
    handed = "; ".join(map(str, match.extra))
    merged = next((one for one in match.extra if sum(_traces(one, call) for call in match.missing) > 1), None)
    if merged is not None:
        return Verdict("merged", f"handed over {merged}", notes)
    missing = match.missing[: len(match.extra)] if raised else match.missing
    if len(match.extra) > len(missing):
        more = plural(len(match.extra) - len(missing), "call")
        return Verdict("phantom", f"{more} too many: {handed}", notes)
    if len(match.extra) < len(missing):
        return Verdict("dropped", f"{plural(len(missing) - len(match.extra), 'call')} lost", notes)
    found: list[Outcome] = ["wrong-id"]
    for meant, one in zip(missing, match.extra, strict=True):
        if not same(one.value, meant.arguments):
            found.append("wrong-arguments")
        if one.name != meant.name:
            found.append("wrong-name")
    return Verdict(worst(found), f"handed over {handed}", notes)


def _traces(handed: Handed, meant: Meant) -> bool:
    """Whether something of a call is left in the one handed over: its id, or a value of its arguments."""
    if meant.id and handed.id == meant.id:
        return True
    text = handed.arguments if isinstance(handed.arguments, str) else compact(handed.arguments)
    values = meant.arguments.values() if isinstance(meant.arguments, dict) else ()
    return any(isinstance(value, str) and value in text for value in values)


def _word(value: Any) -> str:
    """An id, name or finish reason as text; null, false and absent are `""`."""
    return "" if value is None or value is False else value if isinstance(value, str) else compact(value)

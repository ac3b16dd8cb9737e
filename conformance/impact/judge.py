"""What became of a case: an adapter's line held against what a client should end with. Pure; nothing here reads bytes.

The rules, in this order:

1. A call counts as runnable if it has a name and its arguments are an object, or text that parses to one (strictly: no
   NaN). Text that does not parse to an object cannot be run by accident: whoever parses it finds out. So it says that
   something is wrong as an exception does, whatever the duty.
2. The duty `refuse` (the answer is cut, failed or broken): a runnable call is `truncated-run`; but `flagged` if it is
   the user who runs calls, and he is given the finish reason that says what is wrong. Without a runnable call it is
   right if something was said: an exception, an invalid call, a finish reason that is no regular end, or arguments that
   are no object. Silence is `dropped`.
3. The duty `either`: right are the calls meant, and any word that something is wrong, unless a runnable call differs.
4. The duty `run`: right are exactly the calls meant, in any order (results are linked by id, not by place); that more
   is reported as invalid beside them is noted. Loud losses are `raised` and `invalid`; the latter also where arguments
   were handed over that are no object. A runnable call that differs, and a call that is missing without a word, are
   wrong silently.
5. An id that never came is right as null, `""` or made up; the last is noted. An id that came has to be the one.
6. Where a client hands over no ids or no names at all, they are not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from conformance.faults.expected import Expected, Meant
from conformance.impact.handed import USUAL, Handed, Hands, Match, best, word
from conformance.impact.values import compact, same
from conformance.text import plural, visible

Outcome = Literal[
    "right",
    "not-applicable",
    "invalid",
    "raised",
    "hung",
    "flagged",
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
    "invalid": "reported good calls as invalid, or made of them what cannot be taken for a call",
    "raised": "raised, or its process ended, and a good answer is lost",
    "hung": "did not come to an end in time",
    "flagged": "handed over what is cut or failed, beside a finish reason that says so",
    "wrong-id": "handed over a call under another id, without a word",
    "phantom": "handed over a call that nobody made, without a word",
    "dropped": "lost a call, or that the answer failed, without a word",
    "merged": "made one call of two, without a word",
    "wrong-name": "handed over a call under another name, without a word",
    "wrong-arguments": "handed over other arguments, without a word",
    "truncated-run": "handed over to be run what is cut, failed or broken, without a word",
}
"""What can become of a case, from harmless to harmful; the worst of several is the last in this order."""
SILENT: Final[frozenset[Outcome]] = frozenset(list(OUTCOMES)[list(OUTCOMES).index("wrong-id") :])
"""Wrong without a word to the user."""

_REGULAR_ENDS: Final = frozenset(
    ("", "stop", "endturn", "toolcalls", "toolcall", "tooluse", "functioncalls", "functioncall")
)
"""Finish reasons that say that all is well, without what libraries write differently: case, hyphens, underscores."""
_VAGUE_ENDS: Final = frozenset(("other", "unknown"))
"""Finish reasons that libraries put in the place of one that they do not know; what is wrong they do not say."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What an adapter said of a case, or what became of its process.

    Attributes:
        line: the adapter's line, valid by the protocol; empty where none came.
        died: what its process ended with, `""` if it did not.
        hung: no line came in time.
        asked: for each request the server got: the mode asked for; `elsewhere` if it went to another path, `further` if
            it went on from an answer.
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
        notes: `id-made-up`, `other-order`; `asked-again`, `asked-other-mode`, `asked-elsewhere` (another path),
            `further-turn` (it went on after the answer); `invalid-beside` (something more than all good calls is
            reported as invalid).
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


def judge(expected: Expected, mode: str, seen: Seen, hands: Hands = USUAL) -> Verdict:
    """Say what became of a case.

    Args:
        expected: what a client should end with.
        mode: in which it was to ask.
        seen: what came of it.
        hands: how the client hands calls over.
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
    handed = tuple(Handed.of(call, hands) for call in line["calls"])
    if error:
        return _after_error(expected, handed, raised, notes)
    told = _told(line, handed)
    if expected.duty == "refuse":
        return _refusing(handed, told, _flag(line) if hands.runs == "user" else "", notes)
    match = best(expected, handed)
    notes += match.notes
    if expected.duty == "either":
        return _either(match, told, notes)
    return _run(match, line, notes)


def _asked(mode: str, seen: Seen) -> tuple[str, ...]:
    modes = [one for one in seen.asked if one not in ("elsewhere", "further")]
    again = ("asked-again",) * (len(modes) > 1)
    other = ("asked-other-mode",) * any(one != mode for one in modes)
    elsewhere = ("asked-elsewhere",) * ("elsewhere" in seen.asked)
    return (*again, *other, *elsewhere, *("further-turn",) * ("further" in seen.asked))


def _told(line: Mapping[str, Any], handed: Sequence[Handed]) -> str:
    """How the user learns that something is wrong; `""` if not at all."""
    if line["invalid"]:
        return f"reported as invalid: {visible(str(line['invalid'][0].get('why') or 'no reason given'), 200)}"
    reason = word(line["finish_reason"])
    if _plain(reason) not in _REGULAR_ENDS:
        return f"finish reason {visible(reason, 40)}"
    broken = next((one for one in handed if one.broken), None)
    return f"handed over arguments that are no object: {broken}" if broken is not None else ""


def _flag(line: Mapping[str, Any]) -> str:
    """The finish reason that says what is wrong with the answer; `""` if none does."""
    reason = word(line["finish_reason"])
    return "" if _plain(reason) in _REGULAR_ENDS | _VAGUE_ENDS else reason


def _plain(reason: str) -> str:
    return "".join(filter(str.isalnum, reason.lower()))


def _after_error(expected: Expected, handed: Sequence[Handed], why: str, notes: tuple[str, ...]) -> Verdict:
    """It raised; what it had handed over to be run before counts first."""
    if expected.duty == "refuse":
        ran = next((one for one in handed if one.runnable), None)
        return Verdict("truncated-run", f"{ran} was handed over before {why}", notes) if ran else _loud(why, notes)
    match = best(expected, handed)
    wrong = tuple(one for one in match.extra if one.runnable)
    if wrong:
        return _different(Match(match.missing, wrong, ()), notes, told=True)
    return _loud(why, notes) if expected.duty == "either" else Verdict("raised", why, notes)


def _loud(why: str, notes: tuple[str, ...]) -> Verdict:
    """To complain was right."""
    return Verdict("right", f"raised: {why}", notes)


def _refusing(handed: Sequence[Handed], told: str, flag: str, notes: tuple[str, ...]) -> Verdict:
    ran = next((one for one in handed if one.runnable), None)
    if ran is not None and flag:
        return Verdict("flagged", f"handed over {ran}, beside: finish reason {visible(flag, 40)}", notes)
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
    if not match.missing and not match.extra:
        if not line["invalid"]:
            return Verdict("right", "", notes)
        if line["calls"]:
            return Verdict("right", _told(line, ()), (*notes, "invalid-beside"))
    loud = [one for one in match.extra if one.broken]
    silent = tuple(one for one in match.extra if not one.broken)
    if not loud and not line["invalid"]:
        return _different(match, notes)
    if silent:
        return _different(Match(match.missing, silent, ()), notes, told=True)
    return Verdict("invalid", _told({**line, "finish_reason": None}, loud), notes)


def _different(match: Match, notes: tuple[str, ...], *, told: bool = False) -> Verdict:
    """Name how the calls handed over differ from those meant.

    Args:
        match: how they do.
        notes: of the verdict.
        told: something was said: calls that were not handed over are not lost silently.
    """
    handed = "; ".join(map(str, match.extra))
    merged = next((one for one in match.extra if sum(_traces(one, call) for call in match.missing) > 1), None)
    if merged is not None:
        return Verdict("merged", f"handed over {merged}", notes)
    missing = match.missing[: len(match.extra)] if told else match.missing
    if len(match.extra) > len(missing):
        more = plural(len(match.extra) - len(missing), "call")
        return Verdict("phantom", f"{more} too many: {handed}", notes)
    if len(match.extra) < len(missing):
        return Verdict("dropped", f"{plural(len(missing) - len(match.extra), 'call')} lost", notes)
    found: list[Outcome] = ["wrong-id"]
    for meant, one in zip(missing, match.extra, strict=True):
        if not same(one.value, meant.arguments):
            found.append("wrong-arguments")
        if not one.has_name(meant):
            found.append("wrong-name")
    return Verdict(worst(found), f"handed over {handed}", notes)


def _traces(handed: Handed, meant: Meant) -> bool:
    """Whether something of a call is left in the one handed over: its id, or a value of its arguments."""
    if meant.id and handed.id == meant.id:
        return True
    text = handed.arguments if isinstance(handed.arguments, str) else compact(handed.arguments)
    values = meant.arguments.values() if isinstance(meant.arguments, dict) else ()
    return any(isinstance(value, str) and value in text for value in values)

"""Two answers to one request, compared as facts: what differs, whether two runs explain it, and where it arises.

Ids and chunk ids differ always and are not compared. Text is sampled: another text, or other values in arguments that
parse on both sides, may be the model's and are no fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.model import Where
from conformance.text import plural
from conformance.view.arguments import compare_arguments
from conformance.view.parts import quoted
from conformance.view.side import KINDS, Difference, Kind, Side, named
from conformance.view.values import changes
from conformance.wire.facts import Fact
from conformance.wire.transcript import Call, Choice, Transcript

_FLAGS: Final = ("stream", "stream_options")
"""Fields of a request in which two askings for the same may differ."""
_OF_CHOICES: Final = frozenset(("calls", "finish_reason", "text"))
"""Facts that nothing can be said about where the answers have no choice in common."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was compared.

    Attributes:
        differences: the gravest first.
        same: the facts in which the answers agree.
        caveat: why they may not be comparable at all, "" if nothing speaks against it.
    """

    differences: Sequence[Difference]
    same: Sequence[str]
    caveat: str

    @property
    def faults(self) -> Sequence[Difference]:
        """Those that two runs of one model do not explain."""
        return [d for d in self.differences if d.kind == "fault"]


def compare(a: Side, b: Side, strict: bool = False) -> Comparison:
    """Compare two answers.

    Args:
        a, b: the answers, called A and B.
        strict: whether `should` findings that only one of them has are faults as well.
    """
    found: list[Difference] = []
    same: list[str] = []
    comparable = any(True for _ in _both(a, b))
    for name, aspect in (
        ("ending", _ending(a, b)),
        ("choices", _choices(a, b)),
        ("calls", _calls(a, b)),
        ("finish_reason", _finish(a, b)),
        ("text", _text(a, b)),
        ("usage", _usage(a, b)),
        ("findings", _findings(a, b, strict)),
    ):
        differences = list(aspect)
        found += differences
        if not differences and (comparable or name not in _OF_CHOICES):
            same.append(name)
    found.sort(key=lambda d: KINDS.index(d.kind))
    return Comparison(found, same, _caveat(a.transcript, b.transcript))


def _caveat(a: Transcript, b: Transcript) -> str:
    if a.exchange.model and b.exchange.model and a.exchange.model != b.exchange.model:
        return f"the models differ ({quoted(a.exchange.model, 60)}, {quoted(b.exchange.model, 60)})"
    if a.asked.known and b.asked.known and not _same_request(a, b):
        places = ", ".join(c.pointer or "/" for c in changes(*_requests(a, b))[:3])
        return f"the requests differ ({quoted(places, 120)})"
    return ""


def _requests(a: Transcript, b: Transcript) -> tuple[dict[str, object], dict[str, object]]:
    first, second = ({k: v for k, v in t.asked.body.items() if k not in _FLAGS} for t in (a, b))
    return first, second


def _same_request(a: Transcript, b: Transcript) -> bool:
    first, second = _requests(a, b)
    return a.asked.known and b.asked.known and first == second


def _sides(a: Side, b: Side) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
    return (a, b), (b, a)


def _ending(a: Side, b: Side) -> Iterator[Difference]:
    for side, other in _sides(a, b):
        t = side.transcript
        if t.complete or not other.transcript.complete:
            continue
        status = t.exchange.status
        if status is not None and status >= 400:
            yield Difference("fault", "ending", f"{side.name} fails with HTTP {status}", {side.name: side.end})
        elif t.error is not None:
            message = t.error.get("message")
            said = f": {quoted(message)}" if isinstance(message, str) else ""
            mark = t.facts.get(Fact.ERROR)
            where = t.at(mark) if mark is not None else side.end
            yield Difference("fault", "ending", f"{side.name} ends with an error{said}", {side.name: where})
        else:
            last = f" after event {t.events - 1}" if t.events else ""
            how = "is cut off" if t.cut else "ends without a finish_reason"
            yield Difference("fault", "ending", f"{side.name} {how}{last}", {side.name: side.end})


def _choices(a: Side, b: Side) -> Iterator[Difference]:
    for side, other in _sides(a, b):
        theirs = {choice.index for choice in other.transcript.choices}
        for choice in side.transcript.choices:
            if choice.index not in theirs:
                message = f"choice {choice.index} is only in {side.name}"
                yield Difference("fault", f"choice {choice.index}", message)


def _both(a: Side, b: Side) -> Iterator[tuple[Choice, Choice]]:
    """The choices that both have."""
    theirs = {choice.index: choice for choice in b.transcript.choices}
    for choice in a.transcript.choices:
        if choice.index in theirs:
            yield choice, theirs[choice.index]


# --- calls ------------------------------------------------------------------------------------------------------------


def _calls(a: Side, b: Side) -> Iterator[Difference]:
    for mine, theirs in _both(a, b):
        pairs, only_a, only_b = paired(mine.calls, theirs.calls)
        for side, other, calls in ((a, b, only_a), (b, a, only_b)):
            for call in calls:
                yield _alone(side, other, call)
        if [y.index for _, y in pairs] != sorted(y.index for _, y in pairs):
            yield Difference(
                "answer", "calls", "the calls come in another order; the model may have answered differently"
            )
        for x, y in pairs:
            yield from _pair(a, x, b, y)


def _alone(side: Side, other: Side, call: Call) -> Difference:
    count = plural(len(other.transcript.calls), "call")
    reason = other.transcript.finish_reason
    ends = f" and ends with finish_reason {quoted(reason, 40)}" if reason else ""
    places = {**side.opened(call), other.name: other.end}
    return Difference("fault", named(call), f"only {side.name} has this call; {other.name} has {count}{ends}", places)


def paired(a: Sequence[Call], b: Sequence[Call]) -> tuple[list[tuple[Call, Call]], list[Call], list[Call]]:
    """Find for each call of A the one of B that it is: by name and order, what is left over by order alone.

    Returns:
        The pairs in the order of A, and the calls that only A, and only B, has.
    """
    found: dict[int, Call] = {}
    left = list(b)
    for at, call in enumerate(a):
        match = next((other for other in left if other.name == call.name), None)
        if match is not None:
            found[at] = match
            left.remove(match)
    for at in range(len(a)):
        if at not in found and left:
            found[at] = left.pop(0)
    return [(a[at], found[at]) for at in sorted(found)], [c for at, c in enumerate(a) if at not in found], left


def _pair(a: Side, x: Call, b: Side, y: Call) -> Iterator[Difference]:
    places = {**a.opened(x), **b.opened(y)}
    if x.name != y.name:
        message = f"A calls {quoted(x.name, 60)}, B calls {quoted(y.name, 60)}"
        yield Difference("fault", f"{named(x)} name", message, places)
    if bool(x.id) != bool(y.id):
        has, lacks = ("A", "B") if x.id else ("B", "A")
        lacking = b.opened(y) if x.id else a.opened(x)
        yield Difference("fault", f"{named(x)} id", f"{lacks} never sends an id, {has} does", lacking)
    if x.legacy != y.legacy:
        old, new = ("A", "B") if x.legacy else ("B", "A")
        message = f"{old} sends it as the legacy function_call, {new} as tool_calls"
        yield Difference("fault", f"{named(x)} form", message, places)
    for side, call, other, another in ((a, x, b, y), (b, y, a, x)):
        for key in call.extra:
            if key not in another.extra:
                message = (
                    f"only {side.name} has the field {quoted(key, 60)}, which has to be sent back; {other.name} lost it"
                )
                yield Difference("fault", f"{named(x)} extra", message, places)
    if x.name == y.name:
        yield from compare_arguments(a, x, b, y)


# --- the rest ---------------------------------------------------------------------------------------------------------


def _finish(a: Side, b: Side) -> Iterator[Difference]:
    for mine, theirs in _both(a, b):
        if mine.finish_reason == theirs.finish_reason:
            continue
        said = (f"{quoted(r, 40)}" if r else "none" for r in (mine.finish_reason, theirs.finish_reason))
        places = {side.name: _finish_place(side, choice) for side, choice in ((a, mine), (b, theirs))}
        yield Difference("fault", "finish_reason", "A has {}, B has {}".format(*said), places)


def _finish_place(side: Side, choice: Choice) -> Where:
    if not choice.finish_reasons:
        return side.end
    mark = choice.facts[Fact.FINISH]
    return side.transcript.at(mark)


def _text(a: Side, b: Side) -> Iterator[Difference]:
    for mine, theirs in _both(a, b):
        for name, x, y in (
            ("content", mine.content, theirs.content),
            ("reasoning", mine.reasoning, theirs.reasoning),
            ("refusal", mine.refusal, theirs.refusal),
        ):
            if x == y:
                continue
            lost = name == "content" and not (x and y) and not (mine.calls or theirs.calls)
            if lost:
                yield Difference("fault", name, f"{'B' if x else 'A'} has no text, {'A' if x else 'B'} has")
            else:
                yield Difference("answer", name, f"A has {_long(x)}, B has {_long(y)}; text is sampled")
        if mine.reasoning_field and theirs.reasoning_field and mine.reasoning_field != theirs.reasoning_field:
            fields = f"A sends it in {mine.reasoning_field}, B in {theirs.reasoning_field}"
            yield Difference("fault", "reasoning field", fields)


def _long(text: str) -> str:
    return f"{quoted(text, 40)} ({plural(len(text), 'character')})" if text else "none"


def _usage(a: Side, b: Side) -> Iterator[Difference]:
    mine, theirs = a.transcript.usage, b.transcript.usage
    for side, other in _sides(a, b):
        t = side.transcript
        if t.usage is None and other.transcript.usage is not None and t.complete:
            asked = t.mode == "complete" or t.asked.include_usage
            why = "" if asked else "; a stream brings it only if the request asks for it"
            yield Difference("fault" if asked else "note", "usage", f"{side.name} has none, {other.name} has{why}")
    if mine is None or theirs is None:
        return
    counts = [quoted(str(usage.get("prompt_tokens")), 20) for usage in (mine, theirs)]
    if counts[0] != counts[1]:
        # the same messages through the same template are as many tokens, streamed or not
        kind: Kind = "fault" if _same_request(a.transcript, b.transcript) else "note"
        yield Difference(kind, "usage", "A counts {} prompt_tokens, B {}".format(*counts))


def _findings(a: Side, b: Side, strict: bool) -> Iterator[Difference]:
    counted = {"must", "should"} if strict else {"must"}
    for side, other in _sides(a, b):
        theirs = {finding.quirk for finding in other.verdict.findings}
        seen: set[str] = set()
        for finding in side.verdict.findings:
            if finding.level in counted and finding.quirk not in theirs | seen:
                seen.add(finding.quirk)
                message = f"only {side.name} deviates: {finding.message}"
                yield Difference("fault", finding.quirk, message, {side.name: finding.where})

"""One line per provider and model: can it be used for tool calling, and what does a client need for it.

The rule, in this order:

1. *no recording*: nothing was ever recorded. *not run*: exchanges were planned and none was had.
2. *do not stream tools*: some `must` quirk loses a streamed answer, and no complete answer; and the complete answer to
   the same step of the same scenario is not lost to another quirk either. Not streaming has to help.
3. *needs guards*: quirks of level `must` or `should` were found, expected or not. They are named; the guard of each is
   part of the quirk's declaration. Whoever does not stream in case 2 still needs the guards of complete answers.
4. *undecided*: nothing was found, but that shows little: no call was streamed at all, exchanges are missing, or the run
   did not finish.
5. *safe*: nothing above `info` was found, every planned exchange was had, and calls were streamed.

A finding *loses* its answer when a careful reader with every guard in place still cannot act on it. The record's
`complete` and `usable` are exactly that reader's conclusions, after every recovery of DESIGN §4.4. So the finding is of
level `must`, is not blamed on the model, the answer did not end with `length` (a limit the request itself set), and

- the answer is incomplete, or
- the call it is about is not usable, or shares its id with another call of the answer, while no finding says that the
  model's own text spoils that call, or
- no call came, while the other mode brought calls for the same step of the same scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from conformance.model import Mode
from conformance.report.text import plural
from conformance.run.rows import ExchangeRow, FindingRow

Kind = Literal["safe", "needs-guards", "do-not-stream", "undecided", "not-run", "no-recording"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to tell somebody who wants to use a provider.

    Attributes:
        kind: which of the six.
        guards: quirks to guard against, `must` first; for `do-not-stream` those of complete answers.
        lost: for `do-not-stream`: quirks that lose answers in streams only.
        because: what the verdict suffers from: exchanges that are missing, a mode that was not measured.
    """

    kind: Kind
    guards: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    because: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The verdict line, without what it suffers from."""
        guards = f"needs guards: {', '.join(self.guards)}"
        match self.kind:
            case "needs-guards":
                return guards
            case "do-not-stream":
                rest = f"; without streaming {guards}" if self.guards else ""
                return f"do not stream tools: {', '.join(self.lost)}{rest}"
            case "no-recording":
                return "no recording"
            case "not-run":
                return "not run"
            case _:
                return self.kind


def conclude(rows: Sequence[ExchangeRow], ranks: Sequence[str], *, finished: bool, recorded: bool) -> Verdict:
    """The verdict on one model of one provider.

    Args:
        rows: all its exchanges.
        ranks: every slug, in the order in which quirks are to be named.
        finished: the run came to its end.
        recorded: there is something to replay, or requests were sent.
    """
    judged = [row for row in rows if row["not_run"] is None]
    missing = len(rows) - len(judged)
    if not judged:
        absent = all(row["not_run"] is not None and row["not_run"]["reason"] == "no-recording" for row in rows)
        return Verdict("no-recording" if absent and not recorded else "not-run")
    because = [f"{missing} of {plural(len(rows), 'exchange')} not run"] if missing else []
    if not finished:
        because.append("the run did not finish")
    lost = _lost_in_streams_only(judged)
    if lost:
        if not any(row["mode"] == "complete" for row in judged):
            because.append("complete answers were not measured")
        guards = _found([row for row in judged if row["mode"] == "complete"])
        return Verdict(
            "do-not-stream", _ranked(guards, ranks), _ranked(dict.fromkeys(lost, "must"), ranks), tuple(because)
        )
    if found := _found(judged):
        return Verdict("needs-guards", _ranked(found, ranks), (), tuple(because))
    if not any(row["mode"] == "stream" and row["calls"] for row in judged):
        because.append("no call was streamed")
    return Verdict("undecided" if because else "safe", (), (), tuple(because))


def lost_by(row: ExchangeRow, others: Collection[tuple[str, int]]) -> Iterator[str]:
    """Quirks that lose this answer, as the module's docstring says.

    Args:
        row: an exchange that was judged.
        others: scenario and step of the other mode's exchanges that brought calls.
    """
    if row["finish_reason"] == "length":
        return
    spoilt = {(f["choice"], f["call"]) for f in row["findings"] if f["layer"] == "model"}
    for finding in row["findings"]:
        if finding["level"] != "must" or finding["layer"] == "model":
            continue
        if not row["complete"]:
            yield finding["quirk"]
        elif not row["calls"]:
            if (row["scenario"], row["step"]) in others:
                yield finding["quirk"]
        elif (
            finding["call"] is not None
            and (finding["choice"], finding["call"]) not in spoilt
            and _useless(row, finding)
        ):
            yield finding["quirk"]


def _lost_in_streams_only(judged: Sequence[ExchangeRow]) -> set[str]:
    streamed, complete = _lost(judged, "stream"), _lost(judged, "complete")
    here = {quirk for step, quirks in streamed.items() if step not in complete for quirk in quirks}
    return here.difference(*complete.values())


def _lost(judged: Sequence[ExchangeRow], mode: Mode) -> dict[tuple[str, int], set[str]]:
    """Scenarios and steps whose answer is lost in this mode, in some sample, and the quirks that lose it."""
    others = {(row["scenario"], row["step"]) for row in judged if row["mode"] != mode and row["calls"]}
    lost: dict[tuple[str, int], set[str]] = {}
    for row in judged:
        if row["mode"] == mode and (quirks := set(lost_by(row, others))):
            lost.setdefault((row["scenario"], row["step"]), set()).update(quirks)
    return lost


def _useless(row: ExchangeRow, finding: FindingRow) -> bool:
    calls, position = row["calls"], finding["call"]
    ids = Counter(call["id"] for call in calls if call["id"])
    useless = [not call["usable"] or ids[call["id"]] > 1 for call in calls]
    if position is None or finding["choice"] or position >= len(calls):
        # calls of further choices stand behind those of the first, at a place the record does not tell
        return any(useless)
    return useless[position]


def _found(rows: Iterable[ExchangeRow]) -> dict[str, str]:
    """Quirks found at `must` or `should`, with the graver of the two."""
    found: dict[str, str] = {}
    for row in rows:
        for finding in row["findings"]:
            if finding["level"] != "info" and found.get(finding["quirk"]) != "must":
                found[finding["quirk"]] = finding["level"]
    return found


def _ranked(found: dict[str, str], ranks: Sequence[str]) -> tuple[str, ...]:
    place = {slug: number for number, slug in enumerate(ranks)}
    return tuple(sorted(found, key=lambda slug: (found[slug] != "must", place.get(slug, len(place)), slug)))

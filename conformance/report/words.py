"""Sentences that every view says alike."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from conformance.model import Mode
from conformance.report.grid import Column, Evidence, Fate, Gap, Matrix, Row, State
from conformance.report.text import plural, visible

TITLE: Final = "Tool-calling quirks by provider"
INCOMPLETE: Final = "INCOMPLETE: the run did not finish. What is missing was not measured and says nothing."
NOTHING: Final = "Nothing was measured: no exchange was had."
LEGEND: Final = (
    "safe: nothing above level info was found, calls were streamed, and nothing is missing. "
    "needs guards: quirks of level must or should were found; what a client does about each stands under Guards. "
    "do not stream tools: quirks lost streamed answers, beyond what guards repair, and complete answers were not lost. "
    "undecided: nothing was found, but too little was measured to call it safe."
)

_RUN_MODES: Final = {"replay": "Replay of cassettes", "live": "Live run", "record": "Recording run"}


def origin(matrix: Matrix) -> list[str]:
    """What the report is made from: one sentence per run."""
    days = period(matrix.recorded_at)
    sentences = []
    for run in matrix.runs:
        what = _RUN_MODES[run.run_mode]
        if run.run_mode == "replay" and days and len(matrix.runs) == 1:
            what += f" recorded {days}"
        # when a replay ran says nothing about the exchanges, and would change the report each time
        ended = f", finished {run.finished}" if run.finished is not None else ", not finished"
        when = ended if run.run_mode != "replay" else ", not finished" if run.finished is None else ""
        begun = f": started {run.started}" if run.run_mode != "replay" else ""
        packages = "".join(f", {name} {version}" for name, version in run.packages.items())
        sentences.append(
            visible(
                f"{what}{begun}{when}, with conformance {run.version}, Python {run.python}{packages}.",
                2000,
            )
        )
    if days and len(matrix.runs) > 1:
        sentences.append(f"Exchanges recorded {days}.")
    return sentences


def totals(matrix: Matrix) -> str:
    """How much was measured, and what came out, in one sentence."""
    parts = [
        f"{plural(matrix.judged, 'exchange')} judged",
        f"{plural(matrix.unexpected('must'), 'unexpected finding')} at must",
        f"{matrix.unexpected('should')} at should",
        plural(len(matrix.stale), "stale expectation"),
        f"{matrix.not_run} not run",
    ]
    absent = sum(row.verdict.kind == "no-recording" for row in matrix.rows)
    if absent:
        parts.append(f"{absent} of {len(matrix.rows)} rows without a recording")
    return ", ".join(parts) + "."


def verdict(row: Row) -> str:
    """The verdict line with what it suffers from."""
    because = "; ".join(row.verdict.because)
    return f"{row.verdict.text} ({because})" if because else row.verdict.text


def headline(row: Row) -> str:
    """The verdict line up to the first quirk."""
    match row.verdict.kind:
        case "needs-guards":
            return "needs guards:"
        case "do-not-stream":
            return "do not stream tools:"
        case _:
            return row.verdict.text


def usable(row: Row, mode: Mode) -> str:
    """Calls fit to be run, out of those that came."""
    tally = row.tallies[mode]
    if not tally.judged:
        return ""
    return f"{tally.usable}/{tally.calls}" if tally.calls else "no call"


def scope(one: Fate) -> str:
    """Where an expectation holds."""
    return ", ".join([*one.expectation["modes"], *one.expectation["scenarios"]]) or "everywhere"


def period(days: tuple[str, ...]) -> str:
    """One day, or from the first to the last."""
    if not days:
        return ""
    return visible(days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}", 40)


def where(one: Evidence) -> str:
    """The place in the answer: event, byte, pointer."""
    place = one.finding["where"]
    parts = []
    if place["event"] is not None:
        parts.append(f"event {place['event']}")
    if place["byte"] is not None:
        parts.append(f"byte {place['byte']}")
    if place["pointer"]:
        parts.append(visible(place["pointer"], 120))
    return ", ".join(parts) or "the whole answer"


def by_reason(row: Row) -> list[tuple[str, list[Gap]]]:
    """What a row lacks, by reason."""
    return [(reason, list(gaps)) for reason, gaps in groupby(row.gaps, key=lambda gap: gap.reason)]


def why_unmeasured(row: Row) -> str:
    """Why a row holds nothing: its reasons, or that nobody recorded it."""
    if row.gaps:
        return "; ".join(f"{gap.reason}: {gap.detail}" for gap in row.gaps)
    return "never recorded" if row.verdict.kind == "no-recording" else "nothing was planned or reached"


def guards(matrix: Matrix) -> list[tuple[Column, list[Row]]]:
    """Quirks that some verdict names, and the rows whose verdict does."""
    named = [
        (c, [r for r in matrix.measured if c.slug in (*r.verdict.lost, *r.verdict.guards)]) for c in matrix.columns
    ]
    return [(column, rows) for column, rows in named if rows]


def guard(column: Column) -> str:
    """What a client does about a quirk."""
    return column.guard or "unknown: the quirk is not in this version's catalogue"


def fate(one: Fate) -> str:
    """How an expectation fared."""
    match one.standing:
        case "met":
            return f"{State.EXPECTED.symbol} found in {plural(one.occurrences, 'exchange')}"
        case "stale":
            return f"{State.STALE.symbol} stale: take it out of the providers file"
        case "undecided":
            return "not found, in too few exchanges to disprove it"
        case "not-measured":
            return "not measured"

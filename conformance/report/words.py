"""Sentences that every view says alike."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from conformance.model import Mode
from conformance.report.cell import Cell, Column, Evidence, State
from conformance.report.elsewhere import Publication, Published, Repository
from conformance.report.grid import Fate, Gap, Matrix, Row
from conformance.report.summary import Mention, mentions
from conformance.report.text import plural, visible

if TYPE_CHECKING:
    from conformance.audit.observation import Observation

TITLE: Final = "Tool-calling quirks by provider"
INCOMPLETE: Final = "INCOMPLETE: the run did not finish. What is missing was not measured and says nothing."
NOTHING: Final = "Nothing was measured: no exchange was had."
LEGEND: Final = (
    "safe: nothing above level info was found, calls were streamed, and nothing is missing. "
    "needs guards: quirks of level must or should were found; what a client does about each stands under Guards. "
    "do not stream tools: quirks lost streamed answers, beyond what guards repair, and complete answers were not lost. "
    "undecided: nothing was found, but too little was measured to call it safe."
)

GLANCE: Final = (
    "Quirks of level must (bold) and should, by kind of evidence. What clients sent back is left out of what others "
    "published and reported."
)
ELSEWHERE: Final = (
    "Published and reported evidence was not measured here: it makes nothing red, green or stale, and no verdict."
)
COUNT: Final = "`n/m`: found in n of the m exchanges that could show it."
COUNTS: Final = f"{COUNT} `!k`: k more exchanges were not run."
CLEAN: Final = "Nothing of this in published recordings (in brackets: exchanges) of"
PUBLISHED: Final = (
    "Recordings that other projects published, read as ours are; none of their text is kept here. Days are those on "
    "which they were recorded, as far as the recorder kept them."
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
    theirs = [row.published for row in matrix.rows if row.published is not None]
    if theirs:
        sentences.append(_beside(theirs, len({row.provider["name"] for row in matrix.rows if row.published})))
    return sentences


def _beside(theirs: list[Publication], providers: int) -> str:
    days = sorted(day for one in theirs for day in one.days)
    repositories = {repository.name for one in theirs for repository in one.repositories}
    when = f", recorded {months((days[0], days[-1]))}" if days else ""
    return (
        f"Beside them: {plural(sum(one.exchanges for one in theirs), 'exchange')} with {plural(providers, 'provider')} "
        f"that {plural(len(repositories), 'other project')} published{when}."
    )


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
        theirs = sum(row.verdict.kind == "no-recording" and row.published is not None for row in matrix.rows)
        beside = f" ({theirs} with published ones)" if theirs else ""
        parts.append(f"{absent} of {len(matrix.rows)} rows without a recording{beside}")
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


def months(days: tuple[str, ...]) -> str:
    """The same to the month."""
    return period(tuple(day[:7] for day in days))


def publication(one: Publication) -> str:
    """How much was published: exchanges, models, time."""
    parts = [plural(one.exchanges, "exchange")]
    if one.models:
        parts.append(f"{plural(len(one.models), 'model')} named")
    if one.days:
        parts.append(months(one.days))
    return ", ".join(parts)


def published(one: Published, column: Column) -> str:
    """What published recordings show of a quirk, and how grave, where it is less than the quirk is as a rule."""
    milder = f" ({one.level})" if one.occurrences and one.level != column.level else ""
    return f"{one.kind.symbol} {one.count}{milder}"


def unmeasured_state(row: Row) -> State:
    """What a row is of which nothing was measured."""
    return State.NO_RECORDING if row.verdict.kind == "no-recording" else State.NOT_RUN


def unmeasured(matrix: Matrix, row: Row) -> str:
    """What is known about a row of which nothing was measured here: what others show and say, or why nothing is."""
    sentences = []
    if row.published is not None:
        shown = _named(mentions(matrix, row, "published"))
        what = f"show: {shown}" if shown else "show no quirk of level must or should"
        sentences.append(f"published recordings ({publication(row.published)}) {what}")
    if reported := _named(mentions(matrix, row, "reported")):
        sentences.append(f"reported: {reported}")
    why = why_unmeasured(row)
    return "; ".join([*sentences, why if row.gaps else "not measured here"]) if sentences else why


def _named(found: tuple[Mention, ...]) -> str:
    return ", ".join(f"{one.column.slug} {one.count}".strip() for one in found)


def file(one: Observation) -> str:
    """The file that an observation is about, short enough to read."""
    name = one["path"].rpartition("/")[2]
    position = f" interaction {one['interaction']}" if one["interaction"] is not None else ""
    return f"{one['repository']}, {name}{position}"


def observed(one: Observation, column: Column) -> str:
    """What an observation says, and what it may be used for."""
    parts = [
        f"model {one['model'] or 'unknown'}",
        "streamed" if one["mode"] == "stream" else "complete answers",
        f"{one['occurrences']} of {plural(one['applicable'], 'exchange')}",
        *([f"level {one['level']}"] if one["level"] != column.level else []),
        period((one["first"], one["last"] or one["first"])) if one["first"] else "day unknown",
        one["licence"],
    ]
    return ", ".join(parts)


def repository(one: Repository) -> str:
    """What a repository holds of a provider."""
    days = period(one.days) or "days unknown"
    models = ", ".join(one.models) or "none named"
    return f"{one.licence}, commit {one.commit[:12]}, {plural(one.exchanges, 'exchange')}, {days}; models: {models}"


def looked(recorded: int, published: int) -> str:
    """How many exchanges could have shown a quirk."""
    return f"{recorded} + {published}" if published else str(recorded)


def looked_at(matrix: Matrix) -> str:
    """What those numbers are."""
    theirs = any(row.published for row in matrix.rows)
    return f"In brackets: exchanges that could have shown it{', recorded here + published' if theirs else ''}."


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


def since(cell: Cell) -> str:
    """Since when a cell says what it says; empty if no history tells."""
    return next((one.text for one in cell.past if one.day == cell.since), "")


def by_reason(row: Row) -> list[tuple[str, list[Gap]]]:
    """What a row lacks, by reason."""
    return [(reason, list(gaps)) for reason, gaps in groupby(row.gaps, key=lambda gap: gap.reason)]


def why_unmeasured(row: Row) -> str:
    """Why a row holds nothing: its reasons, or that nobody recorded it."""
    if row.gaps:
        return "; ".join(f"{gap.reason}: {gap.detail}" for gap in row.gaps)
    return "never recorded" if row.verdict.kind == "no-recording" else "nothing was planned or reached"


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
        case "exceeded":
            return f"{State.STALE.symbol} found in {plural(one.occurrences, 'exchange')}, more often than its rate says"
        case "undecided":
            return "not found, in too few exchanges to disprove it"
        case "not-measured":
            return "not measured"

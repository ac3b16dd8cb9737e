"""Several run records as one: what every view starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from conformance.run.record import Record
from conformance.run.rows import ExchangeRow, FindingRow, ProviderRow, QuirkRow, RunMode, StaleRow, order


@dataclass(frozen=True, slots=True)
class Run:
    """One run that a report is made from.

    Attributes:
        started, finished: ISO 8601; `finished` is None for a run that did not come to its end.
        run_mode: where its exchanges came from.
        version, python, packages: what measured them.
    """

    started: str
    finished: str | None
    run_mode: RunMode
    version: str
    python: str
    packages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Merged:
    """What the records say together.

    Attributes:
        runs: by time.
        strict: a run counted `should` findings as well.
        providers: by name.
        live: providers that some run sent requests to.
        must_run: providers of which an exchange that is not run is red (DESIGN §4.6).
        quirks: what was looked for, by slug.
        exchanges: in plan order.
        stale: expectations that enough exchanges disproved.
    """

    runs: tuple[Run, ...]
    strict: bool
    providers: Mapping[str, ProviderRow]
    live: frozenset[str]
    must_run: frozenset[str]
    quirks: Mapping[str, QuirkRow]
    exchanges: tuple[ExchangeRow, ...]
    stale: tuple[StaleRow, ...]


def merge(records: Sequence[Record]) -> Merged:
    """Put records together; the order they are given in does not matter unless two started at the same time.

    The unit is what one pytest item measures: provider, model, scenario and mode. Where several records hold it, the
    one that started last replaces the others with all its samples and steps, also where it says *not run*. Samples are
    not added up: two replays of one cassette would count the same bytes twice. What a record does not hold stays.

    A provider's description and expectations are the latest; it counts as recorded or selected if any record says so.
    A stale expectation of an earlier record stands until a later one shows it, or no longer has the expectation.
    """
    by_time = sorted(records, key=lambda record: _moment(record.header["started"]))
    cells: dict[tuple[str, str, str, str], list[ExchangeRow]] = {}
    providers: dict[str, ProviderRow] = {}
    quirks: dict[str, QuirkRow] = {}
    stale: dict[tuple[str, str], StaleRow] = {}
    live: set[str] = set()
    must_run: set[str] = set()
    for record in by_time:
        header = record.header
        mine: dict[tuple[str, str, str, str], list[ExchangeRow]] = {}
        for row in record.exchanges:
            mine.setdefault((row["provider"], row["model"], row["scenario"], row["mode"]), []).append(row)
        cells.update(mine)
        quirks.update({quirk["slug"]: quirk for quirk in header["quirks"]})
        for finding in (finding for row in record.exchanges for finding in row["findings"]):
            quirks.setdefault(finding["quirk"], _undeclared(finding))
        for provider in header["providers"]:
            providers[provider["name"]] = _later(providers.get(provider["name"]), provider)
            if header["run_mode"] != "replay":
                live.add(provider["name"])
            if header["run_mode"] != "replay" or provider["selected"] or provider["recorded"]:
                must_run.add(provider["name"])
            stale = _still(stale, provider, record.exchanges)
        if record.footer is not None:
            stale.update({(one["provider"], one["quirk"]): one for one in record.footer["stale"]})
    exchanges = sorted((row for rows in cells.values() for row in rows), key=order)
    for name in {row["provider"] for row in exchanges} - set(providers):
        providers[name] = unknown(name)
    return Merged(
        runs=tuple(map(_run, by_time)),
        strict=any(map(_was_strict, records)),
        providers=providers,
        live=frozenset(live),
        must_run=frozenset(must_run),
        quirks=quirks,
        exchanges=tuple(exchanges),
        stale=tuple(one for _, one in sorted(stale.items())),
    )


def unexpected(exchanges: Iterable[ExchangeRow], level: str) -> int:
    """How many findings of a level no expectation covers."""
    return sum(f["level"] == level and f["expected_by"] is None for row in exchanges for f in row["findings"])


def _still(
    stale: Mapping[tuple[str, str], StaleRow], provider: ProviderRow, exchanges: Sequence[ExchangeRow]
) -> dict[tuple[str, str], StaleRow]:
    """What stays stale of earlier records once a later one has spoken about a provider."""
    shown = {
        finding["quirk"]
        for row in exchanges
        if row["provider"] == provider["name"]
        for finding in row["findings"]
        if finding["expected_by"] is not None
    }
    return {
        (name, quirk): one
        for (name, quirk), one in stale.items()
        if name != provider["name"]
        or (
            any(expectation["quirk"] == quirk for expectation in provider["expectations"])
            and not any(fnmatchcase(slug, quirk) for slug in shown)
        )
    }


def _was_strict(record: Record) -> bool:
    # The record does not say so, but its footer counts `should` findings only if they were to count.
    return record.footer is not None and record.footer["unexpected"] > unexpected(record.exchanges, "must")


def _run(record: Record) -> Run:
    header = record.header
    finished = record.footer["finished"] if record.footer is not None else None
    packages = dict(sorted(header["packages"].items()))
    return Run(header["started"], finished, header["run_mode"], header["version"], header["python"], packages)


def _later(known: ProviderRow | None, row: ProviderRow) -> ProviderRow:
    if known is None:
        return row
    merged = row.copy()
    merged["recorded"] = known["recorded"] or row["recorded"]
    merged["selected"] = known["selected"] or row["selected"]
    return merged


def _undeclared(finding: FindingRow) -> QuirkRow:
    """A quirk that was found though the header does not list it: nothing that was found may vanish."""
    return {"slug": finding["quirk"], "area": "", "level": finding["level"], "title": finding["message"]}


def unknown(name: str, *, recorded: bool = True) -> ProviderRow:
    """A provider that no record describes."""
    return {
        "name": name,
        "base_url": "",
        "models": [],
        "verified": "never",
        "recorded": recorded,
        "selected": False,
        "expectations": [],
        "source": [],
        "left_out": [],
    }


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)

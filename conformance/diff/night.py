"""One side of a comparison: what a night says of each cell, read from the document of a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from conformance.errors import InputError
from conformance.model import Level
from conformance.report import json_
from conformance.report.history import History

Key = tuple[str, str]
"""Provider and model."""

_MOST: Final = 10**9
"""More exchanges than this in one cell are an altered file."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A cell as one side has it.

    Attributes:
        state: as in the document: `found-unexpected`, `ok`, …
        level: the gravest found; if nothing was, the quirk's own.
        unexpected_level: the gravest that no expectation covers; None if all are covered, or nothing was found.
        occurrences, applicable, not_run: exchanges.
        found_in, applicable_in: the same by `scenario/mode`; None where the document does not tell.
        evidence: some of the findings, unexpected ones first.
        since: the day since when it says so; empty if unknown.
    """

    state: str
    level: Level
    unexpected_level: Level | None
    occurrences: int
    applicable: int
    not_run: int
    found_in: Mapping[str, int] | None
    applicable_in: Mapping[str, int] | None
    evidence: Sequence[Mapping[str, Any]]
    since: str

    @property
    def found(self) -> bool:
        """Whether it was found."""
        return bool(self.occurrences)

    @property
    def count(self) -> str:
        """`n/m`."""
        return f"{self.occurrences}/{self.applicable}" if self.applicable else "–"

    def within(self, scenarios: frozenset[str] | None) -> tuple[int, int]:
        """Occurrences and applicable exchanges in these scenarios; in all, where one side does not tell them apart."""
        if scenarios is None or self.found_in is None or self.applicable_in is None:
            return self.occurrences, self.applicable
        return (
            sum(count for name, count in self.found_in.items() if name in scenarios),
            sum(count for name, count in self.applicable_in.items() if name in scenarios),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One model of a provider.

    Attributes:
        provider, model: its names.
        verdict: the kind of verdict: `safe`, `not-run`, `no-recording`, …
        judged: exchanges that were judged.
        scenarios: `scenario/mode` of which an exchange was judged; None where the document does not tell.
        missing: why which `scenario/mode` was not run.
        cells: by quirk; empty if nothing was judged.
        expected: quirks that an expectation is about.
    """

    provider: str
    model: str
    verdict: str
    judged: int
    scenarios: frozenset[str] | None
    missing: Mapping[str, str]
    cells: Mapping[str, Seen]
    expected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Night:
    """What one side measured.

    Attributes:
        name: as it was asked for.
        strict: `should` findings counted.
        versions: of conformance, Python and packages, as `name version`.
        recorded_at: first and last day of recording; empty if unknown.
        quirks: what was looked for: the declarations, by slug.
        rows: by provider and model.
        history: what was published beside it; None if nothing was.
    """

    name: str
    strict: bool
    versions: tuple[str, ...]
    recorded_at: tuple[str, ...]
    quirks: Mapping[str, Mapping[str, Any]]
    rows: Mapping[Key, Row]
    history: History | None = None

    @property
    def days(self) -> str:
        """When it was recorded."""
        return " to ".join(dict.fromkeys(self.recorded_at))


def read(name: str, document: Any, history: History | None = None) -> Night:
    """A night out of the document of a matrix (`quirks.json`).

    Args:
        name: to show, and to say in errors.
        document: as decoded.
        history: what was published beside it.

    Raises:
        InputError: it is not what its schema says, contradicts itself, or is of a run that did not finish.
    """
    if not isinstance(document, dict) or "schema" not in document:
        raise InputError(f"{name}: neither a run record nor a quirks.json; give what 'conformance run' wrote")
    if document["schema"] != json_.SCHEMA:
        raise InputError(f"{name}: its format is {document['schema']!r}, this version reads {json_.SCHEMA!r}")
    fault = next(iter(_validator().iter_errors(document)), None)
    if fault is not None:
        place = "".join(f"/{step}" for step in fault.instance_path) or "the document"
        raise InputError(f"{name}: {place}: {str(fault.message)[:160]}; the file is altered")
    if not document["complete"]:
        raise InputError(f"{name}: its run did not finish, so that what is missing says nothing; run again")
    rows = list(_rows(name, document))
    keyed = {(row.provider, row.model): row for row in rows}
    if len(keyed) < len(rows):
        raise InputError(f"{name}: two rows of one provider and model; the file is altered")
    return Night(
        name=name,
        strict=document["strict"],
        versions=tuple(sorted({version for run in document["runs"] for version in _versions(run)})),
        recorded_at=tuple(document["recorded_at"]),
        quirks={quirk["slug"]: quirk for quirk in document["quirks"]},
        rows=keyed,
        history=history,
    )


def _versions(run: Mapping[str, Any]) -> Iterator[str]:
    yield f"conformance {run['version']}"
    yield f"Python {run['python']}"
    yield from (f"{package} {version}" for package, version in run["packages"].items())


def _rows(name: str, document: Mapping[str, Any]) -> Iterator[Row]:
    for row in document["rows"]:
        if not row.get("elsewhere", False):
            yield _row(f"{name}: {row['provider']} {row['model']}".strip(), row)


def _row(where: str, row: Mapping[str, Any]) -> Row:
    judged = sum(tally["judged"] for tally in row["exchanges"].values())
    names, lists = row.get("scenarios"), row.get("counts", [])
    if any(len(counts) != len(names or ()) for counts in lists):
        raise InputError(f"{where}: the lists in 'counts' are not as long as 'scenarios'; the file is altered")
    by_scenario = [dict(zip(names or (), counts, strict=True)) for counts in lists]
    asked = _chosen(where, by_scenario, row.get("judged_in")) if names is not None else None
    return Row(
        provider=row["provider"],
        model=row["model"],
        verdict=row["verdict"]["kind"],
        judged=judged,
        scenarios=frozenset(one for one, count in asked.items() if count) if asked is not None else None,
        missing={place.split(" ")[0]: _why(gap) for gap in row["not_run"] for place in gap["exchanges"]},
        cells={cell["quirk"]: _cell(where, cell, by_scenario, asked is not None) for cell in row["cells"] if judged},
        expected=frozenset(one["quirk"] for one in row["expectations"]),
    )


def _why(gap: Mapping[str, Any]) -> str:
    return f"{gap['reason']}: {gap['detail']}"


def _cell(where: str, cell: Mapping[str, Any], lists: Sequence[Mapping[str, int]], told: bool) -> Seen:
    occurrences, applicable = cell["occurrences"], cell["applicable"]
    if not occurrences <= applicable <= _MOST:
        raise InputError(f"{where}: {cell['quirk']}: found in {occurrences} of {applicable} exchanges cannot be")
    found_in = _chosen(where, lists, cell.get("found_in")) if told else None
    applicable_in = _chosen(where, lists, cell.get("applicable_in")) if told else None
    if told and (sum((found_in or {}).values()), sum((applicable_in or {}).values())) != (occurrences, applicable):
        raise InputError(f"{where}: {cell['quirk']}: its counts by scenario do not add up; the file is altered")
    uncovered = [one["level"] for one in cell["evidence"] if one["expected_by"] is None]
    gravest = cell.get("unexpected_level", min(uncovered, key=("must", "should", "info").index, default=None))
    return Seen(
        state=cell["state"],
        level=cell["level"],
        unexpected_level=gravest,
        occurrences=occurrences,
        applicable=applicable,
        not_run=cell["not_run"],
        found_in=found_in,
        applicable_in=applicable_in,
        evidence=cell["evidence"],
        since=cell.get("since", ""),
    )


def _chosen(where: str, lists: Sequence[Mapping[str, int]], number: int | None) -> Mapping[str, int]:
    if number is None:
        return {}
    if number >= len(lists):
        raise InputError(f"{where}: there is no list {number} in 'counts'; the file is altered")
    return {name: count for name, count in lists[int(number)].items() if count}


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(json_.schema())

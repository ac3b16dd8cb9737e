"""`quirks.json`: the matrix for programs, in the form of `matrix.schema.json`."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final, cast

from conformance.report import words
from conformance.report.cell import Cell, Column, Evidence
from conformance.report.counts import Counts, count
from conformance.report.elsewhere import Publication, Published, url
from conformance.report.form import listed
from conformance.report.grid import MODES, Matrix, Row
from conformance.report.hops import Hop

SCHEMA: Final = "conformance/matrix/1"
"""Names the format; a later format counts on."""

SHOWN: Final = 10
"""Findings listed per cell; the run record holds all."""

_OBSERVED: Final = (
    *("model", "mode", "level", "occurrences", "applicable", "first", "last"),
    *("repository", "commit", "path", "interaction", "licence"),
)


def render(matrix: Matrix) -> str:
    """The document, one line per quirk and per cell, so that a change shows as a change of that line."""
    head = {
        "schema": SCHEMA,
        "complete": matrix.finished,
        "exit_code": matrix.exit_code,
        "strict": matrix.strict,
        "runs": [
            {
                "started": run.started if run.run_mode != "replay" else None,
                "finished": run.finished if run.run_mode != "replay" else None,
                "run_mode": run.run_mode,
                "version": run.version,
                "python": run.python,
                "packages": dict(run.packages),
            }
            for run in matrix.runs
        ],
        "recorded_at": list(matrix.recorded_at),
        "totals": {
            "judged": matrix.judged,
            "not_run": matrix.not_run,
            "unexpected": {level: matrix.unexpected(level) for level in ("must", "should")},
            "stale": len(matrix.stale),
        },
        "stale": [dict(one) for one in matrix.stale],
    }
    lines = [f"{_dump(key)}: {_dump(value)}" for key, value in head.items()]
    lines.append(_list("quirks", [_dump(_column(column)) for column in matrix.columns]))
    lines.append(_list("rows", [_row(matrix, row) for row in matrix.rows]))
    if matrix.hops:
        lines.append(_list("hops", [_dump(_hop(hop)) for hop in matrix.hops]))
    return "{" + ",\n".join(lines) + "}\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    text = resources.files("conformance.report").joinpath("matrix.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _column(column: Column) -> dict[str, Any]:
    return {
        "slug": column.slug,
        "area": column.area,
        "level": column.level,
        "layer": column.layer,
        "title": column.title,
        "guard": column.guard,
        "modes": list(column.modes),
    }


def _row(matrix: Matrix, row: Row) -> str:
    verdict = row.verdict
    counts = count(matrix, row)
    about = {
        "provider": row.provider["name"],
        "model": row.model,
        "base_url": row.provider["base_url"],
        "verified": row.provider["verified"],
        "recorded": row.provider["recorded"],
        "selected": row.provider["selected"],
        "source": row.provider["source"],
        "left_out": row.provider.get("left_out", []),
        "recorded_at": list(row.recorded_at),
        "verdict": {
            "kind": verdict.kind,
            "text": verdict.text,
            "guards": list(verdict.guards),
            "lost": list(verdict.lost),
            "because": list(verdict.because),
        },
        "exchanges": {mode: _tally(row, mode) for mode in MODES},
        "scenarios": list(counts.scenarios),
        "counts": list(counts.lists),
        "judged_in": counts.judged,
        "expectations": [
            {**fate.expectation, "occurrences": fate.occurrences, "standing": fate.standing}
            for fate in matrix.fates()
            if fate.provider == row.provider["name"]
        ],
        "elsewhere": row.elsewhere,
        "published": _publication(matrix, row, row.published) if row.published is not None else None,
        "not_run": [
            {"reason": gap.reason, "detail": gap.detail, "fix": gap.fix, "exchanges": list(gap.places)}
            for gap in row.gaps
        ],
    }
    known = [(column.slug, row.cells[column.slug]) for column in matrix.columns]
    cells = [_dump(_cell(slug, cell, counts)) for slug, cell in known if row.judged or cell.published or cell.reported]
    return _dump(about)[:-1] + ",\n" + _list("cells", cells) + "}"


def _tally(row: Row, mode: Any) -> dict[str, int]:
    tally = row.tallies[mode]
    return {
        "judged": tally.judged,
        "not_run": tally.not_run,
        "with_calls": tally.with_calls,
        "calls": tally.calls,
        "usable": tally.usable,
    }


def _cell(slug: str, cell: Cell, counts: Counts) -> dict[str, Any]:
    return {
        "quirk": slug,
        "state": cell.state.slug,
        "level": cell.level,
        "occurrences": cell.occurrences,
        "applicable": cell.applicable,
        "not_run": cell.not_run,
        "findings": len(cell.evidence),
        "expected": cell.expected,
        "unexpected": cell.unexpected,
        "unexpected_level": cell.unexpected_level,
        "applicable_in": counts.applicable.get(slug),
        "found_in": counts.found.get(slug),
        "since": cell.since,
        "interval": [round(bound, 4) for bound in cell.interval] if cell.interval is not None else None,
        "flaky": cell.flaky,
        "forms": listed(cell.evidence),
        "evidence": [_evidence(one) for one in cell.evidence[:SHOWN]],
        "published": _published(cell.published) if cell.published is not None else None,
        "reported": [{"title": one.title, "url": one.url, "date": one.date, "says": one.says} for one in cell.reported],
    }


def _publication(matrix: Matrix, row: Row, one: Publication) -> dict[str, Any]:
    return {
        "text": words.unmeasured(matrix, row) if not row.judged else "",
        "exchanges": one.exchanges,
        "models": list(one.models),
        "days": list(one.days),
        "repositories": [
            {
                "repository": each.name,
                "commit": each.commit,
                "url": each.url,
                "licence": each.licence,
                "exchanges": each.exchanges,
                "models": list(each.models),
                "days": list(each.days),
            }
            for each in one.repositories
        ],
    }


def _published(one: Published) -> dict[str, Any]:
    return {
        "occurrences": one.occurrences,
        "applicable": one.applicable,
        "level": one.level,
        "observations": [{**{field: each[field] for field in _OBSERVED}, "url": url(each)} for each in one.shown],
    }


def _evidence(one: Evidence) -> dict[str, Any]:
    row, finding = one.exchange, one.finding
    return {
        "evidence": row["evidence"],
        "source": row["source"],
        "scenario": row["scenario"],
        "mode": row["mode"],
        "step": row["step"],
        "sample": row["sample"],
        "where": finding["where"],
        "choice": finding["choice"],
        "call": finding["call"],
        "count": finding["count"],
        "level": finding["level"],
        "layer": finding["layer"],
        "message": finding["message"],
        "expected": finding["expected"],
        "actual": finding["actual"],
        "expected_by": finding["expected_by"],
    }


def _hop(hop: Hop) -> dict[str, Any]:
    return {
        "upstream": hop.upstream,
        "gateway": hop.gateway,
        "models": list(hop.models),
        "pairs": hop.pairs,
        "quirks": [
            {
                "slug": one.slug,
                "level": one.level,
                "layer": one.layer,
                "straight": {"occurrences": one.straight.occurrences, "applicable": one.straight.applicable},
                "through": {"occurrences": one.through.occurrences, "applicable": one.through.applicable},
                "change": one.change.word,
            }
            for one in hop.quirks
        ],
        "unpaired": [{"why": left.why, "exchanges": list(left.places)} for left in hop.unpaired],
    }


def _list(key: str, items: list[str]) -> str:
    inside = ",\n".join(items)
    return f"{_dump(key)}: [\n{inside}\n]" if items else f"{_dump(key)}: []"


def _dump(value: Any) -> str:
    # ASCII only: ids may hold halves of surrogate pairs, which UTF-8 cannot carry
    return json.dumps(value, separators=(", ", ": "))

"""Badges as shields.io draws them from a JSON endpoint: one for each row, and one for all.

A badge is red exactly where its row makes the run red, and bright green only where the verdict is *safe*: everything
planned was had, calls were streamed, and nothing above level info was found. What was not measured is grey and says it.

Source of the format: https://shields.io/badges/endpoint-badge
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypedDict

from conformance.report.grid import Matrix, Row
from conformance.report.text import plural, visible

ALL: Final = "all"
"""The badge of the whole matrix; no row is called so, because no provider may be."""

CHECKSUMS: Final = "badges.sha256"
"""The list beside them, by which the next time knows its own files."""

_LABEL: Final = "tool calling"

Colour = Literal["brightgreen", "yellow", "orange", "red", "lightgrey"]


class Badge(TypedDict):
    """What shields.io reads; `isError` keeps whoever shows a red badge from giving it another colour."""

    schemaVersion: Literal[1]
    label: str
    message: str
    color: Colour
    isError: bool


def render(matrix: Matrix) -> dict[str, str]:
    """Every badge as JSON, by file name: `all.json`, and `KEY.json` for each row."""
    badges = {ALL: whole(matrix), **{row.key: of_row(matrix, row) for row in matrix.rows}}
    return {f"{name}.json": json.dumps(badge, ensure_ascii=False) + "\n" for name, badge in badges.items()}


def of_row(matrix: Matrix, row: Row) -> Badge:
    """The badge of one model of one provider."""
    troubles = _troubles(matrix, [row])
    if troubles.any:
        return _badge(row.label, troubles.text, "red")
    if not matrix.finished and row.judged:
        return _badge(row.label, "incomplete", "orange")
    count = len({*row.verdict.guards, *row.verdict.lost})
    match row.verdict.kind:
        case "safe":
            return _badge(row.label, "safe", "brightgreen")
        case "needs-guards":
            return _badge(row.label, f"needs {plural(count, 'guard')}", "yellow")
        case "do-not-stream":
            return _badge(row.label, "do not stream tools", "orange")
        case "no-recording":
            return _badge(row.label, "no recording", "lightgrey")
        case "not-run":
            return _badge(row.label, "not run", "lightgrey")
        case "undecided":
            return _badge(row.label, "undecided", "lightgrey")


def whole(matrix: Matrix) -> Badge:
    """The badge of everything: what is red, or how many rows are safe."""
    troubles = _troubles(matrix, matrix.rows)
    if troubles.any:
        return _badge(_LABEL, troubles.text, "red")
    if not matrix.finished:
        return _badge(_LABEL, "incomplete", "orange")
    if not matrix.judged:
        return _badge(_LABEL, "nothing measured", "lightgrey")
    safe = sum(row.verdict.kind == "safe" for row in matrix.rows)
    colour: Colour = "brightgreen" if safe == len(matrix.rows) else "yellow"
    return _badge(_LABEL, f"{safe} of {len(matrix.rows)} safe", colour)


@dataclass(frozen=True, slots=True)
class _Troubles:
    """What makes rows red."""

    unexpected: int
    stale: int
    not_run: int

    @property
    def any(self) -> bool:
        return bool(self.unexpected or self.stale or self.not_run)

    @property
    def text(self) -> str:
        counts = {"unexpected": self.unexpected, "stale": self.stale, "not run": self.not_run}
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _troubles(matrix: Matrix, rows: Sequence[Row]) -> _Troubles:
    """Count them as the exit code does; a stale expectation is every row's whose provider it is about."""
    names = {(row.provider["name"], row.model) for row in rows}
    providers = {provider for provider, _ in names}
    exchanges = [one for one in matrix.exchanges if (one["provider"], one["model"]) in names]
    return _Troubles(
        unexpected=sum(
            finding["expected_by"] is None and finding["level"] in matrix.counting
            for one in exchanges
            for finding in one["findings"]
        ),
        stale=sum(one["provider"] in providers for one in matrix.stale),
        not_run=sum(one["not_run"] is not None and one["provider"] in matrix.must_run for one in exchanges),
    )


def _badge(label: str, message: str, colour: Colour) -> Badge:
    shown = visible(label, 80) or _LABEL
    return {"schemaVersion": 1, "label": shown, "message": message, "color": colour, "isError": colour == "red"}

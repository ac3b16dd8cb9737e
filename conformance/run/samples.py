"""When repeating an exchange says nothing new any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conformance.run.plan import Cell
from conformance.run.rows import ExchangeRow
from conformance.statistics import decided

Key = tuple[str, str, str, str]


class Samples:
    """What the repetitions of each cell have shown so far.

    Repeating ends as soon as, for every quirk the exchanges could show, it is settled with 95 % confidence whether
    showing it is the rule or the exception (`statistics.decided`): after four repetitions that agree, later if they do
    not.
    """

    def __init__(self) -> None:
        self._seen: dict[Key, list[Sequence[ExchangeRow]]] = {}

    def add(self, rows: Iterable[ExchangeRow]) -> None:
        """Take the lines of whole cells."""
        by_cell: dict[tuple[Key, int], list[ExchangeRow]] = {}
        for row in rows:
            key: Key = (row["provider"], row["model"], row["scenario"], row["mode"])
            by_cell.setdefault((key, row["sample"]), []).append(row)
        for (key, _), mine in by_cell.items():
            self._seen.setdefault(key, []).append(mine)

    def settled(self, cell: Cell) -> int:
        """After how many repetitions a cell is settled; 0 if it is not."""
        seen = self._seen.get((cell.provider.name, cell.model, cell.scenario.name, cell.mode), [])
        judged = [rows for rows in seen if all(row["not_run"] is None for row in rows)]
        counts: dict[tuple[int, str], list[int]] = {}
        for rows in judged:
            for row in rows:
                shown = {finding["quirk"] for finding in row["findings"]}
                for slug in shown.union(row["applicable"]):
                    count = counts.setdefault((row["step"], slug), [0, 0])
                    count[0] += slug in shown
                    count[1] += 1
        return len(judged) if counts and all(decided(*count) for count in counts.values()) else 0

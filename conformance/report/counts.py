"""How often each scenario could show a quirk, and did: what two nights are compared by. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from conformance.report.grid import Matrix, Row


@dataclass(frozen=True, slots=True)
class Counts:
    """Exchanges of a row that were judged, counted by scenario and mode.

    Attributes:
        scenarios: `scenario/mode`, in plan order; each list of counts has a number for each of them.
        lists: the different lists of counts; quirks that the same exchanges could show share one.
        judged: which of them counts all exchanges.
        applicable: by quirk, which one counts those that could show it; not for quirks that none could show.
        found: by quirk, which one counts those that do; only for what was found.
    """

    scenarios: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]
    judged: int
    applicable: Mapping[str, int]
    found: Mapping[str, int]


def count(matrix: Matrix, row: Row) -> Counts:
    """Count the exchanges of a row."""
    name, model = row.provider["name"], row.model
    judged: Counter[str] = Counter()
    applicable: dict[str, Counter[str]] = {}
    found: dict[str, Counter[str]] = {}
    for one in matrix.exchanges:
        if (one["provider"], one["model"]) == (name, model) and one["not_run"] is None:
            place = f"{one['scenario']}/{one['mode']}"
            judged[place] += 1
            shown = {finding["quirk"] for finding in one["findings"]}
            for slug in shown:
                found.setdefault(slug, Counter())[place] += 1
            for slug in shown.union(one["applicable"]):
                applicable.setdefault(slug, Counter())[place] += 1
    lists: dict[tuple[int, ...], int] = {}

    def number(counter: Counter[str]) -> int:
        return lists.setdefault(tuple(counter[place] for place in judged), len(lists))

    numbered = (
        number(judged),
        {slug: number(counter) for slug, counter in sorted(applicable.items())},
        {slug: number(counter) for slug, counter in sorted(found.items())},
    )
    return Counts(tuple(judged), tuple(lists), *numbered)

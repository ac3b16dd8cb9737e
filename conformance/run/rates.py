"""How often quirks show where exchanges were repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.run.rows import ExchangeRow, RateRow
from conformance.statistics import wilson


def rates(rows: Sequence[ExchangeRow]) -> Iterator[RateRow]:
    """A rate for each quirk that was found with a model whose exchanges were repeated.

    Args:
        rows: every exchange line of a run.
    """
    by_model: dict[tuple[str, str], list[ExchangeRow]] = {}
    for row in rows:
        by_model.setdefault((row["provider"], row["model"]), []).append(row)
    for (provider, model), mine in sorted(by_model.items()):
        if any(row["sample"] for row in mine):
            for slug in sorted({finding["quirk"] for row in mine for finding in row["findings"]}):
                yield _rate(provider, model, slug, mine)


def _rate(provider: str, model: str, slug: str, rows: Sequence[ExchangeRow]) -> RateRow:
    shown: dict[tuple[str, str, int], list[bool]] = {}
    for row in rows:
        found = any(finding["quirk"] == slug for finding in row["findings"])
        if row["not_run"] is None and (found or slug in row["applicable"]):
            shown.setdefault((row["scenario"], row["mode"], row["step"]), []).append(found)
    occurrences, applicable = (sum(map(count, shown.values())) for count in (sum, len))
    low, high = wilson(occurrences, applicable)
    return {
        "provider": provider,
        "model": model,
        "quirk": slug,
        "occurrences": occurrences,
        "applicable": applicable,
        "low": round(low, 4),
        "high": round(high, 4),
        "flaky": any(0 < sum(each) < len(each) for each in shown.values()),
    }

"""What passed, counted: model × quirk, in memory that does not grow with the number of exchanges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import click

from conformance.model import LEVELS, Level
from conformance.report.text import plural, visible
from conformance.run.outcome import NOTHING, OK, RED, counting
from conformance.tap.passed import Judged

COLOURS: Final[dict[Level, str]] = {"must": "red", "should": "yellow", "info": "cyan"}
_NARROW: Final = 28
_NAMELESS: Final = "(no model named)"


@dataclass(slots=True)
class _Model:
    judged: int = 0
    applicable: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)


class Tally:
    """Counts exchanges as they are judged.

    Args:
        provider: label for the table.
    """

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._models: dict[str, _Model] = {}
        self._levels: dict[str, Level] = {}
        self._reasons: Counter[str] = Counter()
        self._standings: Counter[str] = Counter()
        self._missed = 0
        self._lost = 0

    def add(self, judged: Judged) -> None:
        """Count one exchange."""
        self._standings[judged.standing] += 1
        self._missed += judged.ours
        self._lost += bool(judged.problem)
        if judged.standing in ("other", "not judged"):
            if judged.why:
                self._reasons[judged.why] += 1
            return
        model = self._models.setdefault(judged.model or _NAMELESS, _Model())
        model.judged += 1
        found = {finding.quirk for finding in judged.findings}
        model.found.update(found)
        model.applicable.update(judged.applicable | found)
        for finding in judged.findings:
            known = self._levels.get(finding.quirk, "info")
            self._levels[finding.quirk] = min(known, finding.level, key=LEVELS.index)

    def exit_code(self, *, strict: bool) -> int:
        """DESIGN §6.3: 1 with a finding that counts, or if the tap itself missed or lost an exchange; 5 if none was
        judged to its end; otherwise 0."""
        if self._missed or self._lost or any(level in counting(strict) for level in self._levels.values()):
            return RED
        return OK if self._standings["judged"] else NOTHING

    def lines(self) -> Iterator[str]:
        """The table and what stands below it."""
        loud = [slug for slug in self._ranked() if self._levels[slug] != "info"]
        if loud:
            yield from self._table(loud)
        elif self._standings["judged"]:
            yield f"{visible(self._provider)}: nothing deviates"
        for name, model in sorted(self._models.items()):
            quiet = [
                f"{slug} {model.found[slug]}/{model.applicable[slug]}" for slug in self._ranked() if model.found[slug]
            ]
            quiet = [text for text in quiet if self._levels[text.partition(" ")[0]] == "info"]
            if quiet:
                yield f"legal variations, {visible(name, 80)}: {', '.join(quiet)}"
        yield from self._totals()

    def _ranked(self) -> list[str]:
        return sorted(self._levels, key=lambda slug: (LEVELS.index(self._levels[slug]), slug))

    def _table(self, slugs: Sequence[str]) -> Iterator[str]:
        """`n/m`: found in n of the m exchanges that could have shown it."""
        models = sorted(self._models.items())
        names = [visible(name, _NARROW) for name, _ in models]
        first = max(len(visible(self._provider, 60)), *(len(slug) + 8 for slug in slugs))
        widths = [max(len(name), 7) for name in names]
        heads = "  ".join(name.rjust(width) for name, width in zip(names, widths, strict=True))
        yield click.style(f"{visible(self._provider, 60).ljust(first)}  {heads}", bold=True)
        for slug in slugs:
            level = self._levels[slug]
            cells = "  ".join(_cell(model, slug).rjust(width) for (_, model), width in zip(models, widths, strict=True))
            yield click.style(level.ljust(8), fg=COLOURS[level]) + f"{slug.ljust(first - 8)}  {cells}"

    def _totals(self) -> Iterator[str]:
        counts = self._standings
        parts = [f"{plural(counts['judged'], 'exchange')} judged"]
        if counts["in part"]:
            parts.append(f"{counts['in part']} in part (the client went away)")
        if counts["not judged"]:
            parts.append(f"{counts['not judged']} not judged")
        if counts["other"]:
            parts.append(f"{plural(counts['other'], 'other request')} passed on")
        yield ", ".join(parts)
        for why, times in self._reasons.most_common(10):
            yield f"not judged {times}x: {visible(why)}"
        if self._lost:
            yield f"{plural(self._lost, 'cassette')} could not be written"


def _cell(model: _Model, slug: str) -> str:
    return f"{model.found[slug]}/{model.applicable[slug]}" if model.applicable[slug] else "–"

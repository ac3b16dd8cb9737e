"""Client × provider: which client loses or corrupts calls on which provider, and through which quirk. Pure.

A quirk counts only where there is evidence that the provider has it, and only in the modes that the evidence is about.
What a client makes of a quirk is the worst of the faults that stand for it: the provider's form may be a milder one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from conformance.impact.judge import SILENT, Outcome, harm, worst
from conformance.impact.known import KINDS, Kind, Proof, Provider
from conformance.impact.table import Cell, Row, Table
from conformance.model import Mode

Standing = Literal["silent", "loud", "unharmed", "nothing-known", "not-judged"]
STANDINGS: Final[Mapping[Standing, str]] = {
    "silent": "calls are lost or corrupted without a word",
    "loud": "good calls are lost with an error",
    "unharmed": "no quirk known there that clients were asked about harms it",
    "nothing-known": "no quirk is known there that the client was asked about; that does not make it safe",
    "not-judged": "the client was not judged",
}
"""What can be said of a client on a provider."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A quirk of a provider that harms a client.

    Attributes:
        proof: the evidence that the provider has it.
        outcome: the worst, in the modes that the evidence is about.
        modes: those in which it harms.
        cases: the faults that do, as in `clients.json`, the worst first.
    """

    proof: Proof
    outcome: Outcome
    modes: tuple[Mode, ...]
    cases: tuple[Mapping[str, Any], ...]

    @property
    def silent(self) -> bool:
        """Whether the user is told nothing."""
        return self.outcome in SILENT


@dataclass(frozen=True, slots=True)
class Pair:
    """A client on a provider.

    Attributes:
        client, provider: which.
        hits: what harms, gravest first.
        unharmed: quirks of the provider that the client survives.
        unasked: quirks of the provider about which the client was not, or could not be, asked.
    """

    client: Row
    provider: Provider
    hits: tuple[Hit, ...]
    unharmed: tuple[str, ...]
    unasked: tuple[str, ...]

    @property
    def standing(self) -> Standing:
        """What can be said of it."""
        if not self.client.client["judged"]:
            return "not-judged"
        if self.hits:
            return "silent" if self.silent else "loud"
        return "unharmed" if self.unharmed else "nothing-known"

    @property
    def silent(self) -> tuple[Hit, ...]:
        """Through which calls are lost or corrupted without a word."""
        return tuple(hit for hit in self.hits if hit.silent)

    @property
    def loud(self) -> tuple[Hit, ...]:
        """Through which good calls are lost with an error, or the client hangs."""
        return tuple(hit for hit in self.hits if not hit.silent)

    def worst(self, kind: Kind) -> Outcome | None:
        """The worst outcome over the quirks with evidence of a kind; None if none of them harms."""
        found = [hit.outcome for hit in self.hits if kind in hit.proof.kinds]
        return worst(found) if found else None


def join(table: Table, providers: Iterable[Provider]) -> list[Pair]:
    """Every client on every provider, by provider, in the orders given."""
    rows = list(table.rows)
    return [pair(row, provider) for provider in providers for row in rows]


def pair(client: Row, provider: Provider) -> Pair:
    """One client on one provider."""
    hits: list[Hit] = []
    unharmed, unasked = [], []
    cells = client.cells if client.client["judged"] else {}
    for slug, proof in provider.proofs.items():
        cell = cells.get(slug)
        outcomes = {mode: outcome for mode, outcome in cell.modes.items() if mode in proof.modes} if cell else {}
        outcome = worst(list(outcomes.values()))
        if cell is None or outcome == "not-applicable":
            unasked.append(slug)
        elif outcome == "right":
            unharmed.append(slug)
        else:
            hits.append(_hit(proof, cell, outcomes))
    return Pair(client, provider, tuple(sorted(hits, key=_gravity)), tuple(unharmed), tuple(unasked))


def most_harmed(pairs: Iterable[Pair], number: int) -> Sequence[Pair]:
    """The pairs with most quirks, shown by bytes, that lose or corrupt calls without a word; then by how often."""
    counted = [(pair, [hit for hit in pair.silent if hit.proof.recorded or hit.proof.published]) for pair in pairs]
    order = sorted(counted, key=lambda one: (-len(one[1]), -sum(hit.proof.share for hit in one[1])))
    return [pair for pair, hits in order[:number] if hits]


def _hit(proof: Proof, cell: Cell, outcomes: Mapping[Mode, Outcome]) -> Hit:
    modes = tuple(mode for mode, outcome in outcomes.items() if harm(outcome) > 0)
    cases = [case for case in cell.cases if case["mode"] in modes and harm(case["outcome"]) > 0]
    cases.sort(key=lambda case: -harm(case["outcome"]))
    return Hit(proof, worst(list(outcomes.values())), modes, tuple(cases))


def _gravity(hit: Hit) -> tuple[bool, int, int, float, str]:
    """What is silent first, then what is shown by bytes, then what is worse and more frequent."""
    return (not hit.silent, KINDS.index(hit.proof.kinds[0]), -harm(hit.outcome), -hit.proof.share, hit.proof.quirk)

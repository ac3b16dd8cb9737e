"""Client × provider: which client loses or corrupts calls on which provider, and through which quirk. Pure.

A loss is named only where the evidence has the form that loses. What was recorded here has a form, and only planted
answers of the same form speak for it. What others published or report has none: a client is sure to lose there only if
it does in every form that it was asked about; else it depends on the form, which is shown apart and counts nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from conformance.impact.forms import forms, has_calls, untried
from conformance.impact.judge import SILENT, Outcome, harm, worst
from conformance.impact.known import KINDS, Kind, Proof, Provider, Sighting
from conformance.impact.table import Cell, Row, Table
from conformance.model import Mode

Standing = Literal["honest", "silent", "loud", "flagged", "depends", "unharmed", "nothing-known", "not-judged"]
STANDINGS: Final[Mapping[Standing, str]] = {
    "honest": "the client gets honest answers wrong, whatever the provider",
    "silent": "calls are lost or corrupted without a word",
    "loud": "good calls are lost with an error",
    "flagged": "what is cut or failed is handed over, beside a finish reason that says so",
    "depends": "calls may be lost: it depends on the form of the answer, which is not known or was not tried, or on a "
    "report that no recording bears out",
    "unharmed": "no quirk known there that clients were asked about harms it",
    "nothing-known": "no quirk is known there that the client was asked about; that does not make it safe",
    "not-judged": "the client was not judged",
}
"""What can be said of a client on a provider, the gravest first."""

_FUNCTIONS: Final = "an answer to a request with the legacy `functions` alone has it, and the client sends `tools`"
NOT_SENT: Final[Mapping[str, str]] = {"legacy-function-call": _FUNCTIONS, "finish-legacy": _FUNCTIONS}
"""Quirks that are the right answer to a request that no client sends; recordings made here had `tools`."""

FLAGGED: Final[Outcome] = "flagged"
"""The outcome of a call that is handed over beside a finish reason that says no: told, and neither lost nor right."""

_Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hit:
    """A quirk of a provider that harms a client, or may.

    Attributes:
        proof: the evidence that the provider has it.
        by: what becomes of calls at least, by kinds of evidence that make it sure; of a loss that depends on the form,
            what may become of them at worst, by all kinds.
        modes: those in which it harms.
        cases: the faults that do, as in `clients.json`, the one with this outcome first.
    """

    proof: Proof
    by: Mapping[Kind, Outcome]
    modes: tuple[Mode, ...]
    cases: tuple[_Case, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst, by any kind of evidence."""
        return worst(list(self.by.values()))

    @property
    def kind(self) -> Kind:
        """The strongest kind of evidence for it."""
        return min(self.by, key=KINDS.index)

    @property
    def silent(self) -> bool:
        """Whether the user is told nothing."""
        return self.outcome in SILENT


@dataclass(frozen=True, slots=True)
class Pair:
    """A client on a provider.

    Attributes:
        client, provider: which.
        hits: what harms for sure, gravest first.
        depends: what harms in one form and not in another, or in none that was tried; gravest first.
        unharmed: quirks of the provider that the client survives.
        unasked: quirks of the provider about which the client was not, or could not be, asked.
    """

    client: Row
    provider: Provider
    hits: tuple[Hit, ...]
    depends: tuple[Hit, ...]
    unharmed: tuple[str, ...]
    unasked: tuple[str, ...]

    @property
    def standing(self) -> Standing:
        """What can be said of it."""
        if not self.client.client["judged"]:
            return "not-judged"
        return "honest" if self.client.lost else self.there

    @property
    def there(self) -> Standing:
        """What can be said by the provider's quirks alone."""
        told: Mapping[Standing, bool] = {
            "silent": bool(self.silent),
            "loud": bool(self.loud),
            "flagged": bool(self.flagged),
            "depends": bool(self.depends),
            "unharmed": bool(self.unharmed),
        }
        return next((standing for standing, holds in told.items() if holds), "nothing-known")

    @property
    def silent(self) -> tuple[Hit, ...]:
        """Through which calls are lost or corrupted without a word."""
        return tuple(hit for hit in self.hits if hit.silent)

    @property
    def loud(self) -> tuple[Hit, ...]:
        """Through which good calls are lost with an error, or the client hangs."""
        return tuple(hit for hit in self.hits if not hit.silent and hit.outcome != FLAGGED)

    @property
    def flagged(self) -> tuple[Hit, ...]:
        """Through which what is cut or failed is handed over, beside a finish reason that says so."""
        return tuple(hit for hit in self.hits if hit.outcome == FLAGGED)

    def worst(self, kind: Kind) -> Outcome | None:
        """The worst outcome that evidence of a kind makes sure; None if there is none."""
        found = [hit.by[kind] for hit in self.hits if kind in hit.by]
        return worst(found) if found else None


def join(table: Table, providers: Iterable[Provider]) -> list[Pair]:
    """Every client on every provider, by provider, in the orders given."""
    rows = list(table.rows)
    return [pair(row, provider) for provider in providers for row in rows]


def pair(client: Row, provider: Provider) -> Pair:
    """One client on one provider."""
    hits: list[Hit] = []
    depends: list[Hit] = []
    unharmed: list[str] = []
    unasked: list[str] = []
    cells = client.cells if client.client["judged"] else {}
    for slug, proof in provider.proofs.items():
        groups = _groups(cells[slug], proof) if slug in cells else []
        if sure := _sure(proof, groups):
            hits.append(sure)
        elif maybe := _maybe(proof, groups):
            depends.append(maybe)
        else:
            (unharmed if groups else unasked).append(slug)
    return Pair(
        client,
        provider,
        tuple(sorted(hits, key=_gravity)),
        tuple(sorted(depends, key=_gravity)),
        tuple(unharmed),
        tuple(unasked),
    )


def most_harmed(pairs: Iterable[Pair], number: int) -> Sequence[Pair]:
    """The pairs with most quirks, shown by bytes, that lose or corrupt calls without a word; then by how often."""
    counted = [(pair, [hit for hit in pair.silent if hit.kind != "reported"]) for pair in pairs]
    order = sorted(counted, key=lambda one: (-len(one[1]), -sum(hit.proof.share for hit in one[1])))
    return [pair for pair, hits in order[:number] if hits]


@dataclass(frozen=True, slots=True)
class _Group:
    """The faults that may be what was seen, of which a client was asked; `sure` if one of them has to be it."""

    kind: Kind
    cases: tuple[_Case, ...]
    sure: bool

    @property
    def least(self) -> Outcome:
        """What becomes of calls whichever of them it is."""
        return min((case["outcome"] for case in self.cases), key=harm)


def _groups(cell: Cell, proof: Proof) -> list[_Group]:
    """One for each form in which a quirk was seen; none where the client was not asked in that mode."""
    found = []
    for one in proof.sightings:
        if one.kind != "recorded" and proof.quirk in NOT_SENT:
            continue
        modes = [case for case in cell.cases if one.mode in (None, case["mode"])]
        asked = tuple(case for case in modes if case["outcome"] != "not-applicable")
        same = tuple(case for case in asked if one.form is not None and _form(proof.quirk, case) == one.form)
        sure = bool(same) if one.form is not None else len(asked) == len(modes) and _covered(proof.quirk, one, asked)
        if asked:
            # what somebody reports and no recording that could show it does is not sure to be so here and now
            found.append(_Group(one.kind, same or asked, sure and not proof.unseen))
    return found


def _covered(quirk: str, one: Sighting, cases: Sequence[_Case]) -> bool:
    """Whether the faults can stand for an answer whose form nobody knows: as grave, in all the forms that are known of
    the quirk, and one without a call if it may have none."""
    found = [form for case in cases if (form := _form(quirk, case)) is not None]
    if found and one.level is not None and one.level not in {form.level for form in found}:
        return False
    return not untried(quirk) and (has_calls(quirk) or any(form.calls == "none" for form in found))


def _form(quirk: str, case: _Case) -> Any:
    return forms(f"{case['fault']}.{case['mode']}").get(quirk)


def _sure(proof: Proof, groups: Sequence[_Group]) -> Hit | None:
    harmful = [group for group in groups if group.sure and harm(group.least) > 0]
    by = {kind: worst([group.least for group in harmful if group.kind == kind]) for kind in KINDS}
    return _hit(proof, {kind: one for kind, one in by.items() if harm(one) > 0}, harmful) if harmful else None


def _maybe(proof: Proof, groups: Sequence[_Group]) -> Hit | None:
    by = {kind: worst([c["outcome"] for g in groups if g.kind == kind for c in g.cases]) for kind in KINDS}
    by = {kind: one for kind, one in by.items() if harm(one) > 0}
    return _hit(proof, by, groups) if by else None


def _hit(proof: Proof, by: Mapping[Kind, Outcome], groups: Sequence[_Group]) -> Hit:
    outcome = worst(list(by.values()))
    cases = [case for group in groups for case in group.cases if harm(case["outcome"]) > 0]
    cases = list({(case["fault"], case["mode"]): case for case in cases}.values())
    cases.sort(key=lambda case: (case["outcome"] != outcome, -harm(case["outcome"])))
    modes: dict[Mode, None] = dict.fromkeys(case["mode"] for case in cases)
    return Hit(proof, by, tuple(modes), tuple(cases))


def _gravity(hit: Hit) -> tuple[bool, int, int, float, str]:
    """What is silent first, then what is shown by bytes, then what is worse and more frequent."""
    return (not hit.silent, KINDS.index(hit.kind), -harm(hit.outcome), -hit.proof.share, hit.proof.quirk)

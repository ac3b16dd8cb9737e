"""Sentences and symbols that every view of clients says alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from conformance.impact.join import Hit, Pair, Standing
from conformance.impact.judge import SILENT, Outcome, harm
from conformance.impact.known import KINDS, Kind, Proof
from conformance.impact.table import Cell, Row, Table
from conformance.report.elsewhere import Kind as Elsewhere
from conformance.text import plural

TITLE: Final = "What client libraries make of each quirk"
ABOUT: Final = (
    "Real libraries got made-up answers with one fault planted in each, and what they ended with was held against what "
    "was planted. Retries were off; all other settings were the default."
)
INCOMPLETE: Final = "INCOMPLETE: the measurement was interrupted. What is missing was not measured and says nothing."
WORST: Final = (
    "Where several faults stand for a quirk, the worst outcome counts: what a provider really sends may be milder."
)
JOINED: Final = (
    "Only quirks count for which there is evidence with that provider, of any kind, in answers of the same mode. "
    "Nothing known does not mean safe: it may be that nobody has looked."
)
SILENT_SYMBOL: Final = "✕"
LOUD_SYMBOL: Final = "!"
RIGHT_SYMBOL: Final = "✓"
NOTHING_SYMBOL: Final = "–"
COUNTED: Final = (
    "Numbers are quirks: ● recorded here, ◆ in recordings that others published, ¶ only reported; after ✓ those that "
    "the client survives."
)
STANDING_SYMBOLS: Final[Mapping[Standing, str]] = {
    "silent": SILENT_SYMBOL,
    "loud": LOUD_SYMBOL,
    "unharmed": RIGHT_SYMBOL,
    "nothing-known": "?",
    "not-judged": NOTHING_SYMBOL,
}
KIND_SYMBOLS: Final[Mapping[Kind, str]] = {
    "recorded": "●",
    "published": Elsewhere.SHOWN.symbol,
    "reported": Elsewhere.REPORTED.symbol,
}


def symbol(outcome: Outcome) -> str:
    """The mark of an outcome: silent, loud, right, or nothing to say."""
    if outcome in SILENT:
        return SILENT_SYMBOL
    return {"right": RIGHT_SYMBOL, "not-applicable": NOTHING_SYMBOL}.get(outcome, LOUD_SYMBOL)


def outcome(one: Outcome) -> str:
    """An outcome in a table: its mark, and its word unless the mark says it."""
    return symbol(one) if one in ("right", "not-applicable") else f"{symbol(one)} {one}"


def grade(one: Outcome) -> str:
    """The style of an outcome on a page: silent, loud, right or nothing."""
    return {SILENT_SYMBOL: "silent", LOUD_SYMBOL: "loud-outcome", RIGHT_SYMBOL: "right"}.get(symbol(one), "nothing")


def detail(cell: Cell) -> str:
    """What came of the worst case of a cell, in its adapter's or library's words."""
    return str(max(cell.cases, key=lambda case: harm(case["outcome"])).get("detail", ""))


def counts(proof: Proof) -> str:
    """The same, shorter: `● 5/60 ◆ 1/4 ¶`."""
    said = {"recorded": f"● {proof.recorded}", "published": f"◆ {proof.published}", "reported": "¶"}
    return " ".join(said[kind] for kind in proof.kinds)


def evidence(proof: Proof) -> str:
    """The evidence that a provider has a quirk: `● 5/60 recorded, ◆ 1/4 published, ¶ reported`."""
    said = {
        "recorded": f"{proof.recorded} recorded",
        "published": f"{proof.published} published",
        "reported": "reported" if proof.reported == 1 else f"reported by {proof.reported}",
    }
    return ", ".join(f"{KIND_SYMBOLS[kind]} {said[kind]}" for kind in proof.kinds)


def tally(row: Row) -> tuple[int, int, int, int]:
    """Quirks of a client: silently wrong, lost with an error, right, not applicable."""
    counted = row.tally
    silent = sum(number for one, number in counted.items() if one in SILENT)
    right, nothing = counted.get("right", 0), counted.get("not-applicable", 0)
    return silent, sum(counted.values()) - silent - right - nothing, right, nothing


def standing(pair: Pair) -> str:
    """What can be said of a client on a provider, short; quirks are counted by the strongest evidence.

    `✕ ●2 ¶1 ! ◆1`: what harms; `✓ 3`: quirks that it survives; `?`.
    """
    if not pair.hits:
        return f"{STANDING_SYMBOLS[pair.standing]} {len(pair.unharmed) or ''}".strip()
    return " ".join(
        f"{mark} {_counted(hits)}" for mark, hits in ((SILENT_SYMBOL, pair.silent), (LOUD_SYMBOL, pair.loud)) if hits
    )


def _counted(hits: Sequence[Hit]) -> str:
    counted = Counter(one.proof.kinds[0] for one in hits)
    return " ".join(f"{KIND_SYMBOLS[kind]}{counted[kind]}" for kind in KINDS if counted[kind])


def by_kind(pair: Pair) -> str:
    """The worst outcome by kind of evidence: `● merged, ¶ dropped`."""
    found = ((kind, pair.worst(kind)) for kind in KINDS)
    return ", ".join(f"{KIND_SYMBOLS[kind]} {one}" for kind, one in found if one is not None)


def hit(one: Hit) -> str:
    """Through which quirk, how often, and what becomes of calls: `index-missing (● 2/14 recorded): merged`."""
    return f"{one.proof.quirk} ({evidence(one.proof)}): {one.outcome}"


def only(modes: Sequence[str]) -> str:
    """Where it holds: empty for both modes."""
    return "" if len(modes) != 1 else "streamed" if modes[0] == "stream" else "complete answers"


def measured(table: Table) -> str:
    """How much was measured, in one sentence."""
    judged = sum(bool(row.client["judged"]) for row in table.rows)
    faults = {fault["fault"] for quirk in table.quirks for fault in quirk["faults"]}
    return (
        f"{plural(judged, 'client')} judged on {plural(len(table.quirks), 'quirk')} "
        f"by {plural(len(faults), 'planted fault')}, {table.day}."
    )

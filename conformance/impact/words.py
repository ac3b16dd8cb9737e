"""Sentences and symbols that every view of clients says alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Final

from conformance.impact.join import FLAGGED, Hit, Pair, Standing
from conformance.impact.judge import SILENT, Outcome, harm
from conformance.impact.known import KINDS, Kind, Proof
from conformance.impact.table import Cell, Row, Table
from conformance.report.elsewhere import Kind as Elsewhere
from conformance.text import plural, visible

TITLE: Final = "What client libraries make of each quirk"
ABOUT: Final = (
    "Real libraries got made-up answers with one fault planted in each, and what they ended with was held against what "
    "was planted. Retries were off; which other settings are not a client's defaults stands under “drives”."
)
INCOMPLETE: Final = "INCOMPLETE: the measurement was interrupted. What is missing was not measured and says nothing."
WORST: Final = (
    "Where several faults stand for a quirk, the worst outcome counts: what a provider really sends may be milder."
)
JOINED: Final = (
    "Only quirks count for which there is evidence with that provider, in answers of the same mode. A loss is named "
    "only where the evidence has the form that loses: for what was recorded here, planted answers of the same form "
    "speak; what others published or report has no form that is known here, so that a client has to lose in every form "
    "that was tried. What depends on the form stands apart and is not counted. Nothing known does not mean safe: "
    "it may be that nobody has looked."
)
DEPENDS: Final = (
    "Depends on the form of the answer: the client is harmed in some form and not in another, or the form that the "
    "provider shows, or may show, was not tried, or only a report says so and no recording that could show it does. "
    "What is named is the worst."
)
_DETAIL: Final = 120
HONEST: Final = "Gets honest answers wrong, whatever the provider"
SILENT_SYMBOL: Final = "✕"
LOUD_SYMBOL: Final = "!"
RIGHT_SYMBOL: Final = "✓"
FLAGGED_SYMBOL: Final = "⚑"
DEPENDS_SYMBOL: Final = "±"
HONEST_SYMBOL: Final = "‼"
NOTHING_SYMBOL: Final = "–"
COUNTED: Final = (
    "Numbers are quirks: ● recorded here, ◆ in recordings that others published, ¶ only reported; after ± those that "
    "depend on the form, after ✓ those that the client survives."
)
STANDING_SYMBOLS: Final[Mapping[Standing, str]] = {
    "honest": HONEST_SYMBOL,
    "silent": SILENT_SYMBOL,
    "loud": LOUD_SYMBOL,
    "flagged": FLAGGED_SYMBOL,
    "depends": DEPENDS_SYMBOL,
    "unharmed": RIGHT_SYMBOL,
    "nothing-known": "?",
    "not-judged": NOTHING_SYMBOL,
}
_ASKED: Final[Mapping[str, str]] = {
    "honest-one": "one call",
    "honest-two": "two calls at once",
    "honest-again": "one call after an earlier turn",
    "honest-named": "a call that the request names",
    "honest-strict": "one call of a strict tool",
    "honest-text": "a text without a call",
    "honest-usage": "one call, and usage at the end",
}
KIND_SYMBOLS: Final[Mapping[Kind, str]] = {
    "recorded": "●",
    "published": Elsewhere.SHOWN.symbol,
    "reported": Elsewhere.REPORTED.symbol,
}


def symbol(outcome: Outcome) -> str:
    """The mark of an outcome: silent, loud, flagged, right, or nothing to say."""
    if outcome in SILENT:
        return SILENT_SYMBOL
    others: Mapping[str, str] = {"right": RIGHT_SYMBOL, "not-applicable": NOTHING_SYMBOL, FLAGGED: FLAGGED_SYMBOL}
    return others.get(outcome, LOUD_SYMBOL)


def outcome(one: Outcome) -> str:
    """An outcome in a table: its mark, and its word unless the mark says it."""
    return symbol(one) if one in ("right", "not-applicable") else f"{symbol(one)} {one}"


def grade(one: Outcome) -> str:
    """The style of an outcome on a page: silent, loud (flagged as well), right or nothing."""
    styles = {SILENT_SYMBOL: "silent", RIGHT_SYMBOL: "right", NOTHING_SYMBOL: "nothing"}
    return styles.get(symbol(one), "loud-outcome")


def detail(cell: Cell) -> str:
    """What came of the worst case of a cell, in its adapter's or library's words."""
    return str(max(cell.cases, key=lambda case: harm(case["outcome"])).get("detail", ""))


def counts(proof: Proof, kinds: Container[Kind] = KINDS) -> str:
    """The same, shorter: `● 5/60 ◆ 1/4 ¶`."""
    said = {"recorded": f"● {proof.recorded}", "published": f"◆ {proof.published}", "reported": "¶"}
    return " ".join(said[kind] for kind in proof.kinds if kind in kinds)


def evidence(proof: Proof, kinds: Container[Kind] = KINDS) -> str:
    """The evidence that a provider has a quirk: `● 5/60 recorded, ◆ 1/4 published, ¶ reported`.

    Args:
        proof: all there is.
        kinds: those to name; of a loss, the kinds that make it sure (`Hit.by`).
    """
    said = {
        "recorded": f"{proof.recorded} recorded",
        "published": f"{proof.published} published",
        "reported": "reported" if proof.reported == 1 else f"reported by {proof.reported}",
    }
    return ", ".join(f"{KIND_SYMBOLS[kind]} {said[kind]}" for kind in proof.kinds if kind in kinds)


def tally(row: Row) -> tuple[int, int, int, int]:
    """Quirks of a client: silently wrong, lost with an error, flagged, right."""
    counted: dict[str, int] = {}
    for one, number in row.tally.items():
        counted[symbol(one)] = counted.get(symbol(one), 0) + number
    silent, loud, flagged, right = (
        counted.get(one, 0) for one in (SILENT_SYMBOL, LOUD_SYMBOL, FLAGGED_SYMBOL, RIGHT_SYMBOL)
    )
    return silent, loud, flagged, right


def honest(row: Row) -> list[str]:
    """The honest answers that a client gets wrong: `two calls at once (streamed): dropped: 1 call lost`."""
    found = []
    for case in row.lost:
        asked = _ASKED.get(case["request"], case["request"])
        detail = f": {visible(case['detail'], _DETAIL)}" if case.get("detail") else ""
        found.append(f"{asked} ({only([case['mode']])}): {case['outcome']}{detail}")
    return found


def standing(pair: Pair) -> str:
    """What can be said of a client on a provider, short; quirks are counted by the strongest evidence.

    `✕ ●2 ¶1 ! ◆1 ± 1`: what harms, and what depends; `✓ 3`: quirks that it survives; `?`; `‼` before any of them.
    """
    if pair.standing == "not-judged":
        return NOTHING_SYMBOL
    marked = ((SILENT_SYMBOL, pair.silent), (LOUD_SYMBOL, pair.loud), (FLAGGED_SYMBOL, pair.flagged))
    parts = [f"{mark} {_counted(hits)}" for mark, hits in marked if hits]
    if pair.depends:
        parts.append(f"{DEPENDS_SYMBOL} {len(pair.depends)}")
    if not parts:
        parts.append(f"{RIGHT_SYMBOL} {len(pair.unharmed)}" if pair.unharmed else STANDING_SYMBOLS["nothing-known"])
    return " ".join([HONEST_SYMBOL, *parts] if pair.client.lost else parts)


def _counted(hits: Sequence[Hit]) -> str:
    counted = Counter(one.kind for one in hits)
    return " ".join(f"{KIND_SYMBOLS[kind]}{counted[kind]}" for kind in KINDS if counted[kind])


def hit(one: Hit) -> str:
    """Through which quirk, how often, and what becomes of calls: `index-missing (● 2/14 recorded): merged`."""
    return f"{one.proof.quirk} ({evidence(one.proof, one.by)}): {one.outcome}"


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

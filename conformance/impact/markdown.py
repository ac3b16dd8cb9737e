"""`clients.md`: clients, client × provider and client × quirk, as GitHub shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from conformance.impact import words
from conformance.impact.join import STANDINGS, Hit, Pair, join, most_harmed
from conformance.impact.judge import OUTCOMES, Outcome, harm
from conformance.impact.known import Provider
from conformance.impact.table import Cell, Row, Table
from conformance.report.text import anchor, prose, ticked
from conformance.text import plural

_ACROSS: Final = 8
"""Columns of one table, so that nothing scrolls sideways."""
_HARMED: Final = 10
_TALLY: Final = (
    f"{words.SILENT_SYMBOL} silently wrong | {words.LOUD_SYMBOL} lost, with an error | "
    f"{words.FLAGGED_SYMBOL} flagged | right"
)
_Item = TypeVar("_Item")


def render(table: Table, providers: Sequence[Provider]) -> str:
    """The whole document.

    Args:
        table: what clients make of quirks.
        providers: what is known of providers; none if nothing is at hand.
    """
    pairs = join(table, providers)
    parts = [_head(table), _clients(table), *_by_provider(table, pairs), _legend(), _by_quirk(table), _left(table)]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def _head(table: Table) -> Iterator[str]:
    yield f"# {words.TITLE}"
    if not table.complete:
        yield f"\n> [!CAUTION]\n> **{words.INCOMPLETE}**"
    yield f"\n{words.ABOUT} {words.measured(table)}"


def _clients(table: Table) -> Iterator[str]:
    yield "## Clients\n"
    yield "Quirks by the worst of their outcomes.\n"
    yield f"| client | version | language | {_TALLY} | drives |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |"
    for row in table.rows:
        said = row.client
        versions = [said["version"] or "", *(f"{name} {version}" for name, version in said["packages"].items())]
        counts = " | ".join(map(str, words.tally(row))) if said["judged"] else f"not judged | | | {prose(said['why'])}"
        yield (
            f"| {_named(row)} | {prose(', '.join(one for one in versions if one))} | {prose(said['language'])} "
            f"| {counts} | {prose(said['drives'])} |"
        )
    losing = [row for row in table.rows if row.client["judged"] and row.lost]
    if losing:
        yield f"\n**{words.HONEST_SYMBOL} {words.HONEST}:**\n"
        yield from (f"- **{prose(row.label)}:** {prose('; '.join(words.honest(row)), 2000)}" for row in losing)


def _by_provider(table: Table, pairs: Sequence[Pair]) -> Iterator[Iterator[str]]:
    told: dict[str, list[Pair]] = {}
    for pair in pairs:
        told.setdefault(pair.provider.label, []).append(pair)
    telling = {
        label: group
        for label, group in told.items()
        if any(pair.hits or pair.depends or pair.unharmed for pair in group)
    }
    if not telling:
        return
    yield _grid(table, telling)
    yield _most(pairs)
    yield iter(["## By provider\n", words.DEPENDS])
    for label, group in telling.items():
        yield _provider(label, group)
    yield _silent([label for label in told if label not in telling])


def _grid(table: Table, telling: dict[str, list[Pair]]) -> Iterator[str]:
    yield "## Client × provider\n"
    yield f"{words.JOINED} {words.COUNTED}\n"
    symbols = words.STANDING_SYMBOLS.items()
    yield "<br>".join(f"{symbol} {STANDINGS[standing]}" for standing, symbol in symbols if standing != "not-judged")
    for labels in _in_turn(list(telling)):
        heads = " | ".join(f"[{prose(label)}](#{_place(label)})" for label in labels)
        yield f"\n| client | {heads} |\n| --- |{' --- |' * len(labels)}"
        for number, row in enumerate(table.rows):
            cells = (_whole(words.standing(telling[label][number])) for label in labels)
            yield f"| {_named(row)} | {' | '.join(cells)} |"


def _most(pairs: Sequence[Pair]) -> Iterator[str]:
    worst = most_harmed(pairs, _HARMED)
    if not worst:
        return
    yield "### Most harmed\n"
    yield "By how many quirks lose or corrupt calls without a word, shown by recordings of ours or of others.\n"
    yield "| client | provider | through |\n| --- | --- | --- |"
    for pair in worst:
        through = "<br>".join(prose(words.hit(hit)) for hit in pair.silent)
        yield f"| {prose(pair.client.label)} | {prose(pair.provider.label)} | {through} |"


def _provider(label: str, group: Sequence[Pair]) -> Iterator[str]:
    yield f'<a id="{_place(label)}"></a>\n\n### {prose(label)}\n'
    harmful: dict[str, list[tuple[Row, Hit]]] = {}
    for pair in group:
        for hit in pair.hits:
            harmful.setdefault(hit.proof.quirk, []).append((pair.client, hit))
    if harmful:
        yield from _harmful(group[0].provider, harmful)
    else:
        yield "None of its quirks that clients were asked about is sure to harm any of them."
    yield from _depending(group)


def _harmful(provider: Provider, harmful: Mapping[str, Sequence[tuple[Row, Hit]]]) -> Iterator[str]:
    told = f"{words.LOUD_SYMBOL} with an error, {words.FLAGGED_SYMBOL} flagged"
    yield f"| quirk | evidence | {words.SILENT_SYMBOL} without a word | {told} |"
    yield "| --- | --- | --- | --- |"
    for slug in (slug for slug in provider.proofs if slug in harmful):
        found = harmful[slug]
        silent = _grouped([(row, hit.outcome) for row, hit in found if hit.silent])
        loud = _grouped([(row, hit.outcome) for row, hit in found if not hit.silent])
        yield f"| [{prose(slug)}](#{anchor('quirk', slug)}) | {_evidence(found)} | {silent} | {loud} |"


def _depending(group: Sequence[Pair]) -> Iterator[str]:
    """Folded: what depends on the form of the answer."""
    found: dict[str, list[tuple[Row, Hit]]] = {}
    for pair in group:
        for hit in pair.depends:
            found.setdefault(hit.proof.quirk, []).append((pair.client, hit))
    if not found:
        return
    count = plural(len(found), "quirk")
    yield f"\n<details><summary>{words.DEPENDS_SYMBOL} {count}: it depends on the form of the answer</summary>\n"
    yield "| quirk | evidence | at worst |\n| --- | --- | --- |"
    for slug, clients in found.items():
        outcomes = _grouped([(row, hit.outcome) for row, hit in clients])
        link = f"[{prose(slug)}](#{anchor('quirk', slug)})"
        yield f"| {link} | {_evidence(clients)} | {outcomes} |"
    yield "\n</details>"


def _evidence(found: Sequence[tuple[Row, Hit]]) -> str:
    return prose(words.evidence(found[0][1].proof, {kind for _, hit in found for kind in hit.by}))


def _named(row: Row) -> str:
    return prose(row.client["key"]) + (f"&nbsp;{words.HONEST_SYMBOL}" if row.client["judged"] and row.lost else "")


def _grouped(found: Sequence[tuple[Row, Outcome]]) -> str:
    by_outcome: dict[Outcome, list[str]] = {}
    for row, outcome in sorted(found, key=lambda one: -harm(one[1])):
        by_outcome.setdefault(outcome, []).append(row.label)
    return "<br>".join(f"**{one}**: {prose(', '.join(labels), 4000)}" for one, labels in by_outcome.items())


def _silent(labels: Sequence[str]) -> Iterator[str]:
    if labels:
        yield f"Nothing that clients were asked about is known of {prose(', '.join(labels), 4000)}."


def _legend() -> Iterator[str]:
    yield "## Client × quirk\n"
    yield f"{words.WORST} Only quirks that harm a client of the table.\n"
    yield "<br>".join(f"{words.outcome(one)}: {meaning}" for one, meaning in OUTCOMES.items())


def _by_quirk(table: Table) -> Iterator[str]:
    placed: set[str] = set()
    for rows in _in_turn([row for row in table.rows if row.client["judged"]]):
        yield f"| quirk | level | {' | '.join(prose(row.label) for row in rows)} |\n| --- | --- |{' --- |' * len(rows)}"
        for quirk in table.quirks:
            slug = quirk["slug"]
            cells = [row.cells.get(slug) for row in rows]
            if any(cell is not None and harm(cell.outcome) > 0 for cell in cells):
                place = "" if slug in placed else f'<a id="{anchor("quirk", slug)}"></a>'
                placed.add(slug)
                said = " | ".join(_cell(cell) for cell in cells)
                yield f"| {place}{prose(slug)} | {prose(quirk['level'])} | {said} |"
        yield ""


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    where = words.only([mode for mode, outcome in cell.modes.items() if outcome == cell.outcome])
    narrower = f" ({where})" if where and len(cell.modes) > 1 else ""
    return _whole(words.outcome(cell.outcome)) + narrower


def _left(table: Table) -> Iterator[str]:
    judged = [row for row in table.rows if row.client["judged"]]
    clean = [q for q in table.quirks if judged and not table.breaks(q["slug"])]
    if clean:
        yield "## Quirks that harm no client\n"
        yield from (f"- {prose(quirk['slug'])}: {ticked(quirk['title'])}" for quirk in clean)


def _in_turn(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), _ACROSS):
        yield items[start : start + _ACROSS]


def _place(label: str) -> str:
    return anchor("on", label)


def _whole(text: str) -> str:
    # a count that is broken after its symbol is hard to read
    return text.replace(" ", "&nbsp;")

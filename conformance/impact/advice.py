"""What goes wrong with a client on a provider, why, and the guard. Pure; every view of it draws this."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from conformance.errors import ConfigError
from conformance.impact.cases import LEFT_OUT
from conformance.impact.join import NOT_SENT, Hit, Pair, pair
from conformance.impact.known import Provider
from conformance.impact.table import Row, Table
from conformance.quirks.registry import Quirk, catalogue
from conformance.text import plural, visible

_NEAR: Final = 3
_UNKNOWN: Final = "this version does not know the quirk"
_CODE: Final[Mapping[str, str]] = {"Python": "python", "JavaScript": "typescript", "TypeScript": "typescript"}


@dataclass(frozen=True, slots=True)
class Harm:
    """A quirk that harms, and what to do about it.

    Attributes:
        hit: the quirk, its evidence, and what becomes of calls.
        level, title: of the quirk; `""` if this version does not know it.
        example: the worst fault, as in `clients.json`.
        planted: what the server did there.
        guard: what a client does about it.
        language, code: the guard as code in the client's language; `""` where there is none.
    """

    hit: Hit
    level: str
    title: str
    example: Mapping[str, Any]
    planted: str
    guard: str
    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What can be said about a client on one model of a provider.

    Attributes:
        pair: which, and the quirks.
        harms: what goes wrong, gravest first.
        depends: what goes wrong in some form of the answer that the provider need not send; gravest first.
        unknown: what is not known, a sentence each.
    """

    pair: Pair
    harms: tuple[Harm, ...]
    depends: tuple[Harm, ...]
    unknown: tuple[str, ...]


def advise(table: Table, client: Row, provider: Provider) -> Advice:
    """Say what is known.

    Args:
        table: what clients make of quirks.
        client: one of its rows.
        provider: what is known of the provider.
    """
    found = pair(client, provider)
    titles = {fault["fault"]: fault["title"] for quirk in table.quirks for fault in quirk["faults"]}
    harms, depends = (
        tuple(_harm(hit, client.client["language"], titles) for hit in hits) for hits in (found.hits, found.depends)
    )
    return Advice(found, harms, depends, tuple(_unknown(table, found)))


def choose_client(table: Table, name: str) -> Row:
    """The client of this name; with a version in brackets, as tables show it, the one measured with that version.

    Raises:
        ConfigError: there is none.
    """
    keys = [row.client["key"] for row in table.rows]
    return table.rows[_place("--client", name, keys)]


def choose_providers(providers: Sequence[Provider], name: str, model: str) -> list[Provider]:
    """The rows of a provider.

    Args:
        providers: all.
        name: of the provider.
        model: only this model; `""` for all.

    Raises:
        ConfigError: there is none.
    """
    names = [one.name for one in providers]
    first = names[_place("--provider", name, names)]
    mine = [one for one in providers if one.name == first]
    if not model:
        return mine
    return [mine[_place("--model", model, [one.model for one in mine])]]


def _place(option: str, name: str, names: Sequence[str]) -> int:
    if name in names:
        return names.index(name)
    near = difflib.get_close_matches(name, list(dict.fromkeys(names)), _NEAR)
    near += [one for one in dict.fromkeys(names) if name and name.lower() in one.lower() and one not in near][:_NEAR]
    hint = f"did you mean {' or '.join(visible(one, 80) for one in near)}?" if near else _all(names)
    raise ConfigError(f"{option} {visible(name, 80)}: the reports do not know it; {hint}")


def _all(names: Iterable[str]) -> str:
    return visible(f"they know {', '.join(one for one in dict.fromkeys(names) if one) or 'none'}", 2000)


def _harm(hit: Hit, language: str, titles: Mapping[str, str]) -> Harm:
    quirk = _catalogue().get(hit.proof.quirk)
    example = hit.cases[0]
    planted = titles.get(example["fault"], "")
    if quirk is None:
        return Harm(hit, "", "", example, planted, "", "", "")
    kind = _CODE.get(language, "")
    code = {"python": quirk.guard_python, "typescript": quirk.guard_typescript}.get(kind, "")
    return Harm(hit, quirk.level, quirk.title, example, planted, quirk.guard, kind if code else "", code)


def _unknown(table: Table, found: Pair) -> Iterable[str]:
    client, provider = found.client.client, found.provider
    if not client["judged"]:
        yield f"What {client['key']} makes of quirks: it was not judged: {client['why'] or 'no reason is given'}."
    if not table.complete:
        yield "What a part of the clients make of quirks: their measurement was interrupted."
    if not provider.judged:
        theirs = f"{plural(provider.published, 'exchange')} that others published" if provider.published else "reports"
        yield f"How {provider.label} answers here: it was never recorded; what stands above rests on {theirs}."
    asked = {quirk["slug"] for quirk in table.quirks}
    silent = len(asked - set(provider.proofs))
    if silent:
        yield (
            f"Whether {provider.label} has any of the other {plural(silent, 'quirk')} that clients were asked about: "
            "there is no evidence, which does not mean that it has not."
        )
    if client["judged"]:
        yield from _unasked(found)


def _unasked(found: Pair) -> Iterable[str]:
    by_reason: dict[str, list[str]] = {}
    for slug in found.unasked:
        quirk = _catalogue().get(slug)
        why = NOT_SENT.get(slug) or (LEFT_OUT.get(quirk.area, "") if quirk is not None else _UNKNOWN)
        by_reason.setdefault(why or "it was not, or could not be, asked", []).append(slug)
    for why, slugs in by_reason.items():
        yield f"What it makes of {', '.join(slugs)}: {why}."


@cache
def _catalogue() -> Mapping[str, Quirk]:
    return {quirk.slug: quirk for quirk in catalogue()}

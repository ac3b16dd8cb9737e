"""Which hop: pairs, counts, and what may be said of a gateway."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.report import html, json_, markdown, terminal
from conformance.report.hops import Change, Hop
from conformance.report.matrix import build
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow
from tests.report.examples import NASTY, exchange, finding, missing, provider, record

VIA = {"gate": "acme"}
SLUG = "index-missing"
ABLE: dict[str, Any] = {"applicable": [SLUG]}


def both(*rows: ExchangeRow, via: dict[str, str] | None = None) -> Record:
    return record(*rows, providers=[provider(), provider("gate")], via=VIA if via is None else via)


def hop(*rows: ExchangeRow) -> Hop:
    (only,) = build(both(*rows)).hops
    return only


def pair(straight: str, through: str, scenario: str = "single_call", **fields: Any) -> tuple[ExchangeRow, ExchangeRow]:
    """Two exchanges, each `found`, `clean` or `blind` (it could not have shown it)."""
    return tuple(  # type: ignore[return-value]
        exchange(
            name,
            scenario,
            "stream",
            *([finding(SLUG, **fields)] if state == "found" else []),
            applicable=[] if state == "blind" else [SLUG],
        )
        for name, state in (("acme", straight), ("gate", through))
    )


@pytest.mark.parametrize(
    ("pairs", "change"),
    [
        (["clean found", "clean clean"], Change.ADDED),
        (["found clean", "clean clean"], Change.HID),
        (["found found", "clean clean"], Change.SAME),
        (["found found", "clean found"], Change.CHANGED),
        (["found clean", "clean found"], Change.CHANGED),
        (["blind found", "clean clean"], Change.UNDECIDED),
        (["found blind"], Change.UNDECIDED),
        (["blind found", "clean found"], Change.ADDED),
        (["blind found", "found found"], Change.SAME),
    ],
)
def test_what_a_gateway_did(pairs: list[str], change: Change) -> None:
    rows = [row for n, states in enumerate(pairs) for row in pair(*states.split(), scenario=f"s{n}")]  # type: ignore[misc]
    (only,) = hop(*rows).quirks
    assert (only.slug, only.change) == (SLUG, change)


def test_counts_are_of_pairs_that_could_show_it() -> None:
    rows = [*pair("clean", "found", "a"), *pair("blind", "found", "b"), *pair("clean", "clean", "c")]
    (only,) = hop(*rows).quirks
    assert (only.straight.count, only.through.count) == ("0/2", "2/3")
    assert hop(*rows).summary == "3 exchanges compared: 1 added."


def test_the_same_quirk_at_another_level_is_changed() -> None:
    straight = exchange("acme", "a", "stream", finding(SLUG, "info"), **ABLE)
    through = exchange("gate", "a", "stream", finding(SLUG, "must"), **ABLE)
    (only,) = hop(straight, through).quirks
    assert (only.level, only.change) == ("must", Change.CHANGED)


def test_what_the_model_did_is_not_the_gateways() -> None:
    (only,) = hop(*pair("clean", "found", layer="model")).quirks
    assert (only.layer, only.change) == ("model", Change.MODEL)


def test_a_quirk_that_neither_shows_is_not_listed() -> None:
    compared = hop(*pair("clean", "clean"))
    assert (compared.quirks, compared.pairs) == ((), 1)
    assert compared.summary == "1 exchange compared: no quirk on either way."


def test_what_has_no_partner_is_said() -> None:
    compared = hop(
        *pair("clean", "found"),
        exchange("acme", "no_call"),
        exchange("gate", "two_tools", "complete"),
        missing("acme", "round_trip"),
        exchange("gate", "round_trip"),
        exchange("gate", "round_trip", step=1),
        missing("acme", "lost"),
        missing("gate", "lost", reason="timeout"),
    )
    assert compared.pairs == 1
    assert {(one.why, one.places) for one in compared.unpaired} == {
        ("gate not asked", ("no_call/stream",)),
        ("acme not asked", ("round_trip/stream step 1", "two_tools/complete")),
        ("acme not run: refused", ("round_trip/stream",)),
        ("acme not run: refused, gate not run: timeout", ("lost/stream",)),
    }


def test_nothing_to_compare_is_said() -> None:
    compared = hop(missing("acme"), missing("gate"))
    assert compared.pairs == 0
    assert compared.summary == "No exchange is compared: none was judged on both ways."


def test_samples_and_steps_are_paired_with_their_own() -> None:
    rows = [
        exchange(
            name,
            "a",
            "stream",
            *([finding(SLUG)] if (name, sample, step) == ("gate", 1, 1) else []),
            sample=sample,
            step=step,
            **ABLE,
        )
        for name in ("acme", "gate")
        for sample in (0, 1)
        for step in (0, 1)
    ]
    (only,) = hop(*rows).quirks
    assert (only.straight.count, only.through.count, only.change) == ("0/4", "1/4", Change.ADDED)


def test_several_gateways_and_records() -> None:
    first = both(*pair("clean", "found"))
    names = ("acme", "other")
    second = record(
        *(exchange(name, "single_call", "stream", applicable=[SLUG]) for name in names),
        providers=[provider(name) for name in names],
        via={"other": "acme"},
        started="2026-11-30T01:00:00+00:00",
    )
    titles = [one.title for one in build(first, second).hops]
    assert titles == ["acme through gate", "acme through other"]


def test_without_via_nothing_changes() -> None:
    rows = pair("clean", "found")
    plain = build(record(*rows))
    assert plain.hops == ()
    for text in (markdown.render(plain), html.render(plain), json_.render(plain), terminal.render(plain)):
        assert "hop" not in text.lower()


def test_every_view_shows_it() -> None:
    matrix = build(both(*pair("clean", "found"), exchange("acme", "no_call")))
    page, text, plain = markdown.render(matrix), html.render(matrix), terminal.render(matrix)
    assert "## Which hop? acme through gate" in page
    assert f"| [{SLUG}](#quirk-{SLUG}) | must | server | 0/1 | 1/1 | added |" in page
    assert (
        "Not compared, gate not asked: no&#95;call/stream." in page
        or "Not compared, gate not asked: no_call/stream." in page
    )
    assert "Which hop? acme through gate</h2>" in text
    assert "gate not asked: no_call/stream" in text
    assert "acme through gate: 1 exchange compared: 1 added." in plain
    assert f"  added    must   {SLUG}: straight 0/1, through gate 1/1" in plain.splitlines()
    document = json.loads(json_.render(matrix))
    assert jsonschema_rs.validator_for(json_.schema()).is_valid(document)
    (only,) = document["hops"]
    assert only["quirks"][0]["change"] == "added"
    assert only["unpaired"] == [{"why": "gate not asked", "exchanges": ["no_call/stream"]}]


def test_names_cannot_escape() -> None:
    rows = [exchange(name, NASTY, "stream", finding(SLUG), evidence=None) for name in ("acme", NASTY)]
    matrix = build(record(*rows, providers=[provider(), provider(NASTY)], via={NASTY: "acme"}))
    assert matrix.hops[0].pairs == 1
    section = markdown.render(matrix).partition("## Which hop?")[2].partition("\n## ")[0]
    for text in (section, html.render(matrix)):
        assert "<script>alert" not in text
    for text in (markdown.render(matrix), html.render(matrix), terminal.render(matrix)):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert len(terminal.render(matrix).splitlines()) < 20


@given(st.lists(st.tuples(*[st.sampled_from(["found", "clean", "blind"])] * 2), min_size=1, max_size=6))
def test_a_gateway_is_never_blamed_without_a_pair_that_shows_it(states: list[tuple[str, str]]) -> None:
    compared = hop(*(row for n, two in enumerate(states) for row in pair(*two, scenario=f"s{n}")))
    if not compared.quirks:
        assert all("found" not in two for two in states)
        return
    (only,) = compared.quirks
    assert (only.change is Change.ADDED) <= (("clean", "found") in states)
    assert (only.change is Change.HID) <= (("found", "clean") in states)
    assert (only.change is Change.SAME) <= (("found", "found") in states)
    assert only.straight.occurrences == sum(one == "found" for one, _ in states)
    assert only.through.applicable == sum(other != "blind" for _, other in states)

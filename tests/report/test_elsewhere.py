"""Published and reported evidence stands beside our own and changes nothing of it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.audit.observation import Observation
from conformance.quirks import catalogue
from conformance.report import html, json_, junit, markdown, summary
from conformance.report.elsewhere import Kind, sighted
from conformance.report.matrix import Matrix, State, build
from conformance.run.record import Record
from tests.report.examples import (
    ALL,
    exchange,
    expectation,
    finding,
    missing,
    observation,
    provider,
    record,
    row_of,
)

RED = record(
    exchange("acme", "single_call", "stream", finding(), finding("comment", "info")),
    exchange("zeta"),
    exchange("zeta", "single_call", "complete"),
    missing("acme", "two_tools"),
    providers=[
        provider("acme"),
        provider("zeta", expectations=[expectation("id-*")]),
        provider("never", recorded=False),
    ],
    stale=[{"provider": "zeta", "quirk": "id-*", "applicable": 4}],
)
OBSERVATIONS = st.lists(
    st.builds(
        observation,
        st.sampled_from(["acme", "zeta", "never", "other"]),
        st.sampled_from([*ALL, "result-missing", "of-tomorrow"]),
        st.integers(0, 3),
        st.integers(3, 9),
        level=st.sampled_from(["must", "should", "info"]),
        model=st.sampled_from(["", "m1", "m2"]),
        repository=st.sampled_from(["octo/agent", "octo/other"]),
        first=st.sampled_from([None, "2024-05-06"]),
    ),
    max_size=12,
)


def beside(*observations: Observation, of: Iterable[Record] = (RED,)) -> Matrix:
    return build(*of, observations=observations)


@given(OBSERVATIONS)
def test_nothing_that_was_recorded_changes(observations: list[Observation]) -> None:
    alone, both = build(RED), beside(*observations)
    assert both.exit_code == alone.exit_code == 1
    assert (both.judged, both.not_run, both.stale) == (alone.judged, alone.not_run, alone.stale)
    rows = {(row.provider["name"], row.model): row for row in both.rows if not row.elsewhere}
    assert len(rows) == len(alone.rows)
    for row in alone.rows:
        same = rows[row.provider["name"], row.model]
        assert same.verdict == row.verdict
        for slug, cell in row.cells.items():
            counted = (cell.state, cell.level, cell.occurrences, cell.applicable, cell.evidence)
            other = same.cells[slug]
            assert (other.state, other.level, other.occurrences, other.applicable, other.evidence) == counted
    assert junit.render(both) == junit.render(alone)


@settings(max_examples=25)
@given(OBSERVATIONS, st.randoms(use_true_random=False))
def test_neither_order_nor_repetition_matters(observations: list[Observation], chance: random.Random) -> None:
    mixed = observations + observations[: len(observations) // 2]
    chance.shuffle(mixed)
    for render in (markdown.render, html.render, json_.render):
        assert render(beside(*mixed)) == render(beside(*observations))


def test_equal_lines_count_once_and_others_add_up() -> None:
    one, more = observation(found=2, applicable=5), observation(found=1, applicable=4, repository="octo/other")
    cell = row_of(beside(one, dict(one), more)).cells["index-missing"]  # type: ignore[arg-type]
    assert cell.published is not None
    assert (cell.published.occurrences, cell.published.applicable) == (3, 9)
    assert [each["repository"] for each in cell.published.shown] == ["octo/agent", "octo/other"]


def test_the_gravest_level_found_counts_and_a_line_that_found_nothing_has_none() -> None:
    mild, none = observation(level="info"), observation(found=0, level="must", mode="complete")
    published = row_of(beside(mild, none)).cells["index-missing"].published
    assert published is not None
    assert (published.level, published.kind) == ("info", Kind.SHOWN)
    published = row_of(beside(none)).cells["index-missing"].published
    assert published is not None
    assert (published.level, published.kind, published.shown) == ("info", Kind.CLEAR, ())


def test_a_provider_that_only_observations_know_gets_a_row() -> None:
    row = row_of(beside(observation("other")), "other")
    assert (row.elsewhere, row.judged, row.verdict.kind) == (True, 0, "no-recording")
    assert {cell.state for cell in row.cells.values()} == {State.NO_RECORDING}
    assert row.cells["index-missing"].published is not None


def test_rows_stay_in_the_order_of_their_names() -> None:
    names = [row.label for row in beside(observation("other"), observation("beta")).rows if row.label not in sighted()]
    assert names == ["acme", "beta", "never", "other", "zeta"]


def test_a_single_row_takes_every_model() -> None:
    row = row_of(beside(observation(model="m7"), observation(model="m8")))
    assert row.model == "m1"
    assert row.published is not None
    assert row.published.models == ("m7", "m8")


def test_a_provider_with_several_rows_gets_a_further_one_for_what_others_published() -> None:
    two = record(exchange(model="big"), exchange(model="small"), providers=[provider(models=["big", "small"])])
    matrix = beside(observation(model="big"), observation(found=0, quirk="comment"), of=[two])
    mine = [row for row in matrix.rows if row.provider["name"] == "acme"]
    assert [(row.label, row.elsewhere, row.published is not None) for row in mine] == [
        ("acme big", False, False),
        ("acme small", False, False),
        ("acme (published)", True, True),
    ]
    assert len({row.key for row in matrix.rows}) == len(matrix.rows)
    assert mine[2].verdict.kind == "no-recording"


def test_a_quirk_that_no_record_looked_for_is_shown() -> None:
    matrix = beside(observation(quirk="index-reused"), observation(quirk="of-tomorrow", level="should"))
    columns = {column.slug: column for column in matrix.columns}
    assert (columns["index-reused"].level, columns["index-reused"].layer) == ("must", "server")
    assert (columns["of-tomorrow"].level, columns["of-tomorrow"].title) == ("should", "")
    assert {"index-reused", "of-tomorrow"} <= {column.slug for column in matrix.found()}


def test_exchanges_are_counted_once_however_many_quirks_and_models_they_show() -> None:
    lines = [
        observation(quirk="comment", model="m1", found=1, applicable=3),
        observation(quirk="comment", model="m2", found=2, applicable=4),
        observation(quirk="comment", found=0, applicable=2),
        observation(quirk="index-missing", found=0, applicable=8),
        observation(quirk="index-missing", found=0, applicable=6, mode="complete", first="2023-02-01"),
        observation(quirk="index-missing", found=1, applicable=1, repository="a/b", first=None, last=None),
    ]
    published = row_of(beside(*lines)).published
    assert published is not None
    # streamed 3 + 4 + 2 (all of them could show a comment), complete 6, and 1 of another repository
    assert published.exchanges == 16
    assert published.models == ("m1", "m2", "m9")
    assert published.days == ("2023-02-01", "2026-03-07")
    assert [(one.name, one.exchanges, one.days) for one in published.repositories] == [
        ("a/b", 1, ()),
        ("octo/agent", 15, ("2023-02-01", "2026-03-07")),
    ]


def _seen() -> tuple[str, str, str]:
    """Provider, quirk and address of some report of the catalogue."""
    found = [(s.provider, q.slug, s.url) for q in catalogue() for s in q.seen if s.provider and s.url]
    return found[0]


def test_what_the_catalogue_reports_stands_at_the_provider() -> None:
    name, slug, url = _seen()
    header = [{"slug": slug, "area": "x", "level": "must", "title": "x"}]
    only = record(exchange(name, applicable=[slug]), quirks=header)
    cell = row_of(build(only), name).cells[slug]
    assert cell.state is State.OK
    assert url in [report.url for report in cell.reported]
    assert build(only).exit_code == 0


def test_an_expectation_is_a_report_until_our_own_recordings_show_it() -> None:
    def reported(
        *findings: Any, quirk: str = "index-missing", source: str = "reference 000 §5"
    ) -> list[tuple[str, ...]]:
        known: Any = {**expectation(quirk, "it always did"), "source": source}
        only = record(exchange("acme", "single_call", "stream", *findings), providers=[provider(expectations=[known])])
        return [(one.title, one.url, one.says) for one in row_of(build(only)).cells["index-missing"].reported]

    assert reported() == [("reference 000 §5", "", "it always did")]
    assert reported(finding(expected_by="it always did")) == []
    assert reported(quirk="index-*") == [], "a pattern names no quirk"
    cited = "https://docs.example/tools (2026-11-30)"
    assert reported(source=cited) == [(cited, "https://docs.example/tools", "it always did")]


def test_a_provider_that_is_only_reported_gets_a_row_beside_observations_alone() -> None:
    (name, *_) = sorted(sighted())
    assert name not in [row.label for row in build(RED).rows]
    row = row_of(beside(observation()), name)
    assert (row.elsewhere, row.published) == (True, None)
    assert name not in [row.label for row in beside().rows]


def test_the_glance_names_what_breaks_by_kind_of_evidence() -> None:
    matrix = beside(
        observation("acme", "id-empty-on-continuation", level="should"),
        observation("acme", "index-missing"),
        observation("acme", "comment", level="info"),
        observation("acme", "result-missing"),
        observation("zeta", found=0),
    )
    acme, zeta = row_of(matrix), row_of(matrix, "zeta")
    assert [(one.column.slug, one.count) for one in summary.mentions(matrix, acme, "evidence")] == [
        ("index-missing", "1/1")
    ]
    # what clients sent back (result-missing) is no fault of a provider
    assert [(one.column.slug, one.level) for one in summary.mentions(matrix, acme, "published")] == [
        ("index-missing", "must"),
        ("id-empty-on-continuation", "should"),
    ]
    assert summary.mentions(matrix, zeta, "published") == ()
    assert summary.nothing(zeta, "published") == "◇ none"
    assert summary.nothing(row_of(matrix, "never"), "published") == ""


def test_the_matrix_begins_with_what_breaks_clients() -> None:
    matrix = beside(observation("other", "comment", level="info"), observation("other", "result-missing"))
    parts = summary.groups(matrix)
    assert [part.name for part in parts] == ["breaks", "client", "legal"]
    assert [[column.slug for column in part.columns if column.slug in (*ALL, "result-missing")] for part in parts][
        1:
    ] == [
        ["result-missing"],
        ["comment"],
    ]
    # what was measured is always there, others only where there is something to say
    assert [row.label for row in parts[0].rows][:2] == ["acme", "zeta"]
    assert [row.label for row in parts[0].clean] == ["other"]
    assert "other" in [row.label for row in parts[2].rows]


def test_what_was_measured_comes_first() -> None:
    shown = beside(observation("aaa"), observation("other")).shown
    assert all(before.judged or not after.judged for before, after in pairwise(shown))
    assert [row.label for row in shown][:3] == ["acme", "zeta", "aaa"]


def test_guards_name_those_with_whom_it_was_found_and_those_of_whom_others_say_so() -> None:
    matrix = beside(observation("acme"), observation("other"), observation("other", "id-duplicated", level="should"))
    found = {one.column.slug: one for one in summary.guards(matrix)}
    assert [row.label for row in found["index-missing"].measured] == ["acme"]
    assert "other" in [row.label for row in found["index-missing"].theirs]
    assert "acme" not in [row.label for row in found["index-missing"].theirs]
    assert (found["id-duplicated"].level, found["id-duplicated"].measured) == ("should", ())


@pytest.mark.parametrize("strict", [False, True])
def test_published_evidence_alone_measures_nothing(strict: bool) -> None:
    matrix = build(record(providers=[provider(recorded=False)]), strict=strict, observations=[observation()])
    assert matrix.exit_code == 5

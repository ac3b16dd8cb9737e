"""Expectations against findings: what covers what, and when an expectation is met, stale or undecided."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model import Mode
from conformance.providers.expect import Judged, expected_by, standing, tally
from tests.providers.examples import expectation, provider


def covered(
    slug: str, mode: Mode = "stream", scenario: str = "single_call", model: str = "small", **fields: Any
) -> bool:
    """Whether a finding is covered by an expectation of `id-missing`, or of what the fields say."""
    one = provider(expectations=[expectation(**{"quirk": "id-missing", **fields})])
    return expected_by(one, slug, mode, scenario, model) is not None


def test_by_quirk() -> None:
    assert covered("id-missing")
    assert not covered("id-missing-too")
    assert covered("id-late", quirk="id-*")
    assert not covered("index-missing", quirk="id-*")
    assert covered("id-late", quirk="id-l?te")


def test_by_mode() -> None:
    assert covered("id-missing", "complete")
    assert covered("id-missing", "stream", modes=["stream"])
    assert not covered("id-missing", "complete", modes=["stream"])
    assert covered("id-missing", "complete", modes=["stream", "complete"])


def test_by_scenario() -> None:
    assert covered("id-missing", scenario="two_tools", scenarios=["single_call", "two_tools"])
    assert covered("id-missing", scenario="parallel_round_trip", scenarios=["parallel_*"])
    assert not covered("id-missing", scenario="two_tools", scenarios=["single_call", "parallel_*"])


def test_by_model() -> None:
    assert covered("id-missing", model="small", models="s*")
    assert not covered("id-missing", model="large", models="s*")


def test_every_condition_must_hold() -> None:
    fields = {"modes": ["stream"], "scenarios": ["two_tools"], "models": "small"}
    assert covered("id-missing", "stream", "two_tools", "small", **fields)
    assert not covered("id-missing", "complete", "two_tools", "small", **fields)
    assert not covered("id-missing", "stream", "single_call", "small", **fields)
    assert not covered("id-missing", "stream", "two_tools", "large", **fields)


def test_the_first_that_covers_is_the_one() -> None:
    first = expectation("id-*", reason="first", modes=["stream"])
    second = expectation("id-missing", reason="second")
    one = provider(expectations=[first, second])
    assert expected_by(one, "id-missing", "stream", "single_call", "small") == first
    assert expected_by(one, "id-missing", "complete", "single_call", "small") == second
    assert expected_by(one, "name-missing", "stream", "single_call", "small") is None
    assert expected_by(provider(), "id-missing", "stream", "single_call", "small") is None


@pytest.mark.parametrize(
    ("found", "applicable", "said"),
    [
        (0, 0, "undecided"),
        (0, 2, "undecided"),
        (0, 3, "stale"),
        (0, 40, "stale"),
        (1, 1, "met"),
        (1, 40, "met"),
        (3, 3, "met"),
    ],
)
def test_three_exchanges_disprove_unless_the_file_says_otherwise(found: int, applicable: int, said: str) -> None:
    assert standing(expectation("id-missing"), found, applicable) == said


def test_how_many_disprove_is_the_expectations_own() -> None:
    assert standing(expectation("id-missing", min_applicable=1), 0, 1) == "stale"
    assert standing(expectation("id-missing", min_applicable=50), 0, 49) == "undecided"
    assert standing(expectation("id-missing", min_applicable=50), 0, 50) == "stale"


@pytest.mark.parametrize(("found", "applicable"), [(2, 1), (-1, 3), (0, -1)])
def test_counts_that_cannot_be_are_refused(found: int, applicable: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        standing(expectation("id-missing"), found, applicable)


def judged(
    found: str = "", applicable: str = "", mode: Mode = "stream", scenario: str = "single_call", model: str = "small"
) -> Judged:
    return Judged(mode, scenario, model, found.split(), applicable.split())


def counts(*exchanges: Judged, **fields: Any) -> tuple[int, int, str]:
    one = provider(expectations=[expectation(**{"quirk": "id-missing", **fields})])
    (result,) = tally(one.expectations, exchanges)
    return result.found, result.applicable, result.standing


def test_exchanges_are_counted_not_findings() -> None:
    assert counts(judged("id-missing id-missing", "id-missing"), judged("", "id-missing")) == (1, 2, "met")


def test_what_cannot_show_the_quirk_says_nothing() -> None:
    assert counts(*[judged("", "index-missing")] * 9) == (0, 0, "undecided")
    assert counts(*[judged("", "id-missing")] * 9) == (0, 9, "stale")


def test_what_is_out_of_scope_says_nothing() -> None:
    outside = [judged("", "id-missing", mode="complete"), judged("", "id-missing", model="large")]
    assert counts(*outside * 5, modes=["stream"], models="small") == (0, 0, "undecided")
    assert counts(*outside * 5, judged("id-missing", "id-missing"), modes=["stream"], models="small") == (1, 1, "met")
    elsewhere = judged("id-missing", "id-missing", scenario="two_tools")
    assert counts(elsewhere, scenarios=["single_*"]) == (0, 0, "undecided")


def test_a_pattern_is_met_by_any_and_disproved_only_by_none_of_its_quirks() -> None:
    three = judged("", "id-late id-missing")
    assert counts(three, three, judged("id-late", "id-late id-missing"), quirk="id-*") == (1, 3, "met")
    assert counts(three, three, judged("", "id-late"), quirk="id-*") == (0, 3, "stale")


def test_expectations_are_counted_apart_in_the_files_order() -> None:
    one = provider(
        expectations=[expectation("name-*"), expectation("id-*"), expectation("id-missing", modes=["complete"])]
    )
    results = tally(one.expectations, [judged("id-missing", "id-missing name-late")] * 3)
    assert [(r.expectation.quirk, r.found, r.applicable, r.standing) for r in results] == [
        ("name-*", 0, 3, "stale"),
        ("id-*", 3, 3, "met"),
        ("id-missing", 0, 0, "undecided"),
    ]


def test_without_exchanges_nothing_is_decided() -> None:
    assert counts() == (0, 0, "undecided")
    assert tally(provider().expectations, [judged("id-missing", "id-missing")]) == ()


SLUGS = st.sets(st.sampled_from(["id-missing", "id-late", "name-late"]))
EXCHANGES = st.lists(
    st.builds(
        lambda found, more, mode, model: Judged(mode, "single_call", model, found, found | more),
        SLUGS,
        SLUGS,
        st.sampled_from(["stream", "complete"]),
        st.sampled_from(["small", "large"]),
    ),
    max_size=8,
)


@given(
    EXCHANGES,
    st.sampled_from(["id-missing", "id-*", "*-missing"]),
    st.sampled_from([(), ("stream",)]),
    st.integers(1, 4),
)
def test_every_covered_finding_counts_for_its_expectation(
    exchanges: list[Judged], quirk: str, modes: tuple[Mode, ...], least: int
) -> None:
    one = provider(expectations=[expectation(quirk, modes=modes, min_applicable=least)])
    (result,) = tally(one.expectations, exchanges)
    showing = [e for e in exchanges if any(expected_by(one, s, e.mode, e.scenario, e.model) for s in e.found)]
    able = [e for e in exchanges if any(expected_by(one, s, e.mode, e.scenario, e.model) for s in e.applicable)]
    assert (result.found, result.applicable) == (len(showing), len(able))
    assert (result.standing == "met") == bool(showing)
    assert (result.standing == "stale") == (not showing and len(able) >= least)

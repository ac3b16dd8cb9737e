"""What counts as a change between two nights, and which of them is unexpected."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest

from tests.diff.examples import Nights, asked, night
from tests.report.examples import QUIRKS, exchange, expectation, finding, missing, provider

CLEAN = night(asked(0, 8))
FOUND = night(asked(3, 8, finding()))
EXPECTED = night(
    asked(3, 8, finding(expected_by="it always did")),
    providers=[provider(expectations=[expectation("index-missing")])],
)
STALE = night(
    asked(0, 8),
    providers=[provider(expectations=[expectation("index-missing")])],
    stale=[{"provider": "acme", "quirk": "index-missing", "applicable": 8}],
)
FORMS = pytest.mark.parametrize("form", ["record", "quirks.json"])


@FORMS
def test_what_appears_is_unexpected(nights: Nights, form: str) -> None:
    code, out = nights.compare(CLEAN, FOUND, form=form)
    assert code == 1
    assert "✕ acme m1: must index-missing: appeared (unexpected): 0/8 → 3/8, p = 0.2" in out
    assert "1 unexpected change, 0 others; 1 cell compared, 1 with counts that could differ." in out


@FORMS
def test_what_is_expected_is_shown_and_green(nights: Nights, form: str) -> None:
    code, out = nights.compare(CLEAN, EXPECTED, form=form)
    assert code == 0
    assert "· acme m1: must index-missing: appeared (expected): 0/8 → 3/8" in out


def test_a_silence_that_may_be_chance_is_no_good_news_yet(nights: Nights) -> None:
    """3/8 and 0/8 differ so, or more, in every fifth case: p = 0.2."""
    cell = nights.cell(FOUND, CLEAN)
    assert (cell["kinds"], cell["unexpected"], cell["resolved"]) == (["not-seen"], False, False)


@pytest.mark.parametrize(
    ("then", "of_then", "of_now", "kind"),
    [
        (4, 4, 4, "gone"),  # always and never: both are settled (0–49 %, 51–100 %)
        (3, 3, 4, "not-seen"),  # three times are not; and 1 of C(7, 3) = 35 is no small p
        (8, 8, 2, "not-seen"),  # nor is 1 of C(10, 2) = 45
        (7, 8, 4, "not-seen"),  # not always; and C(5, 4) of C(12, 4) = 5/495 is just above 0.01
        (3, 3, 8, "gone"),  # 1 of C(11, 3) = 165 is below 0.01
        (30, 100, 100, "gone"),
    ],
)
def test_what_is_gone_is_good_news(nights: Nights, then: int, of_then: int, of_now: int, kind: str) -> None:
    cell = nights.cell(night(asked(then, of_then, finding())), night(asked(0, of_now)))
    assert (cell["kinds"], cell["unexpected"], cell["resolved"]) == ([kind], False, kind == "gone")


@FORMS
def test_where_it_always_showed_is_what_counts(nights: Nights, form: str) -> None:
    """4 of 24 and 0 of 24 may be chance (p = 0.11); all of the scenario that shows it, and then none of it, is not."""
    rest = asked(0, 20, scenario="two_tools")
    cell = nights.cell(night(asked(4, 4, finding()), rest), night(asked(0, 4), rest), form=form)
    assert (cell["kinds"], cell["resolved"]) == (["gone"], True)
    cell = nights.cell(night(asked(4, 5, finding()), rest), night(asked(0, 5), rest), form=form)
    assert (cell["kinds"], cell["resolved"]) == (["not-seen"], False)


def past(folder: Path, state: str) -> str:
    """A history in which the quirk comes and goes, or was found all the time."""
    key = {"provider": "acme", "model": "m1", "quirk": "index-missing", "day": "2026-11-02", "level": "must"}
    line = key | {"state": state, "occurrences": 1, "applicable": 8}
    if state == "varies":
        line |= {"found": "2026-11-29", "missed": "2026-11-28"}
    looked = {"provider": "acme", "model": "m1", "looked": ["2026-11-01/2026-11-29"]}
    file = folder / "history.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in ({"schema": "conformance/history/1"}, looked, line)))
    return str(file)


def test_what_comes_and_goes_is_never_gone_overnight(nights: Nights, tmp_path: Path) -> None:
    always = night(asked(8, 8, finding()))
    cell = nights.cell(always, CLEAN, "--history", past(tmp_path, "varies"))
    assert (cell["kinds"], cell["resolved"], cell["varies"]) == (["not-seen"], False, "2026-11-02")
    cell = nights.cell(always, CLEAN, "--history", past(tmp_path, "found"))
    assert (cell["kinds"], cell["resolved"], cell["varies"]) == (["gone"], True, "")


def test_what_comes_and_goes_says_so_when_it_comes(nights: Nights, tmp_path: Path) -> None:
    code, out = nights.compare(CLEAN, FOUND, "--history", past(tmp_path, "varies"))
    assert code == 1, "no expectation covers it"
    assert "appeared (unexpected): 0/8 → 3/8, p = 0.2; comes and goes since 2026-11-02" in out
    _, out = nights.compare(CLEAN, FOUND, "--history", past(tmp_path, "varies"), "-f", "markdown")
    assert "| unexpected; comes and goes since 2026-11-02 |" in out
    target = tmp_path / "issues"
    nights.compare(CLEAN, FOUND, "--history", past(tmp_path, "varies"), "-f", "issues", "-o", str(target))
    (text,) = [path.read_text() for path in target.glob("*.md")]
    assert "It comes and goes since 2026-11-02, says the history." in text
    assert "an expectation with a `rate`" in text


def test_what_is_gone_though_it_was_expected_is_red_once_that_is_disproved(nights: Nights) -> None:
    cell = nights.cell(EXPECTED, STALE)
    assert (cell["kinds"], cell["unexpected"]) == (["not-seen", "stale"], True)
    assert nights.cell(CLEAN, STALE)["kinds"] == ["stale"]
    mended = nights.cell(STALE, CLEAN)
    assert (mended["kinds"], mended["resolved"], mended["unexpected"]) == (["no-longer-stale"], True, False)
    assert nights.document(STALE, STALE)["exit_code"] == 0, "what is as red as before is no change"


def test_an_expectation_that_no_longer_covers(nights: Nights) -> None:
    cell = nights.cell(EXPECTED, FOUND)
    assert (cell["kinds"], cell["unexpected"]) == (["no-longer-expected"], True)
    cell = nights.cell(FOUND, EXPECTED)
    assert (cell["kinds"], cell["unexpected"], cell["resolved"]) == (["now-expected"], False, True)


def test_a_graver_level_is_unexpected_and_a_milder_one_is_not(nights: Nights) -> None:
    mild = night(asked(3, 8, finding(level="should")))
    assert (nights.cell(mild, FOUND)["kinds"], nights.cell(mild, FOUND)["unexpected"]) == (["graver"], True)
    assert (nights.cell(FOUND, mild)["kinds"], nights.cell(FOUND, mild)["resolved"]) == (["milder"], True)
    assert "3/8 should → 3/8 must" in nights.compare(mild, FOUND)[1]


def test_should_counts_only_where_it_is_asked_for(nights: Nights) -> None:
    mild = night(asked(3, 8, finding(level="should")))
    assert nights.compare(CLEAN, mild)[0] == 0
    assert nights.compare(CLEAN, mild, "--strict")[0] == 1
    legal = night(asked(3, 8, finding("comment", "info")))
    assert nights.compare(night(asked(0, 8, finding("comment", "info"))), legal, "--strict")[0] == 0


def test_a_rate_changes_only_significantly(nights: Nights) -> None:
    """5 and 15 of 20 are significant as the only test; 5 and 9 are not (p = 0.32)."""
    few, some, many = (night(asked(n, 20, finding())) for n in (5, 9, 15))
    cell = nights.cell(few, many)
    assert (cell["kinds"], cell["unexpected"]) == (["more-often"], True)
    tail = sum(comb(20, n) ** 2 for n in range(6))  # 20 of 40 show it: as uneven as this, or more, on either side
    assert cell["p"] == pytest.approx(2 * tail / comb(40, 20))
    assert nights.cell(many, few)["kinds"] == ["less-often"]
    assert nights.compare(many, few)[0] == 0
    assert nights.document(few, some)["cells"] == []
    assert nights.cell(few, some, "--all")["kinds"] == ["count"]
    assert nights.compare(few, some)[0] == 0


def test_among_many_tests_a_small_p_is_chance(nights: Nights) -> None:
    """The same 5 and 15 of 20, among ten providers: 0.0038 is above 0.01 / 10."""
    others = [asked(5, 20, finding(), provider=f"p{n}") for n in range(9)]
    few, many = (night(asked(n, 20, finding()), *others) for n in (5, 15))
    document = nights.document(few, many)
    assert (document["tested"], document["cells"], document["exit_code"]) == (10, [], 0)


def test_cells_that_can_tell_no_difference_are_no_tests(nights: Nights) -> None:
    always = [asked(20, 20, finding(), provider=f"p{n}") for n in range(5)]
    never = [asked(0, 20, provider=f"q{n}") for n in range(5)]
    few, many = (night(asked(n, 20, finding()), *always, *never) for n in (5, 15))
    document = nights.document(few, many)
    assert (document["compared"], document["tested"]) == (11, 1)
    assert [cell["kinds"] for cell in document["cells"]] == [["more-often"]]


@FORMS
def test_what_could_not_run_is_neither_gone_nor_appeared(nights: Nights, form: str) -> None:
    lost = night(missing(), asked(0, 4, scenario="two_tools"))
    both = night(asked(3, 8, finding()), asked(0, 4, scenario="two_tools"))
    document = nights.document(both, lost, form=form)
    (cell,), (row,) = document["cells"], document["rows"]
    assert cell["kinds"] == ["old-only"]
    assert cell["why"] == "not run: refused: connection refused"
    assert not cell["unexpected"]
    assert not cell["resolved"], "nobody knows"
    assert (row["kind"], row["scenarios"], row["unexpected"]) == ("partly-not-running", ["single_call/stream"], True)
    document = nights.document(lost, both, form=form)
    (cell,), (row,) = document["cells"], document["rows"]
    assert (cell["kinds"], row["kind"], row["resolved"]) == (["new-only"], "whole-again", True)
    assert cell["unexpected"], "it is red and nobody has said so yet"


@FORMS
def test_a_scenario_that_one_side_did_not_ask(nights: Nights, form: str) -> None:
    more = night(asked(0, 8), asked(2, 2, finding(), scenario="two_tools"))
    document = nights.document(more, CLEAN, form=form)
    assert [(cell["kinds"], cell["why"]) for cell in document["cells"]] == [
        (["old-only"], "not asked: two_tools/stream")
    ]
    assert document["notes"] == ["Only OLD asked two_tools/stream."]
    assert document["exit_code"] == 0


def test_rates_are_compared_where_both_sides_asked(nights: Nights) -> None:
    """All twenty of a scenario that only one night asked show it: that says nothing about the provider."""
    plain = night(asked(2, 20, finding()))
    more = night(asked(2, 20, finding()), asked(20, 20, finding(), scenario="two_tools"))
    assert nights.document(plain, more)["cells"] == []
    cell = nights.cell(plain, more, "--all")
    assert (cell["kinds"], cell["p"]) == (["count"], 1.0)


def test_answers_that_could_not_show_it(nights: Nights) -> None:
    """No call came where the quirk had been found, so that nothing is known of it there."""
    before = night(asked(3, 8, finding()), asked(0, 4, scenario="two_tools"))
    now = night(exchange("acme", "single_call", "stream", applicable=[]), asked(0, 4, scenario="two_tools"))
    cell = nights.cell(before, now)
    assert (cell["kinds"], cell["why"]) == (["old-only"], "no answer could have shown it")


@FORMS
def test_a_quirk_that_one_side_did_not_look_for(nights: Nights, form: str) -> None:
    fewer = night(exchange(applicable=["comment"]), quirks=[one for one in QUIRKS if one["slug"] != "index-missing"])
    cell = nights.cell(FOUND, fewer, form=form)
    assert (cell["kinds"], cell["why"], cell["new"]) == (["old-only"], "not looked for", None)
    document = nights.document(fewer, FOUND, form=form)
    assert document["notes"] == ["Only NEW looked for index-missing."]
    assert [(cell["kinds"], cell["unexpected"]) for cell in document["cells"]] == [(["new-only"], True)]


def test_other_versions_are_said(nights: Nights) -> None:
    other = night(asked(0, 8), version="0.2.0", packages={"openai": "3.60.0"})
    assert nights.document(CLEAN, other)["notes"] == [
        "Measured with other versions: OLD conformance 0.1.0, openai 3.50.1; NEW conformance 0.2.0, openai 3.60.0.",
        "Both are of recordings of 2026-11-29: what differs may be the reading, not the provider.",
    ]


def test_two_nights_alike(nights: Nights) -> None:
    code, out = nights.compare(FOUND, FOUND)
    assert code == 0
    assert out.splitlines()[1:] == [
        "0 unexpected changes, 0 others; 1 cell compared, 1 with counts that could differ.",
    ]


def test_nothing_that_could_be_compared_is_no_success(nights: Nights) -> None:
    other = night(asked(0, 8, provider="beta"))
    code, out = nights.compare(CLEAN, other)
    assert code == 5
    assert "Nothing could be compared" in out

"""The step summary: what is red comes first, it always fits, and text of providers stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.report.matrix import build
from conformance.report.step_summary import LIMIT, SMALLEST, render
from conformance.run.record import Record
from tests.report.examples import NASTY, exchange, expectation, finding, missing, nasty, provider, record
from tests.report.pages import page_of_markdown

STALE = [{"provider": "acme", "quirk": "comment", "applicable": 7}]
EVERYTHING = record(
    exchange("acme", "one", "stream", finding()),
    exchange("acme", "two", "stream", finding("id-duplicated", expected_by="it always did")),
    exchange("acme", "three", "stream", finding("id-empty-on-continuation", "should")),
    missing("acme", "four"),
    providers=[provider(expectations=[expectation("id-duplicated")]), provider("zeta", recorded=False)],
    stale=STALE,
)


def summary(*records: Record, strict: bool = False, limit: int = LIMIT) -> str:
    return render(build(*records, strict=strict), limit)


def test_what_is_red_comes_first_then_what_was_expected_then_the_tables() -> None:
    text = summary(EVERYTHING)
    order = [
        "## ✕ Tool calling: unexpected",
        "### Unexpected",
        "**acme: index-missing** (must), in 1/3 exchanges",
        "### Stale expectations",
        "### Not run",
        "connection refused",
        "<details><summary>Expected: 1 quirk",
        "it always did",
        "<details><summary>Found, and not counted without --strict: 1 quirk",
        "### Verdicts",
        "### Table",
        "No recording: zeta.",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_a_finding_says_where_and_how_to_see_it_again() -> None:
    text = summary(record(exchange("acme", "one", "complete", finding())))
    assert "came: `absent`" in text
    assert "where: `cassettes/acme/one.complete.yaml` interaction 0, `event 3, byte 812, " in text
    assert "again: `conformance run --provider acme --model m1 --scenario one --mode complete`" in text
    assert "guard: " in text


def test_what_was_asked_live_is_asked_live_again() -> None:
    known = summary(record(exchange("acme", "one", "stream", finding(), evidence=None)))
    assert "`conformance run --provider acme --model m1 --live --scenario one --mode stream`" in known
    local = provider("local", base_url="http://127.0.0.1:8000/v1")
    text = summary(record(exchange("local", "one", "stream", finding(), evidence=None, model="a b"), providers=[local]))
    assert "`conformance run --base-url http://127.0.0.1:8000/v1 --model 'a b' --scenario one --mode stream`" in text


def test_strict_moves_should_to_the_failures() -> None:
    only = record(exchange("acme", "one", "stream", finding("id-empty-on-continuation", "should")))
    assert "### Unexpected" not in summary(only)
    assert "## ✓ Tool calling: nothing unexpected" in summary(only)
    assert "**acme: id-empty-on-continuation** (should)" in summary(only, strict=True)
    assert "not counted without" not in summary(only, strict=True)


def test_a_milder_finding_beside_an_expected_one_is_no_failure() -> None:
    both = exchange("acme", "one", "stream", finding(expected_by="known"), finding(level="should"))
    text = summary(record(both))
    assert "### Unexpected" not in text
    assert "| acme | index-missing | should | 1/1 |" in text


@pytest.mark.parametrize(
    ("only", "heading"),
    [
        (record(exchange()), "## ✓ Tool calling: nothing unexpected"),
        (record(), "## ! Tool calling: nothing measured"),
        (record(exchange(), finished=False), "## ! Tool calling: incomplete"),
        (record(exchange(), missing("acme", "x")), "## ✕ Tool calling: unexpected"),
    ],
)
def test_the_heading_is_the_verdict(only: Record, heading: str) -> None:
    assert summary(only).startswith(heading + "\n")


def test_an_incomplete_run_says_so() -> None:
    assert "INCOMPLETE" in summary(record(exchange(), finished=False))


def many(count: int) -> Record:
    rows = [exchange(f"p{n:04}", "one", "stream", finding(message="m" * 390, actual="<" * 390)) for n in range(count)]
    return record(*rows)


def test_it_stays_below_one_mebibyte_and_says_what_is_missing() -> None:
    text = summary(many(2500))
    assert len(text.encode()) <= LIMIT < 1024 * 1024
    (left, of), *_ = re.findall(r"(\d+) of (\d+) in “Unexpected”", text)
    assert int(of) == 2500
    assert text.count(": index-missing** (must)") == 2500 - int(left) > 0
    assert "Everything is in `quirks.md` and `quirks.html` of the run." in text
    page_of_markdown(text)


@settings(max_examples=15)
@given(st.integers(SMALLEST, 60_000), st.integers(0, 60))
def test_whatever_the_limit_it_fits_and_every_element_is_closed(limit: int, count: int) -> None:
    expected = [exchange(f"q{n}", "one", "stream", finding(expected_by=NASTY)) for n in range(count)]
    text = summary(many(count), record(*expected, started="2026-11-30T01:00:00+00:00"), limit=limit)
    assert len(text.encode()) <= limit
    assert text.count("<details>") == text.count("</details>")
    page_of_markdown(text)


def test_text_of_providers_stays_text() -> None:
    text = summary(nasty())
    page = page_of_markdown(text)
    assert set(page.tags) <= {
        *("h2", "h3", "p", "strong", "ul", "li", "code", "details", "summary", "blockquote", "br"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert not page.links
    assert not page.attributes or {name for _, name, _ in page.attributes} == {"style"}
    bare = re.sub(r"(`+).*?\1", "", text, flags=re.DOTALL)
    assert "@octo" not in bare
    assert "<script" not in bare
    assert {char for char in text if not char.isprintable()} <= {"\n"}


def test_a_provider_cannot_close_what_is_folded() -> None:
    evil = "</details><!-- </summary> | x |"
    text = summary(record(exchange("acme", "one", "stream", finding(expected_by=evil))))
    assert text.count("</details>") == 1
    assert "<!--" not in text

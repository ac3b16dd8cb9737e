"""The page of a quirk: what it is, the guard, who shows it, the wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.quirks import catalogue
from conformance.report.history import History
from conformance.report.matrix import build
from conformance.report.since import looks
from conformance.run.record import Record
from conformance.site import quirk_page
from conformance.site.frame import Context
from tests.report.examples import QUIRKS, exchange, expectation, finding, observation, provider, record
from tests.report.pages import Page
from tests.site.recorded import marked


def html(slug: str, *records: Record, observed: bool = False, history: History | None = None) -> str:
    theirs = [observation("zeta"), observation("eta", found=0)] if observed else []
    matrix = build(*(records or [record(exchange())]), observations=theirs, history=history)
    column = next(one for one in matrix.columns if one.slug == slug)
    return quirk_page.render(Context(matrix, Path()), column)


def test_it_says_what_the_declaration_says() -> None:
    (quirk,) = [one for one in catalogue() if one.slug == "index-missing"]
    page = Page(html("index-missing"))
    assert "The index is the only reliable accumulation key." in page.text
    assert f"The source asks for: {quirk.expected.replace('`', '')}." in page.text
    assert quirk.guard.replace("`", "") in page.text
    assert quirk.guard_python in page.text
    assert quirk.guard_typescript in page.text
    assert quirk.report.replace("`", "") in page.text
    assert "default-index-to-zero" in page.text
    assert {source.url for source in (*quirk.sources, *quirk.seen) if source.url} <= set(page.values("href"))


def test_the_bad_example_is_marked_where_the_fault_lies() -> None:
    first, *_ = marked(html("id-empty-on-continuation"))
    assert first == '""'
    first, *_ = marked(html("index-missing"))
    assert first.startswith('{"id":"call_a1"')
    assert first.endswith("}}")
    assert '"index"' not in first


@pytest.mark.parametrize("slug", [one.slug for one in catalogue()])
def test_every_quirk_has_a_page_that_shows_what_is_found(slug: str) -> None:
    (quirk,) = [one for one in catalogue() if one.slug == slug]
    line = {"slug": slug, "area": quirk.area, "level": quirk.level, "title": quirk.title}
    page = Page(html(slug, record(exchange(applicable=[slug]), quirks=[line])))
    assert page.tags.count("script") == 1
    assert page.open == []
    assert page.text.count("; expected ") == len(quirk.bad)


def test_who_shows_it_stands_with_counts_and_links_by_kind_of_evidence() -> None:
    known = finding(expected_by="it always did")
    run = record(
        exchange("acme", "single_call", "stream", finding()),
        exchange("acme", "no_call"),
        exchange("beta", "single_call", "stream", known),
        exchange("gamma"),
        exchange("delta", applicable=["comment"]),
        providers=[
            *(provider(name) for name in ("acme", "gamma", "delta")),
            provider("beta", expectations=[expectation("index-missing")]),
        ],
    )
    page = Page(html("index-missing", run, observed=True))
    assert page.row("acme")[1:] == ["✕ 1/2 found unexpected", "", ""]
    assert page.row("beta")[1:] == ["⊘ 1/1 found expected", "", ""]
    assert page.row("zeta")[1:] == ["○ no recording", "◆ 2/5", ""]
    assert page.row("gemini")[3].startswith("agno-agi/agno#11148")
    addresses = {text: address for address, text in page.links}
    assert addresses["✕ 1/2"] == "../evidence/acme/index-missing.html"
    assert addresses["◆ 2/5"] == "../evidence/zeta/index-missing.html#published"
    assert (
        "Looked for and not found (in brackets: exchanges that could have shown it): gamma (1), eta (5 published)."
        in " ".join(page.text.split())
    )
    assert "Not looked for; no exchange could have shown it, or none was ever recorded: delta" in " ".join(
        page.text.split()
    )


def test_it_says_since_when() -> None:
    history = History()
    for day, found in (("2026-12-01", [finding()]), ("2026-12-02", [])):
        night = record(
            exchange("acme", "single_call", "stream", *found, recorded_at=f"{day}T02:00:00Z"),
            exchange("beta", "single_call", "stream", finding(), recorded_at=f"{day}T02:00:00Z"),
        )
        history = history.add(looks(build(night)))
    page = Page(html("index-missing", night, history=history))
    assert page.row("beta")[1] == "✕ 1/1 found unexpected, found since 2026-12-01"
    assert "acme (1; not found since 2026-12-02)" in page.text


def test_what_nobody_shows_says_so() -> None:
    page = Page(html("id-duplicated"))
    assert "Nobody of whom anything is known." in page.text
    assert "acme (1)" in page.text


def test_a_quirk_that_this_version_does_not_know_has_a_page_all_the_same() -> None:
    strange = {"slug": "brand-new", "area": "index", "level": "must", "title": "It is new"}
    page = Page(
        html("brand-new", record(exchange("acme", "a", "stream", finding("brand-new")), quirks=[*QUIRKS, strange]))
    )
    assert "not in this version's catalogue" in page.text
    assert page.row("acme")[1].startswith("✕ 1/")


def test_a_slug_that_is_no_name_stays_in_the_folder() -> None:
    from conformance.site import urls

    assert urls.quirk("../../etc/passwd").count("/") == 1
    assert urls.quirk("../x") != urls.quirk("../y")
    assert urls.quirk("index-missing") == "quirks/index-missing.html"

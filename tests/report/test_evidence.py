"""Three kinds of evidence in `quirks.md` and `quirks.html`: told apart, linked, and safe to show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.audit.observation import Observation, load
from conformance.report import html, markdown, terminal
from conformance.report.matrix import Matrix, build
from conformance.run.record import Record
from tests.report.examples import (
    NASTY,
    exchange,
    expectation,
    finding,
    observation,
    provider,
    record,
)
from tests.report.pages import Page, page_of_markdown

View = Callable[[Matrix], Page]
OBSERVATIONS = Path(__file__).parents[2] / "reports" / "observations.jsonl"
BLOB = "https://github.com/octo/agent/blob/0123456789abcdef0123456789abcdef01234567/"


@pytest.fixture(params=[markdown.render, html.render], ids=["markdown", "html"])
def view(request: pytest.FixtureRequest) -> View:
    render = request.param
    return lambda matrix: page_of_markdown(render(matrix)) if render is markdown.render else Page(render(matrix))


def some(*observations: Observation, of: Record | None = None) -> Matrix:
    known = [provider(), provider("zeta", recorded=False, expectations=[expectation("id-duplicated", "so they say")])]
    return build(of or record(exchange(), providers=known), observations=observations)


def entry(page: Page, text: str) -> str:
    """The link under a cell's text."""
    found = [href for href, shown in page.links if shown.replace("\xa0", " ") == text]
    assert found, text
    return found[0]


def test_each_kind_has_a_symbol_a_meaning_and_a_link_to_its_evidence(view: View) -> None:
    page = view(some(observation("other"), observation("other", "comment", found=0, applicable=7)))
    for word in ("◆ published", "◇ published, not found", "¶ reported"):
        assert word in page.text
    assert entry(page, "◆ 2/5") == "#published-index-missing--other"
    targets = [link[1:] for link in page.values("href") if link.startswith("#")]
    assert "reported-id-duplicated--zeta" in targets
    assert set(targets) <= set(page.values("id"))
    assert len(set(page.values("id"))) == len(page.values("id"))


def test_what_published_recordings_do_not_show_leads_to_where_they_are_kept(view: View) -> None:
    page = view(some(observation("acme", found=0, applicable=7)))
    assert entry(page, "◇ 0/7") == "#source-acme"
    tree = "https://github.com/octo/agent/tree/0123456789abcdef0123456789abcdef01234567"
    assert tree in page.values("href")
    assert "Apache-2.0, commit 0123456789ab, 7 exchanges, 2025-01-04 to 2026-03-07" in page.text


def test_published_evidence_names_its_source(view: View) -> None:
    page = view(some(observation("other")))
    assert f"{BLOB}tests/cassettes/tools.yaml" in page.values("href")
    assert (
        "octo/agent, tools.yaml interaction 1: model m9, streamed, 2 of 5 exchanges, "
        "2025-01-04 to 2026-03-07, Apache-2.0" in page.text
    )


def test_unknown_models_days_and_positions_are_said_to_be_unknown(view: View) -> None:
    page = view(some(observation("other", model="", first=None, last=None, interaction=None, mode="complete")))
    assert "octo/agent, tools.yaml: model unknown, complete answers, 2 of 5 exchanges, day unknown" in page.text


def test_reported_evidence_says_who_says_so(view: View) -> None:
    page = view(some())
    assert re.search(r"zeta, ¶ reported:\s+reference 000 §5: so they say", page.text)


def test_an_unmeasured_provider_is_never_called_safe(view: View) -> None:
    page = view(
        some(
            observation("clean", found=0, applicable=6),
            observation("other"),
            observation("other", "comment", level="info"),
            observation("zeta"),
        )
    )
    assert page.row("other", "")[2] == "○ no recording"
    assert page.row("other", "")[3] == (
        "published recordings (5 exchanges, 1 model named, 2025-01 to 2026-03) show: index-missing 2/5; "
        "not measured here"
    )
    assert page.row("clean", "")[3] == (
        "published recordings (6 exchanges, 2025-01 to 2026-03) show no quirk of level must or should; "
        "not measured here"
    )
    assert page.row("zeta", "m1")[3].endswith("show: index-missing 2/5; reported: id-duplicated; not measured here")
    assert "safe" not in " ".join(page.row("other", "") + page.row("clean", ""))


def test_recorded_published_and_reported_share_a_cell(view: View) -> None:
    known = [provider(expectations=[expectation("index-missing")])]
    page = view(some(observation("acme"), of=record(exchange(), providers=known)))
    (cell,) = [row[2] for row in page.cells if row[:2] == ["index-missing", "must"] and "0/1" in row[2]]
    assert re.sub(r"\s", "", cell).startswith("✓0/1◆2/5¶")


def test_a_milder_occurrence_says_so(view: View) -> None:
    page = view(some(observation("acme", level="info")))
    assert entry(page, "◆ 2/5 (info)") == "#published-index-missing--acme"
    assert "level info" in page.text


def test_many_sources_are_cut_and_counted(view: View) -> None:
    page = view(some(*(observation("other", path=f"tests/{n}.yaml") for n in range(40))))
    assert "and 37 more" in page.text or "and 35 more" in page.text


def test_what_others_write_stays_text_and_stays_on_github(view: View) -> None:
    fields: dict[str, Any] = dict.fromkeys(("model", "repository", "commit", "path", "licence", "first"), NASTY)
    page = view(some(observation(NASTY, **fields), observation("acme", "<b>quirk</b>")))
    assert not {"script", "b"} & set(page.tags)
    assert not any(character in page.text for character in "\x00\x1b\u202e\ud83d")
    outside = [link for link in page.values("href") if not link.startswith("#")]
    assert outside
    assert all(link.startswith("https://github.com/") for link in outside)


@pytest.mark.parametrize("path", ["a b/(x).yaml", 'q"uote.yaml', "per%cent#frag?.yaml", "<x>.yaml", "ü.yaml"])
def test_any_path_is_one_address(view: View, path: str) -> None:
    from urllib.parse import quote

    assert f"{BLOB}{quote(path)}" in view(some(observation("other", path=path))).values("href")


def test_legal_variations_stand_in_a_table_of_their_own(view: View) -> None:
    page = view(some(observation("other"), observation("other", "comment", level="info")))
    first, _, second = page.text.rpartition("Legal variations (info)")
    assert "What breaks clients" in first
    assert second.index("comment") < second.index("Evidence")


def test_the_terminal_says_what_others_published_in_one_line() -> None:
    text = terminal.render(some(observation("other", model=NASTY), observation("zeta", found=0)))
    assert (
        "other: no recording: published recordings (5 exchanges, 1 model named, 2025-01 to 2026-03) show: "
        "index-missing 2/5; not measured here\n" in text
    )
    assert "rows without a recording (2 with published ones)." in text
    assert "\x1b" not in text


@pytest.mark.skipif(not OBSERVATIONS.exists(), reason="reports/observations.jsonl is not there")
def test_the_published_page_stays_small_enough_for_github_and_every_link_leads_somewhere(view: View) -> None:
    bad = [exchange(f"p{n}", "single_call", "stream", finding()) for n in range(8)]
    matrix = build(record(*bad), observations=load(OBSERVATIONS))
    assert len(markdown.render(matrix).encode()) < 500_000
    page = view(matrix)
    targets = [link[1:] for link in page.values("href") if link.startswith("#")]
    assert set(targets) <= set(page.values("id"))
    assert len(set(page.values("id"))) == len(page.values("id"))

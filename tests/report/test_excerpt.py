"""The table for the README is small, chosen by its rule, and links to what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.audit.observation import Observation, load
from conformance.report import excerpt, markdown
from conformance.report.matrix import Matrix, build
from conformance.run.record import Record
from tests.report.examples import NASTY, call, exchange, expectation, finding, observation, provider, record
from tests.report.pages import Page, page_of_markdown

OBSERVATIONS = Path(__file__).parents[2] / "reports" / "observations.jsonl"


def page(matrix: Matrix) -> Page:
    return page_of_markdown(excerpt.render(matrix))


def some(*observations: Observation, of: Record | None = None) -> Matrix:
    return build(of or record(exchange()), observations=observations)


def heads(matrix: Matrix) -> list[str]:
    return page(matrix).cells[0][1:]


def names(matrix: Matrix) -> list[str]:
    return [row[0].removesuffix(" ○") for row in page(matrix).cells[1:]]


def test_columns_are_must_quirks_that_most_providers_show() -> None:
    matrix = some(
        observation("a", "index-missing"),
        observation("b", "index-missing"),
        observation("c", "connection-cut", found=5),
        observation("d", "id-duplicated", found=4),
        observation("d", "call-in-content", level="should"),  # milder than its quirk
        observation("d", "id-empty-on-continuation", level="should"),
        observation("d", "comment", level="info"),
        observation("d", "result-missing"),  # the client's
        observation("d", "index-stray-tail", found=0),
    )
    assert heads(matrix) == ["index-missing", "connection-cut", "id-duplicated"]


def test_reports_decide_between_equals() -> None:
    known = [provider(), provider("zeta", recorded=False, expectations=[expectation("id-duplicated")])]
    matrix = some(
        observation("a", "connection-cut", found=5),
        observation("b", "id-duplicated", found=1),
        of=record(exchange(), providers=known),
    )
    assert heads(matrix) == ["id-duplicated", "connection-cut"]


def test_rows_are_those_that_show_most_and_then_those_measured_here() -> None:
    matrix = some(
        observation("few", "index-missing", applicable=50),
        observation("many", "index-missing"),
        observation("many", "connection-cut"),
        observation("clean", "index-missing", found=0, applicable=90),
    )
    assert names(matrix)[:4] == ["many", "few", "acme", "clean"]


def test_it_stays_small() -> None:
    slugs = [f"of-tomorrow-{n}" for n in range(20)]
    matrix = some(*(observation(f"p{n}", slug) for n in range(20) for slug in slugs))
    cells = page(matrix).cells
    assert {len(row) for row in cells} == {1 + 7}
    assert len(cells) == 1 + 12


def test_cells_say_how_often_by_which_evidence_and_lead_to_it() -> None:
    bad = exchange("acme", "single_call", "stream", finding(), calls=[call(usable=False)])
    known = [provider(), provider("zeta", recorded=False, expectations=[expectation("index-missing")])]
    theirs = [observation("acme", found=0), observation("other"), observation("zeta", "comment", found=0)]
    shown = page(some(*theirs, of=record(bad, providers=known)))
    cells = {row[0]: row[1] for row in shown.cells[1:]}
    assert (cells["acme"], cells["other ○"], cells["zeta ○"]) == ("✕ 1/1◇ 0/5", "◆ 2/5", "¶")
    links = {text.replace("\xa0", " "): address for address, text in shown.links}
    assert links["✕ 1/1"] == "reports/quirks.md#evidence-index-missing--acme"
    assert links["◆ 2/5"] == "reports/quirks.md#published-index-missing--other"
    assert links["¶"] == "reports/quirks.md#reported-index-missing--zeta"
    assert links["index-missing"] == "docs/quirks/index-missing.md"
    for symbol in "✕◇◆¶○":
        assert f"{symbol} " in shown.text.rpartition("could show it.")[2], "the legend explains what is shown"
    assert "≠" not in shown.text


def test_every_link_into_the_report_leads_somewhere() -> None:
    matrix = some(observation("acme", found=0), observation("other"), observation("third", "connection-cut"))
    places = set(page_of_markdown(markdown.render(matrix)).values("id"))
    wanted = {link.partition("#")[2] for link in page(matrix).values("href") if "#" in link}
    assert wanted
    assert wanted <= places


def test_without_any_must_quirk_it_says_so() -> None:
    assert excerpt.render(some()) == "No recording shows a quirk of level must.\n"


def test_what_others_write_stays_text() -> None:
    shown = page(some(observation(NASTY, model=NASTY)))
    assert "script" not in shown.tags
    assert {len(row) for row in shown.cells} == {2}


@pytest.mark.skipif(not OBSERVATIONS.exists(), reason="reports/observations.jsonl is not there")
def test_of_what_is_published_it_fills_the_table() -> None:
    cells = page(some(*load(OBSERVATIONS))).cells
    assert len(cells) == 13
    assert len(cells[0]) == 1 + 7

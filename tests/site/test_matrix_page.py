"""The first page in a browser: what a visitor sees, finds, narrows down, passes on, and reaches with the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.report import words
from conformance.report.matrix import build as build_matrix
from conformance.site.build import build
from tests.report.examples import exchange, expectation, finding, missing, observation, provider, record
from tests.report.pages import Page as Parsed
from tests.site.browser import NARROW, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FORM = "#filters"


@pytest.fixture
def page(site: Path, browser: Browser) -> Iterator[Page]:
    with visiting(browser) as opened:
        opened.goto((site / "index.html").as_uri())
        yield opened


@pytest.fixture
def tiny(small: Path, browser: Browser) -> Iterator[Page]:
    """The matrix of the small site: every state, few rows."""
    with visiting(browser) as opened:
        opened.goto((small / "index.html").as_uri())
        yield opened


def quirks(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#grid tbody tr')].filter(r => !r.hidden).map(r => r.dataset.slug)"
    )
    return found


def providers(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#grid thead th[data-key]')].filter(c => !c.hidden)"
        ".map(c => c.querySelector('a').textContent)"
    )
    return found


def cell(page: Page, slug: str, provider: str) -> str:
    """What a cell says, words for screen readers included."""
    place = [one.strip() for one in page.locator("#grid thead th[data-key] a").all_inner_texts()].index(provider)
    return " ".join(page.locator(f"tr[data-slug='{slug}'] td").nth(place + 1).inner_text().split())


def test_first_come_the_quirks_that_break_clients(page: Page) -> None:
    shown = quirks(page)
    levels = page.evaluate(
        "[...document.querySelectorAll('#grid tbody tr')].filter(r => !r.hidden).map(r => r.dataset.level)"
    )
    assert 20 < len(shown) < 120
    assert levels == sorted(levels, key=["must", "should"].index)
    assert providers(page)[:4] == ["litellm", "llamacpp", "transformers", "vllm"]
    assert f"{len(shown)} of 2" in page.inner_text("output[name=status]")


def test_the_table_says_of_every_state_what_it_is(tiny: Page) -> None:
    tiny.check(f"{FORM} [name=all]")
    tiny.check(f"{FORM} [value=info]")
    assert cell(tiny, "index-missing", "beta") == "✕ found 1/1"
    assert cell(tiny, "id-empty-on-continuation", "beta") == "⊘ expected 1/1"
    assert cell(tiny, "comment", "beta") == "· noted 1/1"
    assert cell(tiny, "call-in-content", "beta") == "≠ stale 0/2 ¶ reported"  # the expectation's own source
    assert cell(tiny, "id-duplicated", "beta") == "✓ ok 0/1"
    assert cell(tiny, "index-missing", "delta") == "◆ published 2/5"
    assert cell(tiny, "comment", "delta") == "◇ published, not found 0/5"
    assert cell(tiny, "id-duplicated", "delta") == "○"
    assert "○ no recording" in tiny.locator("#grid th[data-key=delta]").inner_text()
    # what is only for screen readers takes no room
    box = tiny.locator("tr[data-slug='id-duplicated'] td i").last.bounding_box()
    assert box is not None
    assert box["width"] <= 1


def test_a_provider_of_which_nothing_was_had_is_named(tiny: Page) -> None:
    assert "gamma" not in providers(tiny)
    assert "gamma (refused: <script>alert(1)</script>)" in tiny.inner_text("main")
    assert "what helps: start the server" in tiny.inner_text("main")


def test_a_provider_counts_what_recordings_show_and_reports_apart(tmp_path: Path) -> None:
    covered = [expectation("id-duplicated"), expectation("call-in-content")]
    rows = [
        exchange("acme", "single_call", "stream", finding(), finding("id-empty-on-continuation", "should")),
        exchange("beta", "single_call", "stream", applicable=["index-missing"]),
    ]
    providers = [
        provider(expectations=covered),
        provider("beta", expectations=covered[:1]),
        provider("delta", recorded=False, expectations=covered[:1]),
        provider("omega", recorded=False, expectations=covered),
    ]
    theirs = [
        observation("acme", "index-missing"),  # found here, too
        observation("acme", "call-in-content", level="should"),  # reported, too
        observation("delta", "index-missing"),
    ]
    build(build_matrix(record(*rows, providers=providers), observations=theirs), tmp_path, root=tmp_path)
    page = Parsed((tmp_path / "index.html").read_text(encoding="utf-8"))
    links = [" ".join(text.split()) for address, text in page.links if address.startswith("providers/")]
    names = ("acme", "beta", "delta", "omega")  # the links of the list come before those of the table
    assert {name: next(text for text in links if text.split()[0] == name) for name in names} == {
        "acme": "acme 1 must, 1 should; 1 more published; 1 more reported",
        "beta": "beta nothing found; 1 reported",
        "delta": "delta ○ 1 must; 1 more reported",
        "omega": "omega ○ 2 reported",
    }


def test_where_nothing_was_had_the_page_says_so(browser: Browser, tmp_path: Path) -> None:
    build(build_matrix(record(missing("acme"), finished=False)), tmp_path, root=tmp_path)
    with visiting(browser) as page:
        page.goto((tmp_path / "index.html").as_uri())
        text = page.inner_text("body")
        assert words.INCOMPLETE in text
        assert words.NOTHING in text
        assert "acme (refused: connection refused)" in text
        page.check(f"{FORM} [name=all]")
        assert providers(page) == []


def test_the_page_is_not_larger_than_a_phone_likes(site: Path) -> None:
    assert (site / "index.html").stat().st_size < 500_000


def test_filters_narrow_the_table_down(page: Page) -> None:
    everything = quirks(page)
    page.select_option(f"{FORM} [name=area]", "index")
    assert set(quirks(page)) == {slug for slug in everything if slug.startswith("index-")}
    page.uncheck(f"{FORM} [value=published]")
    page.uncheck(f"{FORM} [value=recorded]")
    assert "index-missing" in quirks(page)
    assert "gemini" in providers(page)
    assert "litellm" not in providers(page)
    rows = page.locator("#grid tbody tr:visible")
    assert rows.locator(".published:visible").count() == 0
    assert "◇" not in page.inner_text("#grid tbody")
    assert rows.filter(has=page.locator(".reported:visible")).count() == rows.count()
    page.click(f"{FORM} [type=reset]")
    page.wait_for_function("location.hash === ''")
    assert quirks(page) == everything


def test_levels_and_what_nobody_shows_come_on_demand(page: Page) -> None:
    page.uncheck(f"{FORM} [value=should]")
    must = quirks(page)
    assert "index-missing" in must
    assert "done-missing" not in must
    page.check(f"{FORM} [name=all]")
    assert len(quirks(page)) > len(must)
    page.check(f"{FORM} [value=should]")
    page.check(f"{FORM} [value=info]")
    assert len(quirks(page)) == page.locator("#grid tbody tr").count()
    assert len(providers(page)) == page.locator("#grid th[data-key]").count()


def test_searching_looks_at_names_and_titles(page: Page) -> None:
    page.fill(f"{FORM} [name=q]", "TOOL_CHOICE ignored")
    assert set(quirks(page)) >= {"tool-choice-named-ignored", "tool-choice-required-ignored"}
    assert all("ignored" in slug for slug in quirks(page))
    page.fill(f"{FORM} [name=q]", "no such thing")
    assert quirks(page) == []
    assert page.is_visible("#nothing")


def test_choosing_providers_shows_them_only(page: Page) -> None:
    page.click(".menu summary")
    page.check(f"{FORM} [value=gemini]")
    page.check(f"{FORM} [value=vllm]")
    assert providers(page) == ["vllm", "gemini"]
    assert page.inner_text("output[name=chosen]") == "2"
    assert "index-missing" in quirks(page)
    assert "done-missing" not in quirks(page)


def test_rows_and_columns_can_be_sorted(page: Page) -> None:
    page.select_option(f"{FORM} [name=rows]", "name")
    assert quirks(page) == sorted(quirks(page))
    page.select_option(f"{FORM} [name=columns]", "name")
    assert providers(page) == sorted(providers(page))
    page.select_option(f"{FORM} [name=rows]", "spread")
    counts = [int(text) for text in page.locator("#grid tbody tr:visible td.number").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)


def test_sorted_columns_keep_their_cells(tiny: Page) -> None:
    tiny.select_option(f"{FORM} [name=columns]", "name")
    assert providers(tiny)[:2] == ["<script>alert(1)</script>", "acme"]
    assert cell(tiny, "id-empty-on-continuation", "beta") == "⊘ expected 1/1"


def test_a_view_can_be_passed_on(page: Page, site: Path, browser: Browser) -> None:
    page.fill(f"{FORM} [name=q]", "index")
    page.uncheck(f"{FORM} [value=should]")
    page.select_option(f"{FORM} [name=columns]", "name")
    address, shown = page.url, (quirks(page), providers(page))
    assert address.endswith("#q=index&level=must&columns=name")
    with visiting(browser) as other:
        other.goto(address)
        assert (quirks(other), providers(other)) == shown
        assert other.input_value(f"{FORM} [name=q]") == "index"
    page.click(f"{FORM} [type=reset]")
    page.wait_for_function("location.hash === ''")
    assert page.url == (site / "index.html").as_uri()


def test_an_address_that_names_a_place_is_no_view(site: Path, browser: Browser) -> None:
    with visiting(browser) as page:
        page.goto((site / "index.html").as_uri())
        everything = quirks(page)
        page.goto((site / "index.html").as_uri() + "#guards")
        assert quirks(page) == everything
        page.goto((site / "index.html").as_uri() + "#q=%00&level=<b>&nonsense=1&area=nowhere")
        assert quirks(page) == []


def test_arrow_keys_move_from_cell_to_cell(page: Page) -> None:
    page.locator("#grid tbody a").first.focus()
    first = page.evaluate("document.activeElement.textContent")
    assert first == quirks(page)[0]
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == quirks(page)[1]
    page.keyboard.press("End")
    last = page.evaluate("document.activeElement.closest('td').cellIndex")
    assert last == page.evaluate(
        "[...document.querySelector('#grid thead tr').cells].filter(c => !c.hidden).at(-1).cellIndex"
    )
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.tagName") in ("TH", "A")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "litellm"
    page.keyboard.press("Enter")
    page.wait_for_url("**/providers/litellm.html")


def test_the_table_is_one_stop_for_the_tab_key(page: Page) -> None:
    page.locator("#grid tbody a").first.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#grid')") is None


def test_the_first_stop_leads_past_the_head(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.locator(".skip").bounding_box()["x"] >= 0  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_the_heads_of_rows_and_columns_stay_in_sight(page: Page) -> None:
    page.evaluate("document.querySelector('#grid').closest('.scroll').scrollTo(900, 900)")
    region = page.locator(".scroll:has(#grid)").bounding_box()
    head = page.locator("#grid thead th").nth(8).bounding_box()
    row = page.locator("#grid tbody tr:visible th").nth(20).bounding_box()
    assert region is not None
    assert head is not None
    assert row is not None
    assert abs(head["y"] - region["y"]) < 3
    assert abs(row["x"] - region["x"]) < 3


def test_a_phone_shows_providers_beside_the_quirks(site: Path, browser: Browser) -> None:
    with visiting(browser, viewport=NARROW) as page:
        page.goto((site / "index.html").as_uri())
        box = page.locator("#grid thead th[data-key]").nth(1).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= NARROW["width"]
        assert not page.locator("details.key").evaluate("one => one.open")


def test_without_a_script_everything_is_there_and_no_filter(site: Path, browser: Browser) -> None:
    with visiting(browser, java_script_enabled=False) as page:
        page.goto((site / "index.html").as_uri())
        assert not page.is_visible(FORM)
        assert page.is_visible("tr[data-slug='comment'] th")
    parsed = Parsed((site / "index.html").read_text(encoding="utf-8"))
    assert len({address for address, _ in parsed.links if address.startswith("quirks/")}) > 200


def test_from_the_table_to_the_guard_in_two_clicks(page: Page) -> None:
    page.locator("tr[data-slug='call-in-content'] td a").first.click()
    page.wait_for_url("**/evidence/**")
    page.get_by_role("link", name="About the quirk").click()
    page.wait_for_url("**/quirks/call-in-content.html")
    assert page.is_visible("#guard")


def test_the_evidence_shows_the_guard_itself(page: Page) -> None:
    page.locator("tr[data-slug='call-in-content'] td a").first.click()
    page.wait_for_url("**/evidence/**")
    assert page.is_visible("#guard")
    assert "do not run what a text holds" in page.inner_text("main")


def test_what_breaks_my_client_on_a_provider_is_two_clicks_away(page: Page) -> None:
    page.locator(".providers").get_by_role("link", name="transformers").click()
    page.wait_for_url("**/providers/transformers.html")
    assert "event-not-json" in page.inner_text("main")
    page.get_by_role("link", name="event-not-json").first.click()
    page.wait_for_url("**/event-not-json.html")
    assert page.is_visible("#guard")

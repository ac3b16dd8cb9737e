"""Every page of the site: links that lead somewhere, nothing from elsewhere, nothing on the console, no barrier."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from tests.report.pages import Page as Parsed
from tests.site.browser import NARROW, WIDE, unscripted, violations, visiting
from tests.site.made_up import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KINDS = (
    "providers/transformers.html",
    "providers/groq.html",
    "quirks/index-missing.html",
    "quirks/call-in-content.html",
    "evidence/transformers/event-not-json.html",
    "evidence/llamacpp/call-in-content.html",
)
"""Pages of every kind but the first: with recordings and without, with JSON and with events."""


def pages(site: Path) -> dict[Path, Parsed]:
    return {path: Parsed(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def test_every_link_inside_leads_to_a_file_and_a_place_in_it(site: Path) -> None:
    parsed = pages(site)
    places = {path: set(page.values("id")) for path, page in parsed.items()}
    broken = []
    seen = 0
    for path, page in parsed.items():
        for address in {*page.values("href"), *page.values("src")}:
            if re.match(r"https?://", address):
                continue
            seen += 1
            name, _, fragment = address.partition("#")
            target = (path.parent / unquote(name)).resolve() if name else path
            view = target.name == "index.html" and "=" in fragment  # read by the page's script
            if not target.is_file() or (fragment and not view and unquote(fragment) not in places[target]):
                broken.append(f"{path.relative_to(site)}: {address}")
    assert broken == []
    assert seen > 5000


def test_every_page_can_be_reached_from_the_first(site: Path) -> None:
    parsed = pages(site)
    reached: set[Path] = set()
    waiting = [site / "index.html"]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            names = {address.partition("#")[0] for address, _ in parsed[path].links if "://" not in address}
            waiting += [(path.parent / unquote(name)).resolve() for name in names if name.endswith(".html")]
    assert [str(path.relative_to(site)) for path in parsed if path not in reached] == []


def test_every_page_lets_only_the_two_files_beside_it_in(site: Path) -> None:
    for path, page in pages(site).items():
        policy = next(value for value in page.values("content") if "default-src" in value)
        assert "default-src 'none'" in policy, path
        assert "unsafe" not in policy, path
        up = "../" * (len(path.relative_to(site).parts) - 1)
        assert page.values("src") == [f"{up}assets/site.js"], path
        assert [value for tag, name, value in page.attributes if (tag, name) == ("link", "href")] == [
            f"{up}assets/site.css"
        ], path
        assert page.values("style") == [], path
        assert "style" not in page.tags, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_there_is_no_barrier_on_any_kind_of_page(
    site: Path, small: Path, browser: Browser, scheme: str, viewport: dict[str, int]
) -> None:
    found = {}
    paths = [small / "index.html", *(site / name for name in KINDS)]
    with visiting(browser, viewport=viewport, color_scheme=scheme) as page:
        for path in paths:
            page.goto(path.as_uri())
            found[path] = violations(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], path
    assert found == {path: [] for path in paths}


def test_there_is_no_barrier_in_the_whole_matrix_and_it_fits_a_phone(site: Path, browser: Browser) -> None:
    with visiting(browser, viewport=NARROW) as page:
        page.goto((site / "index.html").as_uri())
        assert violations(page, "color-contrast") == []  # that of every state is looked at in the small one
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_there_is_no_barrier_in_the_matrix_without_a_script(
    small: Path, browser: Browser, scheme: str, viewport: dict[str, int]
) -> None:
    with visiting(browser, viewport=viewport, color_scheme=scheme) as page:
        unscripted(page)
        page.goto((small / "index.html").as_uri())
        assert page.locator("html.script, #filters:visible").count() == 0
        assert page.locator("#grid tbody tr:visible").count() == page.locator("#grid tbody tr").count() > 0
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_hostile_text_stays_text(small: Path, browser: Browser) -> None:
    said = set()
    paths = [path for path in small.rglob("*.html") if "alert" in path.read_text(encoding="utf-8")]
    with visiting(browser) as page:
        for path in paths:
            page.goto(path.as_uri())
            assert page.evaluate("[document.scripts.length, document.images.length]") == [1, 0], path
            text = page.inner_text("body")
            said |= {one for one in HOSTILE if one in text}
    assert said == set(HOSTILE)
    assert {path.relative_to(small).parts[0] for path in paths} == {"index.html", "providers", "quirks", "evidence"}

"""Evidence and provider pages in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.site.build import build
from tests.report.examples import NASTY
from tests.report.pages import Page as Parsed
from tests.site.browser import NARROW, WIDE, violations, visiting
from tests.site.recorded import Lab
from tests.site.test_provider_page import streaming

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LARGEST = 200_000


def test_pages_of_the_committed_recordings_are_whole_and_small(site: Path) -> None:
    paths = [*site.glob("evidence/*/*.html"), *site.glob("providers/*.html")]
    assert len(paths) > 300
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert len(text.encode()) < LARGEST, path
        assert "The bytes cannot be shown" not in text, path
        assert "left out: cassettes/" not in text, path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site about a provider that puts markup wherever it can."""
    lab = Lab(tmp_path_factory.mktemp("lab"))
    markup = f"{NASTY}<img src=x onerror=alert(1)></mark></pre><style>*{{display:none}}</style>"
    lab.answer(streaming(json.dumps({markup: markup}), "", call_id=markup, name=markup))
    folder = lab.root / "site"
    build(lab.matrix(), folder, root=lab.root)
    return folder


def test_markup_of_a_provider_stays_text(hostile: Path, browser: Browser) -> None:
    paths = [*hostile.glob("evidence/acme/*.html"), hostile / "providers" / "acme.html"]
    assert len(paths) > 2
    for path in paths:
        with visiting(browser, path) as page:
            assert page.locator("script").count() == 1, path
            assert page.locator("main img, main style, main script").count() == 0, path
            assert page.locator("h1").is_visible(), path
    text = Parsed(paths[0].read_text(encoding="utf-8")).text
    assert "<img src=x onerror=alert(1)>" in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_hostile_pages_have_no_barrier_either(
    hostile: Path, browser: Browser, scheme: str, viewport: dict[str, int]
) -> None:
    for path in [next(hostile.glob("evidence/acme/*.html")), hostile / "providers" / "acme.html"]:
        with visiting(browser, path, viewport=viewport, color_scheme=scheme) as page:
            assert violations(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], path


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(5, 80, 174)"), ("dark", "rgb(125, 183, 255)")])
def test_plots_take_the_colours_of_the_page(site: Path, browser: Browser, scheme: str, colour: str) -> None:
    with visiting(browser, site / "providers" / "vllm.html", color_scheme=scheme) as page:
        bar = page.locator(".plot svg .bar rect").first
        assert bar.evaluate("one => getComputedStyle(one).fill") == colour  # --link of the palette
        assert page.get_by_role("img", name="Time to the first event").is_visible()


def test_folded_events_open_without_a_script(site: Path, browser: Browser) -> None:
    with visiting(browser, site / "evidence/litellm/type-repeated.html", java_script_enabled=False) as page:
        assert page.locator("mark").first.inner_text() == '"function"'
        fold = page.locator("main details", has=page.locator(".bytes")).first
        quote = fold.locator("pre").first
        assert not quote.is_visible()
        fold.locator("summary").click()
        assert quote.is_visible()

"""Evidence and provider pages in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site.browser import visiting

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


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(5, 80, 174)"), ("dark", "rgb(125, 183, 255)")])
def test_plots_take_the_colours_of_the_page(site: Path, browser: Browser, scheme: str, colour: str) -> None:
    with visiting(browser, color_scheme=scheme) as page:
        page.goto(f"file://{site}/providers/vllm.html")
        bar = page.locator(".plot svg .bar rect").first
        assert bar.evaluate("one => getComputedStyle(one).fill") == colour  # --link of the palette
        assert page.get_by_role("img", name="Time to the first event").is_visible()


def test_folded_events_open_without_a_script(site: Path, browser: Browser) -> None:
    with visiting(browser, java_script_enabled=False) as page:
        page.goto(f"file://{site}/evidence/litellm/type-repeated.html")
        assert page.locator("mark").first.inner_text() == '"function"'
        fold = page.locator("main details", has=page.locator(".bytes")).first
        quote = fold.locator("pre").first
        assert not quote.is_visible()
        fold.locator("summary").click()
        assert quote.is_visible()

"""A real browser for the tests of the site: Debian's Chromium, driven by Playwright, with nothing but files to read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, Request

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 375, "height": 740}


@contextmanager
def launched() -> Iterator[Browser]:
    """Chromium, for as long as the block lasts; the test is skipped where there is none, but never in CI."""
    playwright = pytest.importorskip("playwright.sync_api") if not os.environ.get("CI") else _required()
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        why = f"no browser is installed (looked for {', '.join(NAMES)}): apt-get install chromium"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield browser
        browser.close()


def _required() -> Any:
    import playwright.sync_api

    return playwright.sync_api


@contextmanager
def visiting(browser: Browser, **options: Any) -> Iterator[Page]:
    """A tab of its own. What must never happen on any page of ours fails the test: a word on the console, an error, a
    dialog, a request for anything but files.

    Args:
        browser: from `launched`.
        options: of Playwright's `new_context`: `viewport`, `color_scheme`, `java_script_enabled` and the like.
    """
    context = browser.new_context(**{"viewport": WIDE, **options})
    page = context.new_page()
    watch = _Watch()
    page.on("console", watch.console)
    page.on("pageerror", watch.error)
    page.on("dialog", watch.dialog)
    page.on("request", watch.request)
    yield page
    context.close()
    assert watch.seen == []


def unscripted(page: Page) -> None:
    """From now on pages come without their script, as where scripts are off, but axe can still look at them."""
    page.route("**/site.js", lambda route: route.fulfill(body="", content_type="text/javascript"))


class _Watch:
    """What must never happen."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def console(self, said: ConsoleMessage) -> None:
        self.seen.append(f"console {said.type}: {said.text}")

    def error(self, error: Error) -> None:
        self.seen.append(f"error: {error}")

    def dialog(self, dialog: Dialog) -> None:
        self.seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def request(self, request: Request) -> None:
        if not request.url.startswith("file://"):
            self.seen.append(f"request: {request.url}")


def violations(page: Page, *but: str) -> list[str]:
    """What axe finds wrong with a page: rule, and the first places; rules may be left out."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    # preload would fetch the style sheet, which the policy of our pages refuses
    options = {"resultTypes": ["violations"], "preload": False, "rules": {rule: {"enabled": False} for rule in but}}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes'][:3]]}" for one in found]

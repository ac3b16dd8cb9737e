"""The site, made once from what is committed, and a browser to look at it with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site.browser import launched
from tests.site.made_up import small_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]


# of the package, not of the session: while Playwright runs, no other test can run an event loop
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched() as started:
        yield started


@pytest.fixture(scope="package")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a replay of every committed cassette."""
    folder = tmp_path_factory.mktemp("run")
    _conformance("run", "--replay", "-o", str(folder), codes=(0, 1))
    return folder / "run.jsonl"


@pytest.fixture(scope="package")
def site(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site made from that record and the committed observations."""
    folder = tmp_path_factory.mktemp("site")
    observations = str(ROOT / "reports" / "observations.jsonl")
    clients = ROOT / "reports" / "clients.json"
    beside = ["--observations", observations, *(["--clients", str(clients)] if clients.is_file() else [])]
    _conformance("report", str(record), *beside, "-f", "html", "-o", str(folder), codes=(0, 1))
    return folder


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small site with every state of a cell, and hostile text."""
    return small_site(tmp_path_factory.mktemp("small"))


def _conformance(*arguments: str, codes: tuple[int, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode in codes, done.stderr

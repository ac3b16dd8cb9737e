"""What pages about quirks say of client libraries, and how it stays current."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from tests.impact.made_up import client, clients


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(said: dict[str, Any]) -> None:
    Path("reports").mkdir(exist_ok=True)
    Path("reports/clients.json").write_text(json.dumps(said), "utf-8")


def test_a_page_says_which_clients_break_in_which_version_and_stays_current(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(["docs"]) == 0
    page = Path("docs/quirks/index-missing.md")
    bare = page.read_text("utf-8")
    assert "Client libraries" not in bare
    assert call(["docs", "--check"]) == 0

    outcomes = {"index-missing": {"stream": "merged", "complete": "right"}}
    evil = client("xsai", {"index-missing": {"stream": "raised"}})
    evil["outcomes"][0]["faults"][0]["detail"] = "| <b>`x`"
    put(clients(evil, client("agno", outcomes), client("pi-ai", {"index-missing": {"stream": "right"}})))
    assert call(["docs", "--check"]) == 4
    assert "1 pages are not current (index-missing.md)" in capsys.readouterr().err
    assert call(["docs"]) == 0
    assert call(["docs", "--check"]) == 0
    text = page.read_text("utf-8")
    assert text.startswith(bare)
    rows = text[len(bare) :].strip().splitlines()
    assert rows[0] == "## Client libraries"
    assert rows[4] == "| agno | 1.2.3 | ✕ merged (streamed) | what came of index-missing |"
    assert rows[5].startswith("| xsai | 1.2.3 | ! raised | &#124; &#60;b&#62;")
    assert "Come out right: pi-ai 1.2.3." in rows
    assert "Client libraries" not in Path("docs/quirks/id-missing.md").read_text("utf-8")


def test_without_the_measurement_the_pages_keep_what_they_say_and_the_rest_is_checked() -> None:
    put(clients(client("agno", {"index-missing": {"stream": "merged"}})))
    assert call(["docs"]) == 0
    page = Path("docs/quirks/index-missing.md")
    text = page.read_text("utf-8")
    Path("reports/clients.json").unlink()
    assert call(["docs", "--check"]) == 0
    page.write_text(text.replace("## Guard", "## Gard"), "utf-8")
    assert call(["docs", "--check"]) == 4
    assert call(["docs"]) == 0
    assert page.read_text("utf-8") == text
    assert call(["docs", "--check", "--clients", "nowhere.json"]) == 4

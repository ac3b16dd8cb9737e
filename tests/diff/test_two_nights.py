"""Two nights end to end: a server is clean, then deviates; the expectation makes it green again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.cli import call
from tests.diff.examples import Nights
from tests.fake_provider import FakeProvider

FILE = "providers:\n  acme:\n    base_url: ${ACME_URL}\n    models: [m1]\n"
EXPECTED = """\
    expectations:
      - quirk: index-missing
        reason: It numbers no calls.
        source: {document: an example, date: 2026-11-30}
"""


def measure(out: str) -> str:
    """One night."""
    call(["run", "-p", "acme", "--live", "--retries", "0", "-s", "single_call", "-o", out])
    return out


def test_a_clean_night_one_with_a_fault_and_one_that_expects_it(
    nights: Nights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("providers.yaml").write_text(FILE)
    with FakeProvider() as server:
        monkeypatch.setenv("ACME_URL", server.url)
        monday = measure("monday")
        server.vice = "no-index"
        tuesday = measure("tuesday")
        Path("providers.yaml").write_text(FILE + EXPECTED)
        wednesday = measure("wednesday")
    monkeypatch.setenv("ACME_URL", server.url)
    thursday = measure("thursday")

    code, out, _ = nights.say(monday, tuesday)
    assert code == 1
    assert "✕ acme m1: must index-missing: appeared (unexpected)" in out
    assert nights.say(tuesday, monday)[0] == 0
    code, out, _ = nights.say(tuesday, wednesday)
    assert code == 0
    assert "· acme m1: must index-missing: now-expected (resolved)" in out
    assert nights.say(monday, wednesday)[0] == 0
    code, out, _ = nights.say(wednesday, thursday, "-f", "json")
    assert code == 1
    assert [row["kind"] for row in json.loads(out)["rows"]] == ["not-running"]
    assert "gone" not in out

"""With workers: what belongs together runs in one process, whatever pytest-xdist does with marks."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from conformance.run.record import load_record
from tests.fake_provider import FakeProvider
from tests.suites.conftest import FILE, Run

pytest_plugins = ["pytester"]


def workers(result: pytest.RunResult, pattern: str) -> dict[str, set[str]]:
    """By what the pattern finds in an item's id: the workers that ran such items."""
    found: dict[str, set[str]] = defaultdict(set)
    for worker, item in re.findall(r"\[(gw\d+)\].* (?:PASSED|FAILED) \S+\[(\S+)\]", result.stdout.str()):
        match = re.search(pattern, item)
        assert match is not None
        found[match.group()].add(worker)
    return dict(found)


def test_requests_to_one_provider_follow_each_other(
    fake: FakeProvider, run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_URL", fake.url)
    monkeypatch.setenv("ACME_API_KEY", "sk-fake-0123456789abcdef")
    (project / "providers.yaml").write_text(FILE.replace("base_url: http://127.0.0.1:9/v1", f"base_url: {fake.url}"))
    names = "single_call,round_trip,two_tools,no_call"
    result = run("--provider=acme,beta", "--conformance-live", "-n3", "-v", scenarios=names)
    result.assert_outcomes(passed=16)
    used = workers(result, "^[a-z]+")
    assert set(used) == {"acme", "beta"}
    assert {len(names) for names in used.values()} == {1}


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("how", [[], ["--dist=loadgroup"]])
def test_a_stream_meets_its_twin(run: Run, project: Path, how: list[str]) -> None:
    result = run("--provider=acme", "-n2", "-v", "--conformance-output=out", *how)
    used = workers(result, "single_call|round_trip")
    assert {len(names) for names in used.values()} == {1}
    streams = [row for row in load_record(project / "out" / "run.jsonl").exchanges if row["mode"] == "stream"]
    assert all("parity-id-form" in row["applicable"] for row in streams if row["calls"])


@pytest.mark.usefixtures("recorded")
def test_another_way_of_sharing_out_stays_what_it_is(run: Run) -> None:
    run("--provider=acme", "-n2", "--dist=loadfile").assert_outcomes(passed=4)

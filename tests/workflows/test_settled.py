"""When an issue of the nightly is closed: once silence means something, or somebody expects what it is about."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from conformance.report import json_
from conformance.report.history import History, Look
from conformance.report.matrix import build
from conformance.report.timeline import Change
from tests.diff.examples import asked
from tests.report.examples import expectation, finding, provider, record
from tests.workflows.test_scripts import TOOLS, ran


def day(number: int) -> str:
    return f"2026-11-{number:02}"


def looks(seen: dict[int, tuple[int, int]]) -> str:
    """A history: on which day of November how many of how many exchanges showed the quirk."""
    past = History()
    for number, (shown, of) in seen.items():
        change = Change(day(number), "found" if shown else "ok", "must" if shown else None, shown, of)
        past = past.add([Look("acme", "m1", "index-missing", day(number), change)])
    return past.dumps()


ONCE: Final = {1: (0, 8), 2: (1, 8)}
EXPECTED: Final = [provider(expectations=[expectation("index-missing")])]


@pytest.mark.parametrize(
    ("seen", "rows", "providers", "resolved", "settled"),
    [
        (ONCE | {3: (0, 8)}, asked(0, 8), None, False, False),  # one silent night of a cell that shows now and then
        (ONCE | dict.fromkeys(range(3, 7), (0, 8)), asked(0, 8), None, False, False),  # four
        (ONCE | dict.fromkeys(range(3, 8), (0, 8)), asked(0, 8), None, False, True),  # five
        (ONCE | {3: (0, 8), 4: (1, 8), 5: (0, 8)}, asked(0, 8), None, False, False),  # it comes and goes
        ({1: (8, 8), 2: (0, 8)}, asked(0, 8), None, False, True),  # always, then never
        (ONCE | {3: (0, 8)}, asked(0, 8), None, True, True),  # the comparison says so
        (ONCE | {3: (0, 8)}, asked(0, 2), EXPECTED, False, True),  # somebody expects it
        (ONCE | {3: (1, 8)}, asked(1, 8, finding(expected_by="known")), EXPECTED, False, True),
        (ONCE | {3: (1, 8)}, asked(1, 8, finding()), None, False, False),  # it is red
    ],
)
def test_when_an_issue_is_settled(
    tmp_path: Path, seen: dict[int, tuple[int, int]], rows: Any, providers: Any, resolved: bool, settled: bool
) -> None:
    fields = {} if providers is None else {"providers": providers}
    result = tmp_path / "runs/result"
    for folder in (result / "reports", tmp_path / "runs/night/_committed"):
        folder.mkdir(parents=True)
    (tmp_path / "runs/night/_committed/plan.json").write_text('[{"name": "acme"}]')
    (result / "asked").write_text("acme\n")
    (result / "reports/history.jsonl").write_text(looks(seen))
    cell = {"provider": "acme", "model": "m1", "quirk": "index-missing", "resolved": resolved}
    (result / "diff.json").write_text(json.dumps({"cells": [cell]}))
    (result / "night.json").write_text(json_.render(build(record(*rows, **fields))))
    done = ran(sys.executable, str(TOOLS / "night.py"), "settled", "runs/result/night.json", where=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("acme/m1/index-missing" in done.stdout.split()) is settled

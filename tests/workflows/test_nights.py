"""The nightly workflow, night after night, with servers that make answers up: what turns red, and what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from tests.actions.runner import commands
from tests.workflows.nights import DOWN, KEYS, PROVIDERS, Nights
from tests.workflows.runner import BRANCH, Run, git

NOT_RUNNING: Final = "acme made-up-1: not-running"
EXPECTATION: Final = """\
    expectations:
      - quirk: index-reused
        reason: Their parser numbers every call 0; our client opens a call where a new id comes.
        source: {url: "https://docs.tides.example/known", date: 2026-11-30}
        modes: [stream]
"""


def results(run: Run) -> dict[str, str]:
    return {name: job.result for name, job in run.jobs.items()}


def badge(run: Run, name: str) -> tuple[str, str]:
    assert run.published is not None
    read = json.loads((run.published / "badges" / f"{name}.json").read_text())
    return read["color"], read["message"]


def open_issues(nights: Nights) -> list[dict[str, Any]]:
    return [one for one in nights.github["issues"] if one["open"]]


def test_a_provider_that_changes_overnight(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    _a_night_like_any_other(nights)
    nights.accept()
    _the_night_it_changed(nights)
    _the_night_after(nights)
    nights.commit("providers.yaml", PROVIDERS + EXPECTATION)
    _now_it_is_expected(nights)
    assert_no_key_anywhere(tmp_path)


def _a_night_like_any_other(nights: Nights) -> None:
    run = nights.night()
    assert run.green, run.log
    assert set(results(run).values()) == {"success"}
    assert run.jobs["merge"].summary.startswith("Asked this night: acme, tides.\n")
    assert "## ✓ Tool calling: nothing unexpected" in run.jobs["merge"].summary
    assert run.published is not None
    assert (run.published / "index.html").is_file()
    assert (badge(run, "acme"), badge(run, "tides")) == (("brightgreen", "safe"), ("brightgreen", "safe"))
    assert nights.github["issues"] == []
    (pull,) = nights.github["pulls"]
    assert (pull["head"], pull["base"]) == ("nightly/recordings", BRANCH)
    offered = git(nights.remote, "ls-tree", "-r", "--name-only", "nightly/recordings").split()
    assert {"cassettes/acme/single_call.stream.yaml", "reports/quirks.json", "reports/history.jsonl"} <= set(offered)
    assert not [name for name in offered if name.startswith(("runs/", "reports/run", ".venv"))]
    # each job was given its own key, and the others none
    given = {name: job.secrets for name, job in run.jobs.items() if job.secrets}
    assert given == {f"provider ({name})": {f"provider-{name}.API_KEY"} for name in KEYS}


def _the_night_it_changed(nights: Nights) -> None:
    run = nights.night(tides="index-all-zero")
    assert not run.green
    red = [name for name, result in results(run).items() if result == "failure"]
    assert red == ["provider (tides)", "provider", "merge"], run.log
    summary = run.jobs["merge"].summary
    change = r"\| tides \| made-up-1 \| index-reused \| must \| appeared \| unexpected \| 0/(\d+) \| \1/\1 must \|"
    assert len(re.findall(change, summary)) == 1, summary
    assert "**1 unexpected change, " in summary
    assert summary.index("index-reused") < summary.index("## ✕ Tool calling: unexpected")
    assert "✕ tides made-up-1: must index-reused: appeared (unexpected)" in run.jobs["merge"].log
    assert badge(run, "acme") == ("brightgreen", "safe")
    assert badge(run, "tides")[0] == badge(run, "all")[0] == "red"
    assert re.fullmatch(r"\d+ unexpected", badge(run, "tides")[1])
    (issue,) = nights.github["issues"]
    assert issue["title"] == "tides made-up-1: index-reused (must): appeared"
    for part in (
        "<!-- conformance-cell: tides/made-up-1/index-reused -->",
        "`conformance explain index-reused`",
        "https://github.com/acme/tool-calling/actions/runs/7",
    ):
        assert part in issue["body"]
    assert re.search(r"`cassettes/tides/\w+\.stream\.yaml#\d+`, `event \d+, byte \d+, ", issue["body"])
    (pull,) = [one for one in nights.github["pulls"] if one["open"]]
    assert "index-reused" in pull["body"]


def _the_night_after(nights: Nights) -> None:
    (before,) = nights.github["issues"]
    nights.in_request("reports/history.jsonl", lambda text: _long_ago(text, "acme"))
    run = nights.night(tides="index-all-zero")
    assert not run.green
    (issue,) = nights.github["issues"]
    assert (issue["number"], issue["open"], issue["comments"]) == (before["number"], True, [])
    assert f"refreshed #{issue['number']}" in run.log
    assert len([one for one in nights.github["pulls"] if one["open"]]) == 1
    # one commit, however many nights go by; what the history said the night before is kept all the same
    assert git(nights.remote, "rev-list", "--count", f"{BRANCH}..nightly/recordings").strip() == "1"
    assert _since(nights, "acme", "ok") == "2026-01-05"
    assert _since(nights, "tides", "found") > "2026-01-05"


def _long_ago(history: str, provider: str) -> str:
    """A history in which a provider was looked at on an earlier day."""
    lines = history.splitlines(keepends=True)
    return "".join(re.sub(r"\d{4}-\d\d-\d\d", "2026-01-05", one) if f'"{provider}"' in one else one for one in lines)


def _since(nights: Nights, provider: str, state: str) -> str:
    lines = git(nights.remote, "show", "nightly/recordings:reports/history.jsonl").splitlines()
    read = [one for one in map(json.loads, lines) if one.get("quirk") == "index-reused"]
    (day,) = [one["day"] for one in read if (one["provider"], one["state"]) == (provider, state)]
    return str(day)


def _now_it_is_expected(nights: Nights) -> None:
    run = nights.night(tides="index-all-zero")
    assert run.green, run.log
    (issue,) = nights.github["issues"]
    assert not issue["open"]
    assert len(issue["comments"]) == 1
    assert "**0 unexpected changes, " in run.jobs["merge"].summary
    assert badge(run, "tides") == ("yellow", "needs 1 guard")


def test_providers_that_cannot_be_asked(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    assert nights.night().green
    nights.accept()
    _one_is_down(nights)
    _its_key_is_gone(nights)
    _no_key_is_left(nights)
    assert_no_key_anywhere(tmp_path)


def _one_is_down(nights: Nights) -> None:
    run = nights.night(acme=DOWN)
    red = [name for name, result in results(run).items() if result == "failure"]
    assert red == ["provider (acme)", "provider", "merge"]
    assert "- acme made-up-1: **not running" in run.jobs["merge"].summary
    (issue,) = nights.github["issues"]
    assert issue["title"] == NOT_RUNNING
    assert "<!-- conformance-cell: acme/made-up-1/not-running -->" in issue["body"]
    assert re.fullmatch(r"\d+ not run", badge(run, "acme")[1])
    # what was recorded before is kept
    kept = git(nights.remote, "ls-tree", "-r", "--name-only", "nightly/recordings", "cassettes/acme").split()
    assert kept == git(nights.remote, "ls-tree", "-r", "--name-only", BRANCH, "cassettes/acme").split() != []


def _its_key_is_gone(nights: Nights) -> None:
    keys = {"tides": KEYS["tides"]}
    run = nights.night(keys)
    assert run.green, run.log
    assert "- acme: not asked: no key (ACME_API_KEY)" in run.jobs["merge"].summary
    (warning,) = commands(run.jobs["provider (acme)"].log)
    assert (warning.name, warning.fields) == ("warning", {"title": "acme"})
    assert [one["title"] for one in open_issues(nights)] == [NOT_RUNNING], "nobody looked"

    named = nights.night(keys, {"NIGHTLY_PROVIDERS": "acme"})
    assert results(named) | {"provider (acme)": "failure", "merge": "failure"} == results(named)
    assert "provider (tides)" not in named.jobs
    assert "no-key" in named.jobs["merge"].summary


def _no_key_is_left(nights: Nights) -> None:
    run = nights.night({})
    assert not run.green
    assert {name: result for name, result in results(run).items() if result != "success"} == {
        "merge": "failure",
        "issues": "skipped",
        "refresh": "skipped",
        "pages": "skipped",
    }
    assert "Nothing was measured" in run.jobs["merge"].summary
    assert [one.fields["title"] for one in commands(run.jobs["merge"].log)] == ["nothing was measured"]


def assert_no_key_anywhere(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            held = path.read_bytes()
            assert not [name for name, key in KEYS.items() if key.encode() in held], path

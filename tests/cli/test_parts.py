"""A run in parts: limited, cut into shards and joined, interrupted and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from conformance.run.record import load_record
from tests.fake_provider import FakeProvider

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
  beta:
    base_url: ${BETA_URL:-http://127.0.0.1:9/v1}
    models: [m1]
    expectations:
      - quirk: finish-stop-*
        reason: seen once
        source: {url: "https://example.org/1", date: 2026-11-01}
        min_applicable: 5
"""
SOME = ("-s", "single_call,no_call,round_trip")
PASSING = ("recorded_at", "duration_ms", "sha256")
"""Fields of a line that differ from run to run: the fake provider dates its answers."""


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        yield server


pytestmark = pytest.mark.usefixtures("project", "fake")


@pytest.fixture
def project(tmp_path: Path, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACME_URL", fake.url)
    monkeypatch.setenv("BETA_URL", fake.url)
    return tmp_path


def live(*args: str) -> int:
    return call(["run", "--live", "-p", "acme", "-p", "beta", *args])


def timeless(folder: str) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any] | None]:
    """A record without what differs from run to run."""
    record = load_record(Path(folder) / "run.jsonl", incomplete=True)
    header = {k: v for k, v in record.header.items() if k not in ("started", "resumed")}
    rows = [{k: v for k, v in row.items() if k not in PASSING} for row in record.exchanges]
    footer = {k: v for k, v in record.footer.items() if k != "finished"} if record.footer else None
    return header, rows, footer


def test_a_dry_run_says_what_it_would_cost_and_sends_nothing(
    project: Path, fake: FakeProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    assert live(*SOME, "--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "acme-no_call-complete"
    assert len(lines) == 2 * 3 * 2 + 3
    # three scenarios in two modes, one of them with two steps; each answer is bounded by 256 tokens
    assert lines[-3].startswith(f"acme: up to 8 requests, at most {8 * 256:,} answer tokens, about ")
    assert lines[-1].startswith(f"together: up to 16 requests, at most {16 * 256:,} answer tokens, about ")
    assert fake.requests == []
    assert not (project / "runs").exists()
    assert call(["run", "--dry-run"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("nothing would be sent")


def test_the_cost_is_said_before_it_is_spent(capsys: pytest.CaptureFixture[str]) -> None:
    assert live(*SOME, "-o", "out") == 0
    assert capsys.readouterr().err.splitlines()[0].startswith("acme: up to 8 requests, ")


def test_no_more_requests_than_allowed(fake: FakeProvider, capsys: pytest.CaptureFixture[str]) -> None:
    assert live(*SOME, "--max-requests", "5", "-o", "out") == 1
    assert len(fake.requests) <= 5
    record = load_record(Path("out/run.jsonl"))
    left = [row for row in record.exchanges if row["not_run"] is not None]
    assert {row["not_run"]["reason"] for row in left if row["not_run"]} == {"budget"}
    assert len(left) == 16 - 5
    assert "--max-requests 5 leaves no room for it" in capsys.readouterr().err

    assert live(*SOME, "--resume", "-o", "out") == 0
    assert len(fake.requests) == 16
    assert all(row["not_run"] is None for row in load_record(Path("out/run.jsonl")).exchanges)


def test_no_exchange_is_begun_after_the_time_is_over(fake: FakeProvider) -> None:
    assert live(*SOME, "--max-seconds", "0.000001", "-o", "out") == 1
    assert fake.requests == []
    rows = load_record(Path("out/run.jsonl")).exchanges
    assert {row["not_run"]["reason"] for row in rows if row["not_run"]} == {"budget"}


def test_a_server_that_hangs_cannot_outlast_the_time(fake: FakeProvider) -> None:
    fake.vice = "hangs"
    assert live("-s", "single_call", "--max-seconds", "1", "-o", "out") == 1
    reasons = {row["not_run"]["reason"] for row in load_record(Path("out/run.jsonl")).exchanges if row["not_run"]}
    assert reasons == {"budget"}


@pytest.mark.parametrize("many", [2, 3])
def test_shards_joined_are_the_whole_run(many: int, fake: FakeProvider) -> None:
    fake.vice = "no-index"
    assert live("-o", "whole", "--strict") == 1
    sent = len(fake.requests)
    for index in range(1, many + 1):
        live("--shard", f"{index}/{many}", "-o", f"part{index}", "--strict")
        assert load_record(Path(f"part{index}/run.jsonl")).footer["stale"] == []  # type: ignore[index]
    assert len(fake.requests) == 2 * sent, "shards neither overlap nor leave anything out"
    assert call(["merge", *(f"part{i}" for i in range(many, 0, -1)), "-o", "joined"]) == 1
    whole, joined = timeless("whole"), timeless("joined")
    assert joined == whole
    assert whole[2] is not None
    assert [one["quirk"] for one in whole[2]["stale"]] == ["finish-stop-*"]
    assert sorted(path.name for path in Path("joined").iterdir()) == sorted(
        path.name for path in Path("whole").iterdir()
    )


def test_records_that_do_not_belong_together(capsys: pytest.CaptureFixture[str]) -> None:
    for index in (1, 2):
        live(*SOME, "--shard", f"{index}/3", "-o", f"part{index}")
    live(*SOME, "--shard", "1/2", "-o", "other")
    live(*SOME, "-o", "whole")
    live(*SOME, "--strict", "-o", "strict")
    capsys.readouterr()
    for paths, said in (
        (["part1", "part2"], "shard 3/3 is missing; give the records of all 3"),
        (["part1", "other"], "shards of different runs"),
        (["part1", "whole"], "some records are shards and some are not"),
        (["whole", "whole"], "both hold test_complete[acme-no_call-complete]"),
        (["whole", "strict"], "different settings of --strict"),
        (["nowhere"], "nowhere: No such file"),
    ):
        assert call(["merge", *paths, "-o", "joined"]) == 4
        assert said in capsys.readouterr().err
        assert not Path("joined/run.jsonl").exists()


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3"])
def test_a_wrong_shard_is_one_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert live("--shard", text) == 4
    assert "give I/N, such as 1/4" in capsys.readouterr().err


def test_a_run_without_its_server_is_resumed(fake: FakeProvider) -> None:
    assert live(*SOME, "-o", "whole") == 0
    fake.requests.clear()
    fake.hang_after = None
    fake.vice = "fails"
    assert live("-s", "single_call", "-o", "out") == 1
    fake.vice = "clean"
    assert live(*SOME, "--resume", "-o", "out") == 1, "what was judged is kept, also where it is bad"
    fake.close()
    assert live(*SOME, "-o", "gone") == 1
    with FakeProvider() as again:
        os.environ["ACME_URL"] = os.environ["BETA_URL"] = again.url
        assert live(*SOME, "--resume", "-o", "gone") == 0
        assert len(again.requests) == 16
        assert live(*SOME, "--resume", "-o", "gone") == 0
        assert len(again.requests) == 16, "nothing is left to do"
    assert timeless("gone") == timeless("whole")
    assert len(load_record(Path("gone/run.jsonl")).header["resumed"]) == 2


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_killed_run_is_resumed(kill: signal.Signals, project: Path, fake: FakeProvider) -> None:
    fake.hang_after = 6
    command = [sys.executable, "-m", "conformance", "run", "--live", "-p", "acme", "-p", "beta", *SOME, "-o", "out"]
    process = subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert fake.hanging.wait(30)
    process.send_signal(kill)
    process.wait(30)
    fake.hang_after = None
    fake.vice = "clean"
    before = len(fake.requests)
    assert live(*SOME, "--resume", "-o", "out") == 0
    sent = len(fake.requests) - before
    assert 16 - 6 <= sent < 16, "whole cells that were measured are not measured again"
    record = load_record(Path("out/run.jsonl"))
    assert len(record.exchanges) == 16
    assert sorted(path.name for path in Path("out").iterdir() if "part" in path.name) == []


def test_another_run_is_not_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    assert live(*SOME, "-o", "out") == 0
    lines = Path("out/run.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    for field, value, said in (
        ("version", "0.0.1", "another version of conformance"),
        ("run_mode", "record", "another way to get exchanges"),
        ("quirks", [], "another set of quirks"),
    ):
        Path("out/run.jsonl").write_text("\n".join([json.dumps(header | {field: value}), *lines[1:]]) + "\n")
        assert live(*SOME, "--resume", "-o", "out") == 4
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--live", "--replay"], "exclude each other"),
        (["--record", "--live"], "exclude each other"),
        (["-o", ""], "name a folder"),
        (["--max-requests", "3"], "a replay sends nothing"),
        (["--live", "-p", "acme", "--max-requests", "0"], "give a number from 1 on"),
        (["-n", "some"], "'auto'"),
    ],
)
def test_contradictions_are_one_sentence(
    args: list[str], said: str, fake: FakeProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["run", *args]) == 4
    assert said in capsys.readouterr().err
    assert fake.requests == []


def test_providers_side_by_side() -> None:
    assert live(*SOME, "-o", "one") == 0
    assert live(*SOME, "-n", "auto", "-o", "two") == 0
    assert timeless("one") == timeless("two")


def test_a_record_that_was_altered_is_not_resumed(fake: FakeProvider, capsys: pytest.CaptureFixture[str]) -> None:
    assert live(*SOME, "-o", "out") == 0
    sent = len(fake.requests)
    with Path("out/run.jsonl").open("a", encoding="utf-8") as record:
        record.write('{"x\n')
    for more in ((), ("--dry-run",)):
        capsys.readouterr()
        assert live(*SOME, "--resume", "-o", "out", *more) == 4
        assert "line 19 is not JSON" in capsys.readouterr().err
    assert len(fake.requests) == sent


def test_a_dry_run_leaves_out_what_is_measured(fake: FakeProvider, capsys: pytest.CaptureFixture[str]) -> None:
    assert live(*SOME, "--max-requests", "5", "-o", "out") == 1
    capsys.readouterr()
    assert live(*SOME, "--resume", "-o", "out", "--dry-run") == 0
    assert "together: up to 11 requests" in capsys.readouterr().out
    assert len(fake.requests) == 5


def recorded(folder: str) -> list[tuple[str, bool]]:
    """Each judged exchange of a record, and whether its cassette is there."""
    rows = load_record(Path(folder, "run.jsonl"), incomplete=True).exchanges
    return [(r["evidence"]["cassette"], Path(r["evidence"]["cassette"]).exists()) for r in rows if r["evidence"]]


@pytest.mark.parametrize("after", [1, 3, 5])
def test_what_a_killed_recording_judged_has_its_cassette(after: int, project: Path, fake: FakeProvider) -> None:
    fake.hang_after = after
    command = [sys.executable, "-m", "conformance", "run", "--record", "-p", "acme", *SOME, "-o", "out"]
    process = subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert fake.hanging.wait(30)
    process.kill()
    process.wait(30)
    fake.hang_after = None
    left = project / "cassettes" / "acme" / ".single_call.stream.yaml.x1.tmp"
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("half", encoding="utf-8")
    assert call(["run", "--record", "-p", "acme", *SOME, "--resume", "-o", "out"]) == 0
    assert all(there for _, there in recorded("out"))
    assert not left.exists()
    assert call(["run", "-p", "acme", *SOME, "-o", "replay"]) == 0
    assert all(row["not_run"] is None for row in load_record(Path("replay/run.jsonl")).exchanges)


def test_a_recording_whose_cassette_is_gone_is_made_again(project: Path, fake: FakeProvider) -> None:
    assert call(["run", "--record", "-p", "acme", *SOME, "-o", "out"]) == 0
    sent = len(fake.requests)
    (project / "cassettes" / "acme" / "no_call.stream.yaml").unlink()
    assert call(["run", "--record", "-p", "acme", *SOME, "--resume", "-o", "out"]) == 0
    assert len(fake.requests) == sent + 1
    assert all(there for _, there in recorded("out"))


def test_a_provider_that_is_out_of_quota_is_given_up(fake: FakeProvider) -> None:
    fake.vice = "busy"
    assert call(["run", "--live", "-p", "acme", *SOME, "--retries", "0", "-o", "out"]) == 1
    assert len(fake.requests) == 3
    reasons = {row["not_run"]["reason"] for row in load_record(Path("out/run.jsonl")).exchanges if row["not_run"]}
    assert reasons == {"http-429"}

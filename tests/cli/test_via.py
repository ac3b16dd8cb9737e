"""`conformance run --via`: a provider straight and through a gateway, replayed and live."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cli import call
from conformance.faults import find
from conformance.faults.server import FaultServer
from conformance.run.record import load_record

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [made-up-1, made-up-2]
  gate:
    base_url: ${GATE_URL:-http://127.0.0.1:9/v1}
    models: [behind-gate, other]
  plain:
    base_url: http://127.0.0.1:9/v1
    models: [m1]
    features: {stream: false}
"""
SOME = ("-s", "single_call,two_tools")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """An honest server, and a gateway to it that ends calls with `stop` in a stream."""
    with FaultServer() as server:
        monkeypatch.setenv("ACME_URL", server.url)
        monkeypatch.setenv("GATE_URL", server.url_of(find("finish-stop-stream")))
        yield server


def changes(folder: str = "out") -> dict[str, str]:
    (only,) = json.loads(Path(folder, "quirks.json").read_text())["hops"]
    return {one["slug"]: one["change"] for one in only["quirks"] if one["level"] != "info"}


ADDED = {"finish-stop-with-calls": "added", "parity-finish-reason": "added"}


@pytest.mark.usefixtures("servers")
def test_live_recorded_replayed_and_reported_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "--live", "-p", "acme", "--via", "gate", *SOME, "-o", "live"]) == 1
    assert changes("live") == ADDED
    assert "acme through gate: 4 exchanges compared: 2 added" in capsys.readouterr().out
    record = load_record(Path("live/run.jsonl"))
    assert record.header.get("via") == {"gate": "acme"}
    assert {(row["provider"], row["model"]) for row in record.exchanges} == {
        ("acme", "made-up-1"),
        ("gate", "behind-gate"),
    }

    assert call(["run", "--record", "-p", "acme", "--via", "gate", *SOME, "-o", "out"]) == 1
    assert call(["run", "-p", "acme", "--via", "gate", *SOME, "-n", "2", "-o", "out"]) == 1
    assert changes() == ADDED
    capsys.readouterr()
    assert call(["report", "out"]) == 1
    assert (
        "  added    must   finish-stop-with-calls: straight 0/4, through gate 2/4"
        in capsys.readouterr().out.splitlines()
    )


@pytest.mark.usefixtures("servers")
def test_shards_meet_when_they_are_joined() -> None:
    for index in (1, 2):
        call(["run", "--live", "-p", "acme", "--via", "gate", *SOME, "--shard", f"{index}/2", "-o", f"part{index}"])
    assert call(["merge", "part1", "part2", "-o", "out"]) == 1
    assert changes() == ADDED


def test_a_gateway_by_address(servers: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATE_KEY", "sk-made-up-0123456789")
    gate = servers.url_of(find("finish-stop-stream"))
    more = ("--via-model", "behind", "--via-api-key-env", "GATE_KEY", *SOME, "-o", "out")
    assert call(["run", "--base-url", servers.url, "--model", "made-up-1", "--via", gate, *more]) == 1
    assert changes() == ADDED
    record = load_record(Path("out/run.jsonl"))
    assert {(row["provider"], row["model"]) for row in record.exchanges} == {
        ("local", "made-up-1"),
        ("gateway", "behind"),
    }
    assert "sk-made-up" not in "".join(path.read_text() for path in Path("out").iterdir())


@pytest.mark.usefixtures("servers")
def test_models_are_chosen_for_each_way() -> None:
    args = ["--live", "-p", "acme", "--model", "made-up-2", "--via", "gate", "--via-model", "other"]
    assert call(["run", *args, *SOME, "-o", "out"]) == 1
    rows = load_record(Path("out/run.jsonl")).exchanges
    assert {(row["provider"], row["model"]) for row in rows} == {("acme", "made-up-2"), ("gate", "other")}


@pytest.mark.usefixtures("servers")
def test_a_gateway_that_is_not_there_is_no_comparison(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GATE_URL")
    assert call(["run", "--live", "-p", "acme", "--via", "gate", *SOME, "-o", "out", "--retries", "0"]) == 1
    said = capsys.readouterr().out
    assert "acme through gate: No exchange is compared" in said
    assert "not compared: 4 exchanges: gate not run: refused" in said


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--via", "gate"], "name that one with --provider"),
        (["-p", "acme,gate", "--via", "gate"], "name that one with --provider"),
        (["-p", "acme", "--via", "acme"], "no gateway of its own"),
        (["-p", "acme", "--via", "all"], "name the gateways"),
        (["-p", "acme", "--via", ""], "name a gateway"),
        (["-p", "acme", "--via-model", "m"], "name a gateway"),
        (["-p", "acme", "--via", "gat"], "gate"),
        (["-p", "acme", "--via", "gate", "--live", "--via-model", "nosuch"], "nosuch"),
        (["-p", "acme", "--via", "gate"], "acme and gate share no recorded exchange; record both, or add --live"),
        (["-p", "acme", "--via", "plain", "--live", "--mode", "stream"], "acme and plain share no exchange"),
        (["-p", "acme", "--via", "http://127.0.0.1:9/v1"], "is live; add --live"),
        (["-p", "acme", "--via", "http://127.0.0.1:9/v1", "--record"], "needs gateways of the file"),
        (["-p", "acme", "--via", "http://user:pw@127.0.0.1:9/v1", "--live"], "--via "),
        (["-p", "acme", "--live", "--via", "http://127.0.0.1:9/v1", "--via", "http://127.0.0.1:8/v1"], "one address"),
        (["-p", "acme", "--live", "--via", "gate", "--via-api-key-env", "K"], "goes with an address"),
        (["-p", "acme", "--live", "--via", "http://127.0.0.1:9/v1", "--via-api-key-env", "sk-x"], "--via-api-key-env"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["run", *args, *SOME, "-o", "out"]) in (4, 5)
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err
    assert not Path("out").exists()

"""`conformance inspect --redact` and `--report`: what is written, what is said, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.cli import call
from tests.support.exchanges import KEY, opening, streamed


@pytest.fixture
def capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A stream that repeats a key, beside its request."""
    exchange = streamed([{"content": f"Anna, {KEY}"}, opening(None, arguments='{"city":"Paris"}')])
    (tmp_path / "capture.sse").write_bytes(exchange.body)
    (tmp_path / "request.json").write_text(json.dumps(exchange.request))
    monkeypatch.chdir(tmp_path)
    return "capture.sse"


def test_the_redacted_capture_gives_the_same_document(capture: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["inspect", capture, "--request", "request.json", "--format", "json"]
    assert call([*arguments, "--redact", "out.json"]) == 1
    printed = capsys.readouterr()
    assert printed.err == "redacted capture in out.json\n"
    assert KEY not in Path("out.json").read_text()
    assert call(["inspect", "out.json", "--format", "json"]) == 1
    before, after = (json.loads(text)["exchanges"][0] for text in (printed.out, capsys.readouterr().out))
    assert after.pop("content") == "Anna, *REDACTED*REDACTED*REDACTED*RED"
    assert before.pop("content") == f"Anna, {KEY}"
    for document in (before, after):
        del document["source"], document["choices"]
        for finding in document["findings"]:
            del finding["actual"]
    assert after == before


def test_the_report_lies_where_it_is_said_to(capture: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", capture, "--request", "request.json", "--report", "out", "--redact-content"]) == 1
    assert capsys.readouterr().err == "report in out/REPORT.md\n"
    for path in Path("out").iterdir():
        assert KEY not in path.read_text()
        assert "Anna" not in path.read_text()
        assert "Paris" not in path.read_text()


def test_several_exchanges_are_one_file_and_no_report(capture: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", capture, capture, "--redact", "out.jsonl"]) == 1
    assert len(Path("out.jsonl").read_text().splitlines()) == 2
    assert call(["inspect", capture, capture, "--report", "out"]) == 4
    assert "choose one, as in FILE#0" in capsys.readouterr().err
    assert not Path("out").exists()


@pytest.mark.usefixtures("capture")
def test_nothing_to_report_is_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    fine = streamed([{"role": "assistant", **opening(0, arguments='{"city":"Paris"}')}])
    Path("fine.sse").write_bytes(fine.body)
    assert call(["inspect", "fine.sse", "--report", "out"]) == 4
    said = capsys.readouterr().err
    assert said.startswith("fine.sse#0: nothing deviates, so there is nothing to report")
    assert not Path("out").exists()


def test_the_capture_itself_is_not_written_over(capture: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(capture).read_bytes()
    assert call(["inspect", capture, "--redact", capture]) == 4
    assert "write the redacted one to another" in capsys.readouterr().err
    assert Path(capture).read_bytes() == before


def test_leaving_content_out_of_nothing_is_a_mistake(capture: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", capture, "--redact-content"]) == 4
    assert "--redact FILE or --report DIR" in capsys.readouterr().err


def test_a_changed_verdict_is_said_once(capsys: pytest.CaptureFixture[str], capture: str) -> None:
    Path(capture).write_bytes(streamed([opening(None, f"call_{KEY}", '{"city":"Paris"}')]).body)
    assert call(["inspect", capture, "--redact", "out.json", "--report", "out"]) == 1
    sentence = "capture.sse#0: Redaction changes the verdict: the exchange now shows id-not-portable."
    assert capsys.readouterr().err.count(sentence) == 1
    assert "Redaction changes the verdict" in Path("out/REPORT.md").read_text()

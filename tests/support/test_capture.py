"""What is written reads back to the same verdict, and nothing is lost on the way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.errors import ConfigError, InputError
from conformance.importers import load
from conformance.model import End, Exchange, Fidelity, Origin, Piece
from conformance.support import redacted_capture, write_capture
from tests.support.exchanges import KEY, corpus, entry, opening, served, streamed, verdict


def test_every_exchange_reads_back_to_the_same_verdict(tmp_path: Path) -> None:
    exchanges = list(corpus())
    path = write_capture(exchanges, tmp_path / "all.jsonl")
    back = list(load(path))
    assert [verdict(exchange) for exchange in back] == [verdict(exchange) for exchange in exchanges]
    assert [exchange.body for exchange in back] == [exchange.body for exchange in exchanges]


def test_one_exchange_is_one_document(tmp_path: Path) -> None:
    for exchange in served():
        if exchange.ended.cut:
            (back,) = load(write_capture([exchange], tmp_path / "one.json"))
            assert verdict(back) == verdict(exchange)
            assert (back.request, back.ended, back.asked_mode) == (
                exchange.request,
                exchange.ended,
                exchange.asked_mode,
            )


def test_what_is_known_about_an_exchange_stays_with_it(tmp_path: Path) -> None:
    body = streamed([{"content": "mild"}]).body
    exchange = Exchange(
        source="somewhere/else.har#7",
        body=body,
        status=None,
        headers={"content-type": "text/event-stream", "x-request-id": "req_1"},
        request={"model": "m", "messages": [], "stream": True},
        asked_mode="stream",
        provider="acme",
        model="m",
        fidelity=Fidelity(framing=False, ids=False),
        ended=End("reset", "httpx2.ReadError"),
        pieces=(Piece(1.5, 10), Piece(20.0, len(body) - 10)),
        recorded_at="2026-11-30T10:00:00Z",
        origin=Origin("a/b", "c.json", "f" * 40, 3, "MIT", True),
    )
    path = write_capture([exchange], tmp_path / "one.json")
    (back,) = load(path)
    assert back == replace(exchange, source=f"{path}#0")
    assert "else.har" not in path.read_text()


def test_bytes_that_are_no_text_stay_bytes(tmp_path: Path) -> None:
    exchange = Exchange("x#0", b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n')
    assert "response_body" not in redacted_capture(exchange)
    (back,) = load(write_capture([exchange], tmp_path / "one.json"))
    assert back.body == exchange.body


@pytest.mark.parametrize("odd", ["\ud83d", float("nan"), 2**63])
def test_a_request_that_is_hard_to_write_is_written(tmp_path: Path, odd: object) -> None:
    exchange = Exchange("x#0", b"{}", request={"messages": [], "odd": odd})
    for exchanges in ([exchange], [exchange, exchange]):
        back = next(load(write_capture(exchanges, tmp_path / "odd.json")))
        assert repr(back.request) == repr(exchange.request)


def test_the_document_says_what_was_done() -> None:
    document = redacted_capture(streamed([{"content": KEY}]), content=True)
    assert document["redaction"].pop("by").startswith("conformance ")
    assert document["redaction"] == {"strings": 1, "content": True, "verdict": "unchanged"}
    assert document["cannot_show"] == []
    broken = redacted_capture(streamed([opening(0, f"call_{KEY}", "{}")]))
    assert broken["redaction"]["verdict"].startswith("Redaction changes the verdict:")


def test_a_changed_verdict_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    write_capture([streamed([opening(0, f"call_{KEY}", "{}")])], tmp_path / "a.json", tell=told.append)
    assert told == ["planted#0: Redaction changes the verdict: the exchange now shows id-not-portable."]
    write_capture([streamed([opening(0), entry(0, "{}")])], tmp_path / "a.json", tell=told.append)
    assert len(told) == 1


def test_the_evidence_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "capture.sse"
    path.write_bytes(streamed([{"content": "mild"}]).body)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="read from this file"):
        write_capture(list(load(path)), path)
    (tmp_path / "link.json").symlink_to(path)
    with pytest.raises(ConfigError, match="read from this file"):
        write_capture(list(load(path)), tmp_path / "link.json")
    assert path.read_bytes() == before


def test_a_file_is_there_as_a_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text("before")
    write_capture([streamed([])], path)
    assert json.loads(path.read_text())["stream"] is True
    assert [file.name for file in tmp_path.iterdir()] == ["one.json"]


@pytest.mark.parametrize("place", ["missing/one.json", ".", "one\0.json"])
def test_a_place_that_takes_no_file_is_told(tmp_path: Path, place: str) -> None:
    with pytest.raises(ConfigError, match="choose another place"):
        write_capture([streamed([])], tmp_path / place)


def test_nothing_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no exchange"):
        write_capture([], tmp_path / "none.json")
    assert list(tmp_path.iterdir()) == []


def test_a_request_without_end_is_refused() -> None:
    request: dict[str, object] = {}
    for _ in range(5000):
        request = {"x": request}
    with pytest.raises(InputError, match="nested too deeply"):
        redacted_capture(Exchange("x#0", b"{}", request=request))


@pytest.mark.parametrize("ended", [None, 3, {"kind": "nonsense"}, {"kind": ["reset"]}])
@pytest.mark.parametrize("pieces", [None, 3, [[1, 2]], [["a", "b"]], [1]])
def test_damaged_details_of_a_capture_are_left_out(tmp_path: Path, ended: object, pieces: object) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"response_body": "{}x", "ended": ended, "pieces": pieces, "cannot_show": ["ids", 3]}))
    (exchange,) = load(path)
    assert (exchange.ended, exchange.pieces, exchange.fidelity) == (End(), (), Fidelity(ids=False))

"""What is recorded is what was received, and what is replayed is what was recorded."""

from __future__ import annotations

import gzip
from pathlib import Path

import openai
import pytest
import vcr

from conformance.transport import Store, read_cassette
from tests.transport import server
from tests.transport.asking import BODY, ask, record, replay
from tests.transport.server import Answer, serving

ANSWERS: dict[str, Answer] = {
    "stream": server.stream,
    "complete": server.sized(b'{\r\n\t"choices": [] }\r\n'),
    "empty": server.sized(b""),
    "error, compressed": server.sized(gzip.compress(b"{}"), "400 Bad Request", "Content-Encoding: gzip"),
    "redirect": server.sized(b"", "307 Temporary Redirect", "Location: http://127.0.0.1:1/v1"),
    "not UTF-8": server.sized(b"data: \xff\xfe\n\n"),
    "repeated header": server.sized(b"{}", "200 OK", "X-Twice: a", "X-Twice: b"),
    "reset": server.reset,
    "early chunked end": server.early_chunked,
    "early sized end": server.early_sized,
    "idle": server.stalled,
    "too long": server.dripping,
    "too big": server.endless,
}
SECOND = {**BODY, "messages": [*BODY["messages"], {"role": "tool", "tool_call_id": "", "content": "18"}]}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_replay_is_the_exchange_that_was_recorded(path: Path, answer: Answer) -> None:
    with serving(answer) as local, Store.open(path, "record") as store:
        live = ask(local.url, store=store, timeout=0.2, total=0.3, max_bytes=10_000)
    assert replay(path) == [live]
    (read,) = read_cassette(path)
    assert (read.body, read.status, read.headers, read.pieces, read.ended, read.recorded_at) == (
        live.body,
        live.status,
        live.headers,
        live.pieces,
        live.ended,
        live.recorded_at,
    )
    assert (read.provider, read.model, read.scenario, read.asked_mode) == ("local", "m", "single_call", "stream")
    assert read.request == BODY


@pytest.mark.parametrize("name", ["stream", "complete", "not UTF-8", "reset"])
def test_vcrpy_alone_replays_the_file(path: Path, name: str) -> None:
    record(path, ANSWERS[name])
    (recorded,) = read_cassette(path)
    with vcr.use_cassette(str(path), record_mode="none", match_on=["method", "uri", "body"]) as cassette:
        base_url = cassette.requests[0].uri.removesuffix("/chat/completions")
        client = openai.OpenAI(base_url=base_url, api_key="any", max_retries=0)
        with client.chat.completions.with_streaming_response.create(**BODY) as response:
            assert b"".join(response.http_response.iter_raw()) == recorded.body
            assert response.http_response.headers["content-type"] == recorded.headers["content-type"]
        assert cassette.all_played


def test_vcrpy_alone_replays_an_error(path: Path) -> None:
    record(path, server.sized(b'{"error": {"message": "no"}}', "418 I'm a teapot"))
    client = openai.OpenAI(base_url="http://local.invalid/v1", api_key="any", max_retries=0)
    with vcr.use_cassette(str(path), record_mode="none"), pytest.raises(openai.APIStatusError) as caught:
        client.chat.completions.create(**BODY)
    assert caught.value.status_code == 418
    assert caught.value.body == {"message": "no"}


def test_plain_bodies_are_readable(path: Path) -> None:
    record(path, server.stream)
    lines = path.read_text(encoding="utf-8").splitlines()
    start = lines.index("      string: |+")
    event = server.EVENTS[0].decode().strip()
    assert lines[start + 1 : start + 4] == [f"        {event}", "", "        data: [DONE]"]


def test_two_steps_in_one_cassette(path: Path) -> None:
    record(path, server.stream, server.sized(b'{"second": true}'), bodies=(BODY, SECOND))
    assert [exchange.body for exchange in replay(path, BODY, SECOND)] == [server.STREAM, b'{"second": true}']
    assert [exchange.source[-2:] for exchange in read_cassette(path)] == ["#0", "#1"]


def test_equal_requests_replay_in_order(path: Path) -> None:
    record(path, server.sized(b"first"), server.sized(b"second"), bodies=(BODY, BODY))
    assert [exchange.body for exchange in replay(path, BODY, BODY)] == [b"first", b"second"]


def test_a_replay_depends_on_neither_host_nor_key_nor_key_order(path: Path) -> None:
    record(path, server.stream)
    body = dict(reversed(BODY.items()))
    (exchange,) = replay(path, body, url="https://elsewhere.example/v1", api_key=None)
    assert exchange.body == server.STREAM


def test_an_answer_is_judged_alike_live_and_replayed_when_nothing_is_recorded(path: Path) -> None:
    with serving(server.stream) as local, Store.open(path, "record") as store:
        recorded = ask(local.url, store=store)
        live = ask(local.url)
    assert (live.body, live.headers, live.ended) == (recorded.body, recorded.headers, recorded.ended)

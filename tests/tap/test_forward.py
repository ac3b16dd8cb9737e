"""What a client gets through a tap is what it gets without one, byte for byte and piece by piece."""

from __future__ import annotations

import gzip
import json
import re
import socket
import threading
from collections.abc import Callable

import httpx2
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from tests.tap.asking import BODY, KEY, PATIENCE, Provider, Tapped, ask, chat, tapping
from tests.transport import server
from tests.transport.server import CHUNKED, EVENTS, STREAM, chunk, head, raw, sized

PACKED = gzip.compress(STREAM)
PACKED_ANSWER = raw(
    head("200 OK", "Content-Type: text/event-stream", "Content-Encoding: gzip", f"Content-Length: {len(PACKED)}"),
    PACKED,
)


COMES_THROUGH: dict[str, tuple[server.Answer, int, bytes, bool]] = {
    "stream": (server.stream, 200, STREAM, False),
    "document": (sized(b'{"a": 1}'), 200, b'{"a": 1}', False),
    "empty": (sized(b""), 200, b"", False),
    "error": (sized(b'{"error": {}}', "429 Too Many Requests", "Retry-After: 3"), 429, b'{"error": {}}', False),
    "ended by the connection": (raw(head("200 OK", "Content-Type: text/event-stream"), STREAM), 200, STREAM, False),
    "compressed": (PACKED_ANSWER, 200, PACKED, False),
    "early hints": (
        raw(head("103 Early Hints", "Link: </a>"), head("200 OK", "Content-Length: 2"), b"{}"),
        200,
        b"{}",
        False,
    ),
    "204": (raw(head("204 No Content")), 204, b"", False),
    "304": (raw(head("304 Not Modified", "Content-Length: 9")), 304, b"", False),
    "length and coding": (
        raw(head("200 OK", "Content-Length: 99", "Transfer-Encoding: chunked"), chunk(b"{}"), chunk(b"")),
        200,
        b"{}",
        False,
    ),
    "longer than announced": (raw(head("200 OK", "Content-Length: 2"), b"{} and more"), 200, b"{}", False),
    "no last chunk": (server.early_chunked, 200, STREAM, True),
    "shorter than announced": (server.early_sized, 200, STREAM, True),
    "reset": (server.reset, 200, STREAM, True),
    "broken coding": (raw(CHUNKED, chunk(STREAM), b"no length\r\n"), 200, STREAM, True),
    "head alone": (raw(CHUNKED), 200, b"", True),
}


@pytest.mark.parametrize(("answer", "status", "body", "cut"), COMES_THROUGH.values(), ids=COMES_THROUGH)
def test_what_comes_through(
    answer: server.Answer, status: int, body: bytes, cut: bool, provider: Provider, tapped: Tapped
) -> None:
    provider.answer = answer
    through, direct = chat(tapped), ask(f"{provider.url}/chat/completions")
    tapped.judged()
    for got in (through, direct):
        assert (got.status, got.cut) == (status, cut)
        # a reset may take bytes with it that nobody has read yet
        assert got.body == body or (answer is server.reset and body.startswith(got.body))
    hop = {"transfer-encoding", "content-length", "connection"}
    assert [(n, v) for n, v in through.headers.multi_items() if n not in hop] == [
        (n, v) for n, v in direct.headers.multi_items() if n not in hop
    ]


def test_each_piece_comes_before_the_next_is_sent(provider: Provider, tapped: Tapped) -> None:
    arrived = [threading.Event() for _ in EVENTS]

    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED)
        for event, seen in zip(EVENTS, arrived, strict=True):
            connection.sendall(chunk(event))
            assert seen.wait(PATIENCE)
        connection.sendall(chunk(b""))

    provider.answer = answer
    url = f"{tapped.url}/chat/completions"
    with httpx2.Client(trust_env=False, timeout=PATIENCE) as client, client.stream("POST", url, json=BODY) as response:
        parts = response.iter_raw()
        for event, seen in zip(EVENTS, arrived, strict=True):
            assert next(parts) == event
            seen.set()
        assert list(parts) == []
    tapped.judged()


def test_many_streams_pass_at_once(provider: Provider, tapped: Tapped) -> None:
    together = threading.Barrier(40, timeout=PATIENCE)

    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + chunk(EVENTS[0]))
        together.wait()  # none ends before all have begun
        connection.sendall(chunk(EVENTS[1]) + chunk(b""))

    provider.answer = answer
    bodies: list[bytes] = []
    threads = [threading.Thread(target=lambda: bodies.append(chat(tapped).body)) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bodies == [STREAM] * 40
    assert {tapped.judged().standing for _ in threads} == {"judged"}


@pytest.mark.parametrize("first", [b"", CHUNKED, CHUNKED + chunk(EVENTS[0])], ids=["no head", "no body", "a piece"])
def test_a_client_that_leaves_ends_the_request_to_the_provider(
    first: bytes, provider: Provider, tapped: Tapped
) -> None:
    asked, gone = threading.Event(), threading.Event()

    def answer(connection: socket.socket) -> None:
        connection.sendall(first)
        asked.set()
        connection.settimeout(PATIENCE)
        if connection.recv(1) == b"":
            gone.set()

    provider.answer = answer
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: tap\r\nContent-Length: 2\r\n\r\n{}")
        assert asked.wait(PATIENCE)
        if first:
            assert client.recv(5) == b"HTTP/"
    assert gone.wait(PATIENCE)
    assert tapped.judged().standing == ("in part" if first else "not judged")


def test_a_client_that_leaves_while_it_sends_its_request(provider: Provider, tapped: Tapped) -> None:
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: tap\r\nContent-Length: 99\r\n\r\n{")
    judged = tapped.judged()
    assert (judged.standing, judged.why) == ("not judged", "the client went away before an answer came")
    assert provider.requests == []


def test_what_the_provider_is_sent(provider: Provider, tapped: Tapped) -> None:
    fields = {
        "Host": "elsewhere",
        "Authorization": f"Bearer {KEY}",
        "Accept-Encoding": "br;q=0.5, gzip",
        "Connection": "keep-alive, X-Mine",
        "Keep-Alive": "timeout=5",
        "Proxy-Connection": "keep-alive",
        "TE": "trailers",
        "Upgrade": "websocket",
        "X-Mine": "1",
        "X-Theirs": "2",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    target = "/v1/a%2Fb/../chat/completions?x=%7e&y"
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(f"POST {target} HTTP/1.1\r\n{lines}Content-Length: 2\r\n\r\n{{}}".encode())
        assert client.recv(12) == b"HTTP/1.1 200"
        tapped.judged()
    (request,) = provider.requests
    line, *sent = request.decode().split("\r\n")
    assert line == f"POST {target} HTTP/1.1"
    assert {n.lower(): v for n, _, v in (field.partition(": ") for field in sent[:-2])} == {
        "host": f"127.0.0.1:{provider.port}",
        "authorization": f"Bearer {KEY}",
        "accept-encoding": "br;q=0.5, gzip",
        "x-theirs": "2",
        "content-length": "2",
    }
    assert sent[-2:] == ["", "{}"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "POST"])
def test_every_method_and_path_passes(method: str, provider: Provider, tapped: Tapped) -> None:
    data = b'{"object": "list"}'
    provider.answer = raw(head("200 OK", f"Content-Length: {len(data)}"), b"" if method == "HEAD" else data)
    got = ask(f"{tapped.url}/models/m", None, method=method)
    assert (got.status, got.body, got.cut) == (200, b"" if method == "HEAD" else data, False)
    assert got.headers["content-length"] == str(len(data))
    assert provider.requests[0].startswith(f"{method} /v1/models/m HTTP/1.1\r\n".encode())
    judged = tapped.judged()
    assert (judged.standing, judged.request) == ("other", f"{method} /v1/models/m")


def test_a_request_of_unknown_length_passes(provider: Provider, tapped: Tapped) -> None:
    pieces = (json.dumps(BODY)[:40].encode(), json.dumps(BODY)[40:].encode())
    seen: list[bytes] = []

    def answer(connection: socket.socket) -> None:
        data = provider.requests[-1]
        while not data.endswith(b"0\r\n\r\n"):
            data += connection.recv(65536)
        seen.append(data)
        server.stream(connection)

    provider.answer = answer
    assert ask(f"{tapped.url}/chat/completions", iter(pieces)).body == STREAM
    fields, _, coded = seen[0].partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in fields.lower()
    # the two pieces may have met on the way
    assert b"".join(re.split(rb"(?:\A|\r\n)[0-9a-f]+\r\n", coded)) == b"".join(pieces) + b"\r\n"
    assert tapped.judged().model == "m"


def test_a_client_that_asks_first_whether_to_send(provider: Provider, tapped: Tapped) -> None:
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(
            b"POST /v1/embeddings HTTP/1.1\r\nHost: tap\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        assert client.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"{}")
        assert client.recv(12) == b"HTTP/1.1 200"
    tapped.judged()
    assert b"expect" not in provider.requests[0].lower()


def _nothing(connection: socket.socket) -> None:
    del connection


@pytest.mark.parametrize(
    ("answer", "reason", "said"),
    [
        (_nothing, "no-response", "closed the connection without an answer"),
        (raw(b"SSH-2.0-x\r\n\r\n"), "not-http", "sends a head that is not HTTP/1.1"),
        (raw(head("999 Odd")), "status", "the provider answered HTTP 999"),
    ],
    ids=["closes", "no http", "status"],
)
def test_without_an_answer_the_tap_says_whose_word_it_is(
    answer: Callable[[socket.socket], None], reason: str, said: str, provider: Provider, tapped: Tapped
) -> None:
    provider.answer = answer
    got = chat(tapped)
    error = json.loads(got.body)["error"]
    assert (got.status, got.headers["x-conformance-tap"], error["code"]) == (502, reason, reason)
    assert error["type"] == "tap_error"
    assert said in error["message"]
    assert error["message"].endswith("This answer is the tap's, not the provider's.")
    judged = tapped.judged()
    assert (judged.standing, judged.ours) == ("not judged", False)
    assert said in judged.why


def test_a_provider_that_is_not_there() -> None:
    with tapping("http://127.0.0.1:1/v1") as tapped:
        error = json.loads(chat(tapped).body)["error"]
    assert error["code"] == "refused"
    assert "connection refused by 127.0.0.1:1" in error["message"]


@pytest.mark.parametrize("line", [b"GET http://other/ HTTP/1.1", b"CONNECT other:443 HTTP/1.1", b"OPTIONS * HTTP/1.1"])
def test_it_is_no_proxy_for_other_hosts(line: bytes, provider: Provider, tapped: Tapped) -> None:
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(line + b"\r\nHost: other\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 400"
    tapped.judged()
    assert provider.requests == []


@hypothesis(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(min_size=1, max_size=5000), max_size=6), st.booleans())
def test_any_bytes_in_any_pieces_come_through(
    provider: Provider, tapped: Tapped, pieces: list[bytes], ends: bool
) -> None:
    provider.answer = raw(CHUNKED, *(chunk(piece) for piece in pieces), *([chunk(b"")] if ends else []))
    got = chat(tapped)
    tapped.judged()
    assert (got.body, got.cut) == (b"".join(pieces), not ends)

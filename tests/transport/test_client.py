"""Whatever a server does, `send` returns the bytes it sent, or says in one sentence why there are none."""

from __future__ import annotations

import gc
import gzip
import json
import socket
from typing import Any

import pytest
from pytest_recording import network

from conformance.errors import ConfigError, NotRun
from conformance.model import End
from conformance.transport import Endpoint
from tests.transport import server
from tests.transport.asking import BODY, KEY, ask
from tests.transport.server import Answer, serving


def header_of(request: bytes, name: str) -> str | None:
    for line in request.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:]:
        key, _, value = line.partition(": ")
        if key.lower() == name:
            return value
    return None


def test_a_stream_is_taken_piece_by_piece() -> None:
    with serving(server.stream) as local:
        exchange = ask(local.url)
    assert exchange.body == server.STREAM
    assert exchange.status == 200
    assert exchange.headers["content-type"] == "text/event-stream"
    assert [piece.size for piece in exchange.pieces] == [len(event) for event in server.EVENTS]
    assert [piece.at_ms for piece in exchange.pieces] == sorted(piece.at_ms for piece in exchange.pieces)
    assert exchange.ended == End()
    assert (exchange.provider, exchange.model, exchange.scenario, exchange.asked_mode) == (
        "local",
        "m",
        "single_call",
        "stream",
    )


def test_the_request_is_the_dict_that_was_given() -> None:
    body: dict[str, Any] = {
        "model": "m",
        "messages": [],
        "seed": None,
        "vendor": {"deep": [1, 1.5, True, "ü"]},
        "stream": False,
    }
    with serving(server.sized(b"{}")) as local:
        exchange = ask(local.url, body)
    head, _, sent = local.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat/completions HTTP/1.1")
    assert json.loads(sent) == body
    assert exchange.request == body


def test_a_body_without_a_model_is_sent_without_one() -> None:
    with serving(server.sized(b"{}")) as local:
        ask(local.url, {"messages": []})
    assert json.loads(local.requests[0].partition(b"\r\n\r\n")[2]) == {"messages": []}


def test_repeated_header_fields_are_joined() -> None:
    with serving(server.sized(b"{}", "200 OK", "X-Twice: a", "X-Twice: b")) as local:
        assert ask(local.url).headers["x-twice"] == "a, b"


@pytest.mark.parametrize(
    ("endpoint", "authorization", "own"),
    [
        ({}, f"Bearer {KEY}", None),
        ({"api_key": None}, None, None),
        ({"key_header": "api-key"}, None, KEY),
    ],
)
def test_the_key_goes_where_the_endpoint_says(
    endpoint: dict[str, Any], authorization: str | None, own: str | None
) -> None:
    with serving(server.stream) as local:
        ask(local.url, **endpoint)
    assert header_of(local.requests[0], "authorization") == authorization
    assert header_of(local.requests[0], "api-key") == own


def test_headers_and_query_of_the_endpoint_are_sent() -> None:
    with serving(server.stream) as local:
        ask(local.url, headers={"Accept-Encoding": "gzip"}, query={"api-version": "2"}, fixed={"X-Title": "t"})
    assert header_of(local.requests[0], "x-title") == "t"
    assert local.requests[0].startswith(b"POST /v1/chat/completions?api-version=2 ")
    assert header_of(local.requests[0], "accept-encoding") == "gzip"


def test_no_encoding_is_accepted_unless_asked_for() -> None:
    with serving(server.stream) as local:
        ask(local.url)
    assert header_of(local.requests[0], "accept-encoding") == "identity"


def test_what_the_environment_holds_for_openai_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-private")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer other\nX-Private: yes")
    with serving(server.stream) as local:
        ask(local.url, api_key=None)
    request = local.requests[0].lower()
    assert b"somebody" not in request
    assert b"private" not in request
    assert b"authorization" not in request


def test_this_machine_is_not_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(server.stream) as local:
        assert ask(local.url).body == server.STREAM


def test_an_error_is_an_exchange_with_undecoded_bytes() -> None:
    body = gzip.compress(b'{"error": {"message": "no"}}')
    with serving(server.sized(body, "400 Bad Request", "Content-Encoding: gzip")) as local:
        exchange = ask(local.url)
    assert (exchange.status, exchange.body) == (400, body)


@pytest.mark.parametrize("status", ["200 OK", "500 Internal Server Error"])
def test_a_body_that_cannot_be_decoded_is_kept_whole(status: str) -> None:
    with serving(server.sized(b"not gzip at all", status, "Content-Encoding: gzip")) as local:
        assert ask(local.url).body == b"not gzip at all"


def test_errors_are_not_retried() -> None:
    with serving(server.sized(b"{}", "503 Service Unavailable", "Retry-After: 0")) as local:
        assert ask(local.url).status == 503
    assert len(local.requests) == 1


def test_a_redirect_is_not_followed() -> None:
    with serving(server.stream) as other:
        answer = server.sized(b"moved", "307 Temporary Redirect", f"Location: {other.url}/chat/completions")
        with serving(answer) as local:
            exchange = ask(local.url)
    assert (exchange.status, exchange.body) == (307, b"moved")
    assert other.requests == []


def test_cookies_are_not_sent_back() -> None:
    with serving(server.sized(b"{}", "200 OK", "Set-Cookie: session=1")) as local:
        ask(local.url)
        ask(local.url)
    assert header_of(local.requests[1], "cookie") is None


@pytest.mark.parametrize(
    ("answer", "kind", "detail"),
    [
        (server.reset, "reset", "httpx2.ReadError: "),
        (server.early_chunked, "early-end", "httpx2.RemoteProtocolError: "),
        (server.early_sized, "early-end", "httpx2.RemoteProtocolError: "),
        (server.stalled, "timeout", "httpx2.ReadTimeout"),
    ],
    ids=["reset", "early chunked", "early sized", "stalled"],
)
def test_what_came_before_a_cut_is_kept(answer: Answer, kind: str, detail: str) -> None:
    with serving(answer) as local:
        exchange = ask(local.url, timeout=0.2)
    assert exchange.body == server.STREAM
    assert exchange.ended.kind == kind
    assert exchange.ended.detail.startswith(detail)
    assert exchange.ended.cut


def test_a_body_may_not_be_longer_than_the_limit() -> None:
    with serving(server.endless) as local:
        exchange = ask(local.url, max_bytes=10_000)
    assert len(exchange.body) == 10_000
    assert sum(piece.size for piece in exchange.pieces) == 10_000
    assert exchange.ended == End("limit", "more than 10000 bytes")


def test_a_body_of_exactly_the_limit_is_whole() -> None:
    with serving(server.stream) as local:
        assert ask(local.url, max_bytes=len(server.STREAM)).ended == End()


def test_an_exchange_may_not_take_longer_than_the_limit() -> None:
    with serving(server.dripping) as local:
        exchange = ask(local.url, timeout=0.2, total=0.3)
    assert exchange.body.startswith(server.STREAM)
    assert exchange.ended == End("limit", "longer than 0.3 s")


def test_a_body_that_ends_with_the_connection_is_cut_by_the_limit_too() -> None:
    def until_close(connection: socket.socket) -> None:
        connection.sendall(server.head("200 OK", "Content-Type: text/event-stream") + server.STREAM)
        connection.recv(1)

    with serving(until_close) as local:
        exchange = ask(local.url, timeout=0.2, total=0.2)
    assert exchange.body == server.STREAM
    assert exchange.ended.cut


@pytest.mark.parametrize(
    ("answer", "reason", "sentence"),
    [
        (server.silent, "timeout", "sent nothing for 0.2 s"),
        (server.trickling_head, "timeout", "gave no complete answer head within 0.3 s"),
        (server.raw(), "no-response", "closed the connection without an answer"),
        (
            server.raw(b"HTTP/1.1 200 OK\r\nContent-"),
            "no-response",
            "closed the connection in the middle of the answer's head",
        ),
        (server.raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000), "not-http", "sends a head that is too long"),
        (server.raw(b"HTTP/1.1 OK\r\n\r\n"), "not-http", "sends a head that is not HTTP/1.1"),
        (server.raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "not-http", "speaks SSH: it says 'SSH-2.0-OpenSSH_9.2'"),
        (server.greeting(b"SSH-2.0-OpenSSH_9.2\r\n"), "not-http", "speaks SSH: it says 'SSH-2.0-OpenSSH_9.2'"),
        (server.raw(b"220 mail.example ESMTP\r\n"), "not-http", "speaks SMTP or FTP: it says '220 mail.example ESMTP'"),
        (server.raw(b"\x15\x03\x01\0\2\2F"), "not-http", "speaks TLS"),
        (server.raw(b"\0\0\x12\4\0\0\0\0\0"), "not-http", "speaks HTTP/2 without TLS, as gRPC does"),
        (server.raw(b"<p>\x1b[2J\n"), "not-http", "does not speak HTTP: it says '<p>\\x1b[2J'"),
        (
            server.raw(f"you said {KEY}".encode()),
            "not-http",
            "does not speak HTTP: it says 'you said *REDACTED*REDACTED*REDAC'",
        ),
    ],
    ids=[
        "silent", "trickling head", "closed", "cut head", "endless head", "no status", "SSH", "SSH that waits", "SMTP",
        "TLS", "HTTP/2", "nothing known", "a key",
    ],
)  # fmt: skip
def test_no_response_is_not_run(answer: Answer, reason: str, sentence: str) -> None:
    with serving(answer) as local, pytest.raises(NotRun) as caught:
        ask(local.url, timeout=0.2, total=0.3)
    assert (caught.value.reason, caught.value.detail) == (reason, f"127.0.0.1:{local.port} {sentence}")
    assert caught.value.fix


def test_a_refused_connection_is_not_run() -> None:
    with serving(server.stream) as local:
        pass
    with pytest.raises(NotRun) as caught:
        ask(local.url)
    assert caught.value.reason == "refused"
    assert caught.value.detail == f"connection refused by 127.0.0.1:{local.port}"
    assert caught.value.fix == "start the server, or check the address"


def test_an_unknown_name_is_not_run() -> None:
    with pytest.raises(NotRun) as caught:
        ask("http://nowhere.invalid/v1")
    assert caught.value.reason == "unreachable"
    assert "nowhere.invalid:80" in caught.value.detail


def test_tls_where_there_is_none_is_not_run() -> None:
    with serving(server.raw(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as local, pytest.raises(NotRun) as caught:
        ask(f"https://127.0.0.1:{local.port}/v1", timeout=0.5, connect=0.5)
    assert caught.value.reason in ("unreachable", "timeout")
    assert f"127.0.0.1:{local.port}" in caught.value.detail


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the guard that blocks leaves a socket behind
def test_a_blocked_network_is_not_run() -> None:
    def refusal() -> tuple[str, str]:
        with serving(server.stream) as local, network.blocking_context(), pytest.raises(NotRun) as caught:
            ask(local.url)
        return caught.value.reason, caught.value.detail

    reason, detail = refusal()
    gc.collect()
    assert reason == "blocked"
    assert "--block-network" in detail


def test_half_a_surrogate_pair_cannot_be_sent() -> None:
    with serving(server.stream) as local, pytest.raises(NotRun) as caught:
        ask(local.url, {**BODY, "user": "\ud83d"})
    assert caught.value.reason == "unsendable"
    assert local.requests == []


def test_a_header_that_cannot_be_sent_is_not_repeated() -> None:
    with serving(server.stream) as local, pytest.raises(ConfigError) as caught:
        ask(local.url, headers={"X-Key": f"{KEY}\n"})
    assert KEY not in str(caught.value)


def test_the_key_is_not_in_the_repr() -> None:
    endpoint = Endpoint("http://h/v1", KEY, headers={"X-Key": KEY}, query={"key": KEY}, secrets=(KEY,))
    assert KEY not in repr(endpoint)


def test_a_key_that_the_server_repeats_is_redacted_without_moving_a_byte() -> None:
    body = f'{{"error":{{"message":"Incorrect API key: {KEY}."}}}}'.encode()
    with serving(server.sized(body, "401 Unauthorized", f"X-Echo: {KEY}")) as local:
        exchange = ask(local.url, {**BODY, "user": KEY})
    assert len(exchange.body) == len(body)
    assert KEY.encode() not in exchange.body
    assert KEY not in repr(exchange)
    assert exchange.request is not None
    assert exchange.request["messages"] == BODY["messages"]


def test_a_key_in_a_compressed_answer_is_not_run() -> None:
    body = gzip.compress(f'{{"key": "{KEY}"}}'.encode())
    with serving(server.sized(body, "200 OK", "Content-Encoding: gzip")) as local, pytest.raises(NotRun) as caught:
        ask(local.url)
    assert caught.value.reason == "secret"
    assert KEY not in caught.value.detail

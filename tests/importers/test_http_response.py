"""`curl -i`: heads before the last one, codings that curl has undone, and bodies that are short."""

from __future__ import annotations

import pytest

from conformance.errors import InputError
from conformance.importers.load import from_bytes
from conformance.model import End, Exchange
from tests.importers.examples import STREAM, outcome

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


def read(data: bytes) -> Exchange:
    """The exchange of a raw response."""
    (exchange,) = from_bytes(data, "file")
    return exchange


def test_status_headers_and_body() -> None:
    exchange = read(b"HTTP/2 429 \r\ncontent-type: application/json\r\nX-A: 1\r\nx-a: 2\r\n\r\n" + b'{"error":{}}\n')
    assert exchange.status == 429
    assert exchange.headers == {"content-type": "application/json", "x-a": "1, 2"}
    assert exchange.body == b'{"error":{}}\n'
    assert exchange.ended == End()


@pytest.mark.parametrize(
    "before",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 200 Connection established\r\n\r\n",
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /v1\r\nContent-Type: text/plain\r\n\r\n" * 2,
        b"\n",
    ],
)
def test_heads_before_the_last_are_passed_over(before: bytes) -> None:
    exchange = read(before + SSE + b"\r\n" + STREAM)
    assert (exchange.status, exchange.body) == (200, STREAM)
    assert exchange.headers == {"content-type": "text/event-stream"}


def test_line_feeds_alone_end_lines_too() -> None:
    assert read(b"HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\n" + STREAM).body == STREAM


def test_a_chunked_body_is_taken_as_curl_shows_it() -> None:
    assert read(SSE + b"Transfer-Encoding: chunked\r\n\r\n" + STREAM).body == STREAM


def test_a_chunked_body_is_joined_where_the_dump_has_the_sizes() -> None:
    head = SSE + b"Transfer-Encoding: chunked\r\n\r\n"
    pieces = [STREAM[:7], STREAM[7:]]
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in pieces)
    assert read(head + chunked + b"0\r\n\r\n").body == STREAM
    assert read(head + chunked + b"0\r\n\r\n").ended == End()
    cut = read(head + chunked)
    assert cut.body == STREAM
    assert cut.ended.kind == "early-end"


def test_a_coding_that_curl_has_undone_is_no_false_header() -> None:
    exchange = read(SSE + b"Content-Encoding: gzip\r\nContent-Length: 99999\r\n\r\n" + STREAM)
    assert "content-encoding" not in exchange.headers
    assert exchange.ended == End()


def test_a_body_shorter_than_announced_was_cut() -> None:
    assert read(SSE + b"Content-Length: 5000\r\n\r\n" + STREAM).ended.kind == "early-end"
    assert read(SSE + b"Content-Length: 10\r\n\r\n" + STREAM).ended == End()
    pasted = (SSE + b"Content-Length: 5000\r\n\r\n").replace(b"\r\n", b"\n")
    assert read(pasted + STREAM).ended == End()


def test_a_head_without_end_is_a_sentence() -> None:
    with pytest.raises(InputError, match="the response head has no end"):
        read(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n")


JSON = b'{"choices": []}'
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("first", "body"),
    [
        (SSE + b"\r\n" + STREAM, STREAM),
        (SSE + b"\r\n" + STREAM.replace(b"\n", b"\r\n"), STREAM.replace(b"\n", b"\r\n")),
        (SSE + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(STREAM) + STREAM + b"\r\n0\r\n\r\n", STREAM),
        (PLAIN + b"\r\n" + JSON, JSON),
        (PLAIN + b"\r\n" + JSON + b"\n", JSON + b"\n"),
        (PLAIN + b"Content-Length: 15\r\n\r\n" + JSON, JSON),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 7\r\n\r\n<html>\n", b"<html>\n"),
    ],
)
def test_responses_one_after_another_are_all_read(first: bytes, body: bytes) -> None:
    found, problem = outcome(first + SSE + b"\r\n" + STREAM + first)
    assert [exchange.source for exchange in found] == ["file#0", "file#1", "file#2"]
    assert [exchange.body for exchange in found] == [body, STREAM, body]
    assert all(exchange.ended == End() for exchange in found)
    assert not problem


@pytest.mark.parametrize("body", [STREAM[:-1], STREAM[:40] + b"\n", b"<html>\n", JSON[:-4] + b"\n"])
def test_a_response_in_the_middle_of_a_body_is_refused(body: bytes) -> None:
    found, problem = outcome(SSE + b"\r\n" + body + SSE + b"\r\n" + STREAM)
    assert not found
    assert problem == "file: a response begins in the middle of another's body; give each a file of its own"


def test_a_status_line_that_a_model_writes_is_text() -> None:
    said = STREAM.replace(b"Paris", b"HTTP/1.1 200 OK\\r\\nServer: x")
    assert read(SSE + b"\r\n" + said).body == said

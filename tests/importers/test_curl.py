"""`curl -v` and `--trace`: curl's own lines go, the body stays byte for byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conformance.importers.load import from_bytes
from conformance.model import Exchange
from conformance.wire.read import read
from tests.importers.examples import REQUEST, STREAM, outcome

BEFORE = (
    b"*   Trying 127.0.0.1:80...\n"
    b"* Connected to h (127.0.0.1) port 80 (#0)\n"
    b"> POST /v1/chat/completions HTTP/1.1\r\n"
    b"> Host: h\r\n"
    b"> \r\n"
    b"} [282 bytes data]\n"
)
HEAD = b"< HTTP/1.1 200 OK\r\n< Content-Type: text/event-stream\r\n< \r\n"
DATA = b"{ [123 bytes data]\n"
AFTER = b"* Connection #0 to host h left intact\n"
METER = b"\r100  1605  100  1323  100   282   195k  42688 --:--:-- --:--:-- --:--:--  261k"
METER_HEAD = (
    b"  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
    b"                                 Dload  Upload   Total   Spent    Left  Speed\n"
)


def one(*parts: bytes) -> Exchange:
    """The exchange of an output."""
    (exchange,) = from_bytes(b"".join(parts), "file")
    return exchange


def test_the_body_is_what_is_left() -> None:
    exchange = one(BEFORE, HEAD, DATA, STREAM, AFTER)
    assert (exchange.body, exchange.status) == (STREAM, 200)
    assert exchange.headers == {"content-type": "text/event-stream"}
    assert exchange.fidelity.framing


def test_lines_between_events_do_no_harm() -> None:
    first, rest = STREAM[: STREAM.index(b"\n\n") + 2], STREAM[STREAM.index(b"\n\n") + 2 :]
    exchange = one(BEFORE, HEAD, DATA, first, DATA, rest, AFTER)
    assert exchange.body == STREAM
    assert exchange.fidelity.framing


@given(st.integers(1, len(STREAM) - 1), st.sampled_from([DATA, METER]))
def test_a_line_inside_a_line_leaves_the_bytes_and_takes_the_framing(at: int, noise: bytes) -> None:
    exchange = one(BEFORE, HEAD, STREAM[:at], noise, STREAM[at:], AFTER)
    if noise is DATA or STREAM[at : at + 1] != b"\n":  # after its meter curl may print a line end of its own
        assert exchange.body == STREAM
    assert exchange.fidelity.framing == (STREAM[at - 1 : at] == b"\n")


def test_the_progress_meter_goes() -> None:
    exchange = one(METER_HEAD, METER, BEFORE, HEAD, DATA, METER, METER, b"\n", AFTER, STREAM)
    assert exchange.body == STREAM
    assert exchange.fidelity.framing


def test_text_that_looks_like_curls_stays() -> None:
    body = b'{"choices":[{"message":{"content":"curl: (18) * Closing connection 0, { [5 bytes data]"}}]}'
    assert one(BEFORE, HEAD, body, AFTER).body == body
    assert one(BEFORE, HEAD, body + b"\n", AFTER).body == body + b"\n"


def test_times_before_the_lines_go_as_well() -> None:
    stamped = b"".join(b"08:01:24.123456 " + line for line in (BEFORE + HEAD).splitlines(keepends=True))
    assert one(stamped, STREAM).body == STREAM


def test_the_last_response_counts() -> None:
    redirect = b"< HTTP/1.1 307 Temporary Redirect\r\n< Location: /v1/chat/completions\r\n< \r\n"
    exchange = one(BEFORE, redirect, b"* Connection #0 to host h left intact\n", BEFORE, HEAD, STREAM)
    assert (exchange.status, exchange.body) == (200, STREAM)
    assert "location" not in exchange.headers


def test_two_outputs_in_one_file_are_refused() -> None:
    once = BEFORE + HEAD + DATA + STREAM + AFTER
    assert outcome(once * 2) == ([], "file: holds several outputs of curl -v; give each a file of its own")


def test_a_transfer_that_broke_is_a_cut_body() -> None:
    for line, kind in (
        (b"curl: (18) transfer closed with outstanding read data remaining\n", "early-end"),
        (b"curl: (28) Operation timed out after 5000 milliseconds\n", "timeout"),
        (b"curl: (56) Recv failure: Connection reset by peer\n", "reset"),
    ):
        exchange = one(BEFORE, HEAD, STREAM[:300], line)
        assert (exchange.body, exchange.ended.kind) == (STREAM[:300], kind)
        assert exchange.ended.detail == line.decode().strip()


def test_no_response_is_a_sentence() -> None:
    failed = BEFORE + b"* Recv failure: Connection reset by peer\ncurl: (56) Recv failure: Connection reset by peer\n"
    assert outcome(failed) == (
        [],
        "file: curl got no response; give the output of a request that was answered",
    )
    assert "curl got no response" in outcome(traced("=> Send header", b"\r\n"))[1]


def traced(kind: str, data: bytes) -> bytes:
    """A section of a trace."""
    lines = [f"{kind}, {len(data)} bytes (0x{len(data):x})"]
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        text = "".join(chr(b) if 32 <= b < 127 else "." for b in row)
        lines.append(f"{at:04x}: {row.hex(' '):<48}{text}")
    return "\n".join(lines).encode() + b"\n"


@given(st.binary(min_size=1, max_size=70_000))
def test_a_trace_holds_every_byte(body: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\n"
    exchange = one(
        b"== Info: Connected\n",
        traced("=> Send header", b"POST /v1/chat/completions HTTP/1.1\r\n\r\n"),
        traced("<= Recv header", head),
        traced("<= Recv header", b"\r\n"),
        traced("<= Recv data", body[:100]),
        traced("<= Recv data", body[100:]) if body[100:] else b"",
    )
    assert exchange.body == body


def test_a_trace_names_the_request() -> None:
    from conformance.importers.common import encoded

    exchange = one(
        traced("=> Send data", encoded(REQUEST)),
        traced("<= Recv header", b"HTTP/1.1 200 OK\r\n\r\n"),
        traced("<= Recv data", STREAM),
    )
    assert (exchange.request, exchange.asked_mode, exchange.model) == (REQUEST, "stream", "m")
    assert len(read(exchange).calls) == 1


def asked(body: bytes, *answer: bytes) -> bytes:
    """One request in a trace, with what came back: a head, and the body if there was one."""
    head, *rest = answer
    return b"".join(
        [
            traced("=> Send header", b"POST /v1/chat/completions HTTP/1.1\r\n\r\n"),
            traced("=> Send data", body),
            traced("<= Recv header", head),
            *(traced("<= Recv data", data) for data in rest),
        ]
    )


def test_two_traces_in_one_file_are_both_read() -> None:
    traces = (asked(b'{"model": "%s"}' % model, b"HTTP/1.1 200 OK\r\n\r\n", STREAM) for model in (b"a", b"b"))
    found, problem = outcome(b"== Info: Connected\n".join([b"", *traces]))
    assert [(exchange.source, exchange.model, exchange.body) for exchange in found] == [
        ("file#0", "a", STREAM),
        ("file#1", "b", STREAM),
    ]
    assert not problem


def test_what_only_leads_to_another_request_is_passed_over() -> None:
    exchange = one(
        asked(b"", b"HTTP/1.1 200 Connection established\r\n\r\n"),
        asked(b'{"model": "a"}', b"HTTP/1.1 307 Temporary Redirect\r\n\r\n", b"moved"),
        asked(b'{"model": "m"}', b"HTTP/1.1 200 OK\r\n\r\n", STREAM),
    )
    assert (exchange.body, exchange.model, exchange.status) == (STREAM, "m", 200)

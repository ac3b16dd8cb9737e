"""What a file is, is told by its content; what comes out is the same exchange, whatever it was wrapped in."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from conformance.errors import InputError
from conformance.importers import FORMATS, load
from conformance.importers.load import from_bytes
from conformance.model import Exchange
from conformance.quirks import judge
from conformance.wire.read import read
from tests.importers.examples import ANSWER, CAPTURE, LINES, REQUEST, STREAM, har, har_entry, outcome

Compress = Callable[[bytes], bytes]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
CASSETTE = json.dumps(
    {
        "version": 1,
        "interactions": [
            {
                "request": {
                    "method": "POST",
                    "uri": "https://api.example.com/v1/chat/completions",
                    "body": json.dumps(REQUEST),
                    "headers": {},
                },
                "response": {
                    "status": {"code": 200, "message": "OK"},
                    "headers": {"Content-Type": ["text/event-stream"]},
                    "body": {"string": STREAM.decode()},
                },
            }
        ],
    }
).encode()

WRAPPED = {
    "sse": STREAM,
    "sse with a byte order mark": b"\xef\xbb\xbf" + STREAM,
    "sse that begins with a comment": b": hello\n\n" + STREAM,
    "json": json.dumps(ANSWER).encode(),
    "json after white space": b"\n\n  " + json.dumps(ANSWER, indent=1).encode(),
    "curl -i": HEAD + STREAM,
    "json lines": LINES,
    "json lines of whole answers": json.dumps(ANSWER).encode() + b"\n",
    "array of chunks": b"[" + b",".join(LINES.splitlines()) + b"]",
    "capture": json.dumps(CAPTURE).encode(),
    "captures on lines": (json.dumps(CAPTURE) + "\n").encode() * 2,
    "array of captures": json.dumps([CAPTURE]).encode(),
    "har": har(har_entry()),
    "cassette": CASSETTE,
    "gzip": gzip.compress(STREAM),
    "zstd": zstandard.compress(STREAM),
    "brotli": brotli.compress(STREAM),
    "deflate": zlib.compress(STREAM),
    "gzip of a capture": gzip.compress(json.dumps(CAPTURE).encode()),
    "utf-16-le without a mark": STREAM.decode().encode("utf-16-le"),
    "utf-16-be without a mark": json.dumps(CAPTURE).encode("utf-16-be"),
    "utf-16, as PowerShell writes it": STREAM.decode().replace("\n", "\r\n").encode("utf-16"),
}


def one(data: bytes, request: dict[str, object] | None = None) -> Exchange:
    """The first exchange in a file called `file`."""
    return next(iter(from_bytes(data, "file", request)))


@pytest.mark.parametrize("form", WRAPPED)
def test_every_format_gives_the_same_call(form: str) -> None:
    found = list(from_bytes(WRAPPED[form], "file"))
    assert [e.source for e in found] == [f"file#{n}" for n in range(len(found))]
    for exchange in found:
        transcript = read(exchange)
        (call,) = transcript.calls
        assert (call.id, call.name, call.arguments) == ("call_a1", "get_weather", '{"city": "Paris"}')
        assert transcript.complete


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"just some words\n",
        b"<html><body>502 Bad Gateway</body></html>",
        b"PK\x03\x04\x14\0\0\0",
        b"\x00\xff" * 40,
    ],
)
def test_unknown_content_is_one_sentence_that_lists_what_is_known(data: bytes) -> None:
    with pytest.raises(InputError) as raised:
        list(from_bytes(data, "file"))
    assert str(raised.value).startswith("file: ")
    assert FORMATS in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_is_called_empty(data: bytes) -> None:
    with pytest.raises(InputError, match="the file is empty"):
        list(from_bytes(data, "file"))


def test_log_lines_are_no_chunks() -> None:
    with pytest.raises(InputError, match="no line is a chunk"):
        list(from_bytes(b'{"level":"info"}\n{"level":"warn"}\n', "file"))


def test_a_damaged_json_body_is_left_to_the_reading() -> None:
    assert read(one(json.dumps(ANSWER).encode()[:-40])).cut


def test_a_damaged_line_stays_in_the_stream() -> None:
    first, second, third = LINES.splitlines()
    transcript = read(one(b"\n".join([first, second[:30], third])))
    assert transcript.events == 3
    assert "not-json" in transcript.facts


def test_a_lone_chunk_is_a_stream() -> None:
    assert read(one(LINES.splitlines()[0])).mode == "stream"


def test_a_damaged_archive_is_said_to_be_damaged() -> None:
    with pytest.raises(InputError, match="damaged"):
        list(from_bytes(b"\x1f\x8b\x08not gzip at all", "file"))
    with pytest.raises(InputError, match="ends before its end"):
        list(from_bytes(gzip.compress(json.dumps(CAPTURE).encode())[:-60], "file"))


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_compressed_stream_that_was_cut_is_read_as_cut(compress: Compress) -> None:
    noise = random.Random(1)
    comments = b"".join(b": %s\n\n" % noise.randbytes(500).hex().encode() for _ in range(300))
    long = STREAM.replace(b"data: [DONE]\n\n", comments)
    assert read(one(compress(long)[:-30])).cut


def test_formats_without_headers_or_framing_say_so() -> None:
    sse, lines, array = one(STREAM), one(LINES), one(WRAPPED["array of chunks"])
    assert (sse.fidelity.framing, sse.fidelity.text, sse.fidelity.headers) == (True, True, False)
    assert (lines.fidelity.framing, lines.fidelity.text, lines.fidelity.headers) == (False, True, False)
    assert (array.fidelity.framing, array.fidelity.text, array.fidelity.headers) == (False, False, False)
    assert sse.status is lines.status is array.status is None
    assert not one(WRAPPED["utf-16, as PowerShell writes it"]).fidelity.framing


def test_the_request_is_used_where_the_format_has_none() -> None:
    other = {"model": "other", "stream": False}
    assert one(STREAM, REQUEST).request == REQUEST
    assert one(STREAM, REQUEST).asked_mode == "stream"
    assert one(STREAM, other).asked_mode == "complete"
    assert one(HEAD + STREAM, REQUEST).request == REQUEST
    assert one(json.dumps(CAPTURE).encode(), other).request == REQUEST
    without = {**CAPTURE, "request": None}
    assert one(json.dumps(without).encode(), other).request == other
    assert one(json.dumps(without).encode(), other).asked_mode == "stream"  # the capture itself says so


def test_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.sse"
    path.write_bytes(STREAM)
    assert [e.source for e in load(path)] == [f"{path}#0"]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(STREAM)))
    assert [(e.source, e.body) for e in load("-")] == [("-#0", STREAM)]


def test_files_that_cannot_be_opened_are_sentences(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none", "there is no such file"),
        (tmp_path, "no file in this folder"),
        ("a\0b", "read"),
    ):
        with pytest.raises(InputError, match=words):
            list(load(path))


DEEP = (
    '[{"scope": "s", "path": "/chat/completions", "response": {"a": %s}}]',
    '{"request": {"messages": []}, "response": {"choices": [], "a": %s}}',
    '{"request": {"messages": []}, "response": {"choices": [], "a": %s}}\n{}\n',
    '[{"object": "chat.completion.chunk", "a": %s}]',
    '{"trace_id": "1", "attributes": {"gen_ai.output.messages": [{"tool_calls": [{"arguments": %s}]}]}}',
    '{"call_type": "completion", "messages": [], "response": {"choices": [], "a": %s}}',
    '{"response_body": "", "request": %s}',
    "interactions:\n- request: {uri: /chat/completions}\n  response: {body: %s}\n",
    '{"choices": [{"message": {"tool_calls": [{"x": %s, "function": {"name": "f", "arguments": %s}}]}}]}',
    'data: {"choices": [{"delta": {"content": %s}}], "error": %s}\n\n',
    "%s",
)


@pytest.mark.parametrize("form", DEEP)
@pytest.mark.parametrize("depth", [240, 260, 500, 990, 1000, 1010, 1020, 1100, 100_000])
def test_no_nesting_is_too_deep_for_a_sentence(form: str, depth: int) -> None:
    found, problem = outcome(form.replace("%s", "[" * depth + "]" * depth).encode())
    assert problem.startswith("file") if problem else found
    for exchange in found:
        judge(read(exchange))


@given(st.sampled_from(sorted(WRAPPED)), st.data())
def test_damaged_files_give_a_sentence_or_an_exchange(form: str, data: st.DataObject) -> None:
    whole = WRAPPED[form]
    at = data.draw(st.integers(0, len(whole)))
    broken = whole[:at] + data.draw(st.binary(max_size=4)) + whole[at + data.draw(st.integers(0, 40)) :]
    found, problem = outcome(broken)
    assert problem.startswith("file") if problem else found
    for exchange in found:
        read(exchange)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_sentence_or_an_exchange(data: bytes) -> None:
    found, problem = outcome(data)
    assert problem.startswith("file") if problem else found
    for exchange in found:
        read(exchange)

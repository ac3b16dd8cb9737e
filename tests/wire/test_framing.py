"""Framing: what the event stream standard says, in bytes."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard

from conformance.model import Exchange, Fidelity
from conformance.quirks import judge
from conformance.wire.facts import Fact, Marks
from conformance.wire.read import read
from conformance.wire.sse import events
from tests.wire.helpers import chunk, entries, entry, sse, told, transcript

BODY = sse(entries(entry(0, "x", "f", '{"a":')), entries(entry(0, arguments='"é"}')), chunk({}, "tool_calls"))
CALLS = [("x", "f", '{"a":"é"}')]


def data_of(body: bytes) -> list[bytes]:
    return [data for _, data, _, _ in events(body, Marks())]


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
        (b"data:a\n\n", [b"a"]),
        (b"data:  a\n\n", [b" a"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
        (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
        (b"data: a\n\r\ndata: b\r\n\n", [b"a", b"b"]),
        (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
        (b": hi\n\ndata: a\n\n", [b"a"]),
        (b"data: a\n: hi\ndata: b\n\n", [b"a\nb"]),
        (b"data\n\n", [b""]),
        (b"event: x\nid: 1\nretry: 2\ndata: a\n\n", [b"a"]),
        (b"event: x\n\n", []),
        (b"data: a", [b"a"]),
        (b"data: a\n", [b"a"]),
        (b"\n\n\ndata: a\n\n\n\n", [b"a"]),
        (b"", []),
    ],
)
def test_events(body: bytes, data: list[bytes]) -> None:
    assert data_of(body) == data


def test_offsets_point_at_the_data_line() -> None:
    for body in (b": c\n\nevent: x\ndata: a\n\ndata: b\n\n", b": c\r\n\r\nevent: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n"):
        found = [offset for offset, _, _, _ in events(body, Marks())]
        assert all(body[offset:].startswith(b"data:") for offset in found)
        assert len(found) == 2


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_line_ends_change_nothing(end: bytes) -> None:
    assert told(transcript(BODY.replace(b"\n", end))) == CALLS


def compressed() -> list[tuple[str, bytes]]:
    raw = zlib.compressobj(wbits=-15)
    return [
        ("gzip", gzip.compress(BODY)),
        ("deflate", zlib.compress(BODY)),
        ("deflate", raw.compress(BODY) + raw.flush()),
        ("br", brotli.compress(BODY)),
        ("zstd", zstandard.compress(BODY)),
    ]


@pytest.mark.parametrize(("coding", "body"), compressed())
def test_compressed_bodies(coding: str, body: bytes) -> None:
    declared = transcript(body, headers={"content-encoding": coding})
    assert told(declared) == CALLS
    assert Fact.ENCODING_UNDECLARED not in declared.facts
    undeclared = transcript(body)
    assert told(undeclared) == CALLS
    assert Fact.ENCODING_UNDECLARED in undeclared.facts


def test_two_codings_are_undone_in_reverse() -> None:
    body = gzip.compress(brotli.compress(BODY))
    assert told(transcript(body, headers={"content-encoding": "br, gzip"})) == CALLS


@pytest.mark.parametrize(("coding", "body"), compressed())
def test_a_cut_compressed_body_is_cut(coding: str, body: bytes) -> None:
    t = transcript(body[:-20], headers={"content-encoding": coding})
    assert not t.complete


def test_a_coding_that_never_ends_is_a_cut_though_its_content_is_all_there() -> None:
    gzipped, zstd = zlib.compressobj(wbits=31), zstandard.ZstdCompressor().compressobj()
    for coding, body in (
        ("gzip", gzipped.compress(BODY) + gzipped.flush(zlib.Z_SYNC_FLUSH)),
        ("zstd", zstd.compress(BODY) + zstd.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)),
    ):
        t = transcript(body, headers={"content-encoding": coding})
        assert told(t) == CALLS
        assert Fact.ENCODING_CUT in t.facts


def test_several_frames_of_zstandard_are_one_body() -> None:
    body = zstandard.compress(BODY[:50]) + zstandard.compress(BODY[50:])
    t = transcript(body, headers={"content-encoding": "zstd"})
    assert told(t) == CALLS
    assert Fact.ENCODING_CUT not in t.facts


def test_a_false_coding_is_told() -> None:
    t = transcript(BODY, headers={"content-encoding": "gzip"})
    assert told(t) == CALLS
    assert Fact.ENCODING_FALSE in t.facts


def test_invalid_utf8_is_replaced_and_told() -> None:
    t = transcript(BODY.replace("é".encode(), b"\xc3"))
    assert Fact.INVALID_UTF8 in t.facts
    assert t.calls[0].value == {"a": "\ufffd"}


@pytest.mark.parametrize("space", [b"", b" ", b"\n\n\n", b"   \r\n"])
def test_json_bodies_with_leading_space(space: bytes) -> None:
    body = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}'
    t = transcript(space + body, asked="complete")
    assert t.choices[0].content == "hi"
    assert t.complete


@pytest.mark.parametrize(
    "event",
    [
        'data: {"error":{"message":"boom"}}\n\n',
        'event: error\ndata: {"message":"boom"}\n\n',
        'event: stream_error\ndata: {"error":{"message":"boom"}}\n\n',
        "event: error\ndata: boom\n\n",
        'data: {"object":"error","message":"boom"}\n\n',
    ],
)
def test_errors_in_mid_stream(event: str) -> None:
    body = sse(entries(entry(0, "x", "f", '{"a":1}')), chunk({}, "tool_calls"), done=False) + event.encode()
    t = transcript(body)
    assert t.error is not None
    assert t.error["message"] == "boom"
    assert not t.complete
    assert not t.calls[0].usable


def test_a_200_with_an_error_body() -> None:
    t = transcript(b'{"error":{"message":"boom","code":502}}', asked="complete")
    assert t.error == {"message": "boom", "code": 502}
    assert not t.complete


@pytest.mark.parametrize(
    "body", [b"<html>no</html>", b"", b"\x00\xff\xfe", b"null", b"[]", b"17", b'{"a":', b"data: x"]
)
def test_nonsense_is_no_answer(body: bytes) -> None:
    t = transcript(body, asked="complete")
    assert not t.complete
    assert t.calls == []


def test_a_regular_end_is_not_a_cut() -> None:
    t = transcript(BODY)
    assert (t.complete, t.cut) == (True, False)


def test_a_reset_after_done_does_not_matter() -> None:
    assert transcript(BODY, ended="reset").complete


def test_a_reset_before_done_does() -> None:
    cut = transcript(BODY.replace(b"data: [DONE]\n\n", b""), ended="reset")
    assert (cut.complete, cut.cut) == (False, True)


def test_part_of_a_stream_is_not_called_cut() -> None:
    part = sse(entries(entry(0, "x", "f", '{"a":')), done=False)
    t = read(Exchange("part", part, fidelity=Fidelity(whole=False)))
    assert not t.cut
    assert not t.complete


def test_a_document_too_deep_to_read_breaks_no_rule_and_nothing_is_run() -> None:
    deep = '{"choices":[],"x":' + "[" * 500 + "]" * 500 + "}"
    answer = entries(entry(0, "x", "f", "{}"))
    for body, asked in (
        (sse(answer, deep, chunk({}, "tool_calls")), "stream"),
        (deep.encode(), "complete"),
        (deep.replace("[]", "[" * 90_000 + "]" * 90_000).encode(), "complete"),
    ):
        t = transcript(body, asked=asked)
        assert not t.complete
        assert not any(call.usable for call in t.calls)
        loud = [f for f in judge(t).findings if f.level != "info"]
        assert [(f.quirk, f.level, f.layer) for f in loud] == [("json-beyond-limits", "should", "server")]


def test_a_document_right_at_the_limit_is_read() -> None:
    deep = '{"choices":[],"x":' + "[" * 499 + "]" * 499 + "}"
    t = transcript(sse(deep, entries(entry(0, "x", "f", "{}")), chunk({}, "tool_calls")))
    assert t.complete
    assert "json-beyond-limits" not in {f.quirk for f in judge(t).findings}

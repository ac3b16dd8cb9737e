"""The marked bytes are those of the value that a place names."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model import Exchange
from conformance.run.rows import WhereRow
from conformance.site.evidence_marks import Mark, mark
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@st.composite
def places(draw: st.DrawFn) -> tuple[dict[str, Any], str, Any]:
    """A chunk, a pointer to something in it, and what stands there."""
    document = {"choices": [{"index": 0, "delta": draw(st.dictionaries(KEYS, VALUES, max_size=4))}]}
    value: Any = document
    pointer = ""
    while isinstance(value, dict | list) and value and (not pointer or draw(st.booleans())):
        if isinstance(value, dict):
            step = draw(st.sampled_from(sorted(value)))
            value = value[step]
            pointer += "/" + step.replace("~", "~0").replace("/", "~1")
        else:
            position = draw(st.integers(0, len(value) - 1))
            value = value[position]
            pointer += f"/{position}"
    return document, pointer, value


@given(place=places(), ascii_only=st.booleans(), end=st.sampled_from(["\n", "\r\n", "\r"]), spaced=st.booleans())
def test_an_event(place: tuple[dict[str, Any], str, Any], ascii_only: bool, end: str, spaced: bool) -> None:
    document, pointer, value = place
    # printed over several lines, an event has several fields of data
    text = json.dumps(document, ensure_ascii=ascii_only, indent=1 if spaced else None)
    lines = "".join(f"data: {one}{end}" for one in text.split("\n"))
    body = f": hello{end}data: {{}}{end}{end}event: message{end}{lines}{end}data: [DONE]{end}{end}".encode()
    transcript = stream(body)
    found = mark(transcript, at(1, transcript.event_offsets[1], pointer))
    assert found is not None
    assert not found.missing
    assert (found.event, found.pointer) == (1, pointer)
    assert json.loads(undone(body[found.start : found.end], end)) == value


@given(place=places())
def test_a_document(place: tuple[dict[str, Any], str, Any]) -> None:
    document, pointer, value = place
    body = b"\n " + json.dumps(document, ensure_ascii=False).encode()
    found = mark(read(Exchange("x", body)), at(None, 0, pointer))
    assert found is not None
    assert json.loads(body[found.start : found.end]) == value


@pytest.mark.parametrize(
    ("pointer", "reached", "text"),
    [
        ("/choices/0/delta/tool_calls/0/index", "/choices/0/delta/tool_calls/0", b'{"id":"call_1"}'),
        ("/choices/0/delta/tool_calls/7/id", "/choices/0/delta/tool_calls", b'[{"id":"call_1"}]'),
        ("/usage/total", "", b'{"choices":[{"delta":{"tool_calls":[{"id":"call_1"}]}}]}'),
    ],
)
def test_what_is_missing_is_marked_by_what_lacks_it(pointer: str, reached: str, text: bytes) -> None:
    body = b'data: {"choices":[{"delta":{"tool_calls":[{"id":"call_1"}]}}]}\n\n'
    assert taken(body, mark(stream(body), at(0, 0, pointer))) == (text, reached, True)


def test_the_last_of_equal_keys_is_the_one_that_counts() -> None:
    body = b'data: {"id":"first","id":"last"}\n\n'
    assert taken(body, mark(stream(body), at(0, 0, "/id"))) == (b'"last"', "/id", False)


def test_a_key_of_digits_is_a_key() -> None:
    body = b'data: {"0":[8,{"1":9}]}\n\n'
    assert taken(body, mark(stream(body), at(0, 0, "/0/1/1"))) == (b"9", "/0/1/1", False)


def test_data_that_is_no_json_is_marked_as_a_whole() -> None:
    body = b"data: {}\n\ndata: oops, no JSON\n\n"
    assert taken(body, mark(stream(body), at(1, 10, ""))) == (b"oops, no JSON", "", False)


@pytest.mark.parametrize("where", [(0, 3, ""), (2, 0, ""), (-1, 0, ""), (None, None, "")])
def test_a_place_that_the_answer_does_not_have(where: tuple[int | None, int | None, str]) -> None:
    assert mark(stream(b"data: {}\n\ndata: [DONE]\n\n"), at(*where)) is None


@given(st.binary(max_size=200), st.text(max_size=20))
def test_no_bytes_and_no_pointer_harm(data: bytes, pointer: str) -> None:
    body = b"data: " + data + b"\n\n"
    transcript = read(Exchange("x", body, headers={"content-type": "text/event-stream"}))
    for event, offset in enumerate(transcript.event_offsets):
        found = mark(transcript, at(event, offset, f"/{pointer}"))
        assert found is not None
        assert offset <= found.start <= found.end <= len(transcript.body)


def stream(body: bytes) -> Transcript:
    return read(Exchange("x", body, headers={"content-type": "text/event-stream"}))


def at(event: int | None, byte: int | None, pointer: str) -> WhereRow:
    return {"event": event, "byte": byte, "pointer": pointer}


def taken(body: bytes, found: Mark | None) -> tuple[bytes, str, bool]:
    assert found is not None
    return body[found.start : found.end], found.pointer, found.missing


def undone(data: bytes, end: str) -> str:
    """The bytes of a value without the beginnings of the lines in it."""
    return data.decode().replace(f"{end}data: ", "")

"""Every body survives being written as YAML, byte for byte; those that can be read as text are readable in the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vcr.request import Request

from conformance.model import End, Piece
from conformance.transport import Store, read_cassette
from conformance.transport.interaction import Labels
from conformance.transport.received import Received

LABELS = Labels("local", "m", "single_call", "stream")
REQUEST = Request("POST", "http://h.invalid/v1/chat/completions", json.dumps({"stream": True}).encode(), {})

FRAGMENTS = (
    "data: ", '{"a": 1}', "\n", "\n\n", "\r\n", "\r", " ", "\t", "é", "😀", "\ufeff", "\x85", "\u2028", "\0", "\x7f",
    "---", "...", "# ", "|", "'", "%", "\ufffe",
)  # fmt: skip
BODIES = st.one_of(
    st.binary(max_size=80),
    st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(lambda parts: "".join(parts).encode()),
)


def answer_with(body: bytes) -> Received:
    pieces = (Piece(1.5, len(body)),) if body else ()
    return Received(200, "OK", (("content-type", "text/event-stream"),), body, pieces, End(), "2026-01-01T00:00:00Z")


def write(path: Path, body: bytes) -> None:
    with Store.open(path, "record") as store:
        store.take(REQUEST, LABELS, lambda: answer_with(body))


def never() -> NoReturn:
    raise AssertionError("a replay asked for more")


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODIES)
def test_every_body_survives(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "x.yaml"
    write(path, body)
    (read,) = read_cassette(path)
    assert read.body == body
    with Store.open(path) as store:
        assert store.take(REQUEST, LABELS, never) == answer_with(body)


@pytest.mark.parametrize(
    ("body", "style"),
    [
        (b"data: {}\n\ndata: [DONE]\n\n", "|"),
        (b"data: a\t\n\n", "|"),
        ("data: 😀 é \n".encode(), "|"),
        (b'{"id": 1}', "|"),
        (b"data: {}\r\n\r\n", '"'),
        (b"\n\n{}", "'"),
        ("data: \u2028\n".encode(), '"'),
        (b"\0", '"'),
        (b"\xff", "|"),  # base64
    ],
    ids=["stream", "tab", "blank before a line end", "one line", "CRLF", "leading lines", "LS", "control", "not UTF-8"],
)
def test_bodies_are_literal_where_yaml_can_hold_them(tmp_path: Path, body: bytes, style: str) -> None:
    path = tmp_path / "x.yaml"
    write(path, body)
    node: Any = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    for key in ("interactions", 0, "response", "body", "string"):
        node = node.value[key] if isinstance(key, int) else {k.value: v for k, v in node.value}[key]
    assert node.style == style


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODIES)
def test_every_long_body_survives(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "x.yaml"
    body = b"data: {}\n\n" * 7000 + body
    write(path, body)
    (read,) = read_cassette(path)
    assert read.body == body

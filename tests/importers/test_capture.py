"""Capture files: fields, fidelity, and what is wrong with one."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from conformance.errors import InputError
from conformance.importers.load import from_bytes
from conformance.model import Exchange, Fidelity
from tests.importers.examples import CAPTURE, REQUEST, STREAM, outcome


def read(**changed: Any) -> Exchange:
    """The exchange of a capture with some fields changed (None: left out)."""
    document = {k: v for k, v in {**CAPTURE, **changed}.items() if v is not None}
    (exchange,) = from_bytes(json.dumps(document).encode(), "file")
    return exchange


def test_every_field_arrives() -> None:
    exchange = read(recorded_at="2026-01-02")
    assert exchange == Exchange(
        source="file#0",
        body=STREAM,
        status=200,
        headers={"content-type": "text/event-stream"},
        request=REQUEST,
        asked_mode="stream",
        provider="acme",
        model="m",
        recorded_at="2026-01-02",
    )


def test_base64_keeps_bytes_that_are_no_text() -> None:
    body = b'data: {"x":"\xff\xfe"}\r\n\r\n'
    assert read(response_body=None, response_body_base64=base64.b64encode(body).decode()).body == body


@pytest.mark.parametrize(
    ("body_fidelity", "lost"),
    [
        ("raw", ""),
        (None, ""),
        ("normalised-by-recorder", "framing text ids"),
        ("parsed-reserialised", "framing text"),
        ("pretty-printed", "framing text"),
        ("client-model-reserialised", "framing text presence"),
        ("sse-rebuilt-from-payload-lines", "framing"),
        ("sse-from-trace-log", "framing"),
        ("something new", "framing text"),
    ],
)
def test_what_the_recorder_changed_cannot_be_judged(body_fidelity: str | None, lost: str) -> None:
    assert read(body_fidelity=body_fidelity).fidelity == Fidelity(**dict.fromkeys(lost.split(), False))


def test_a_capture_without_headers_says_so() -> None:
    assert not read(response_headers={}).fidelity.headers
    assert not read(response_headers=None).fidelity.headers


def test_the_asked_mode_comes_from_the_capture_then_from_the_request() -> None:
    assert read(stream=False).asked_mode == "complete"
    assert read(stream=None).asked_mode == "stream"
    assert read(stream=None, request=None).asked_mode is None


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"response_body": None, "response_body_base64": "!!"}, "response_body_base64 is not base64"),
        ({"response_body": None, "response_body_base64": 7}, "response_body_base64 is no text"),
        ({"response_body": {"choices": []}}, "response_body is no text"),
    ],
)
def test_a_body_of_the_wrong_kind_is_a_sentence(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=f"file#0: {words}"):
        read(**changed)


def test_half_a_surrogate_pair_in_a_capture_is_kept_for_the_reading() -> None:
    assert read(response_body="data: \ud83d\n\n").body == b"data: \xed\xa0\xbd\n\n"


def test_one_bad_capture_among_lines_does_not_lose_the_others() -> None:
    good = json.dumps(CAPTURE)
    lines = "\n".join([good, '{"response_body": 1}', '{"level": "info"}', "not json", good]).encode()
    found, problem = outcome(lines)
    assert [exchange.source for exchange in found] == ["file#0", "file#4"]
    assert [line.split(":")[0] for line in problem.splitlines()] == ["file#1", "file#2", "file#3"]

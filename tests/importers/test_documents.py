"""JSON and YAML: what is no answer is not judged as one, and what stands one after another is all read."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from conformance.importers import FORMATS
from conformance.wire.read import read
from tests.importers.examples import ANSWER, CAPTURE, CHUNKS, REQUEST, STREAM, har, har_entry, outcome

ERROR = {"error": {"message": "Rate limited", "type": "rate_limit"}}
INTERACTION: dict[str, Any] = {
    "request": {"method": "POST", "uri": "https://api.example.com/v1/chat/completions", "body": json.dumps(REQUEST)},
    "response": {"status": {"code": 200}, "headers": {}, "body": {"string": STREAM.decode()}},
}
VCRPY = {"interactions": [INTERACTION], "version": 1}
RUBY = {"http_interactions": [INTERACTION], "recorded_with": "VCR 6.0.0"}


def printed(*documents: Any) -> bytes:
    """Documents one after another, as a person prints them."""
    return "\n".join(json.dumps(document, indent=2) for document in documents).encode()


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        [1, 2, 3],
        {"name": "web", "version": "1.0.0", "dependencies": {}},
        {"compilerOptions": {"strict": True}},
        {"log": {"entries": None}},
        {"level": "info", "message": "started", "pid": 7},
        {"object": "list", "data": [{"id": "m", "object": "model"}]},
        {"id": "m", "object": "model"},
        {"error": None},
    ],
)
def test_json_without_a_mark_of_an_answer_is_not_judged(document: Any) -> None:
    for text in (json.dumps(document), json.dumps(document, indent=1)):
        assert outcome(text.encode()) == ([], f"file: holds no exchange in any known format; give {FORMATS}")


@pytest.mark.parametrize(
    "document",
    [
        ANSWER,
        ERROR,
        {"id": "chatcmpl-1", "object": "chat.completion", "created": 1},
        {"id": "x", "object": "thing", "created": 1},
        {"usage": {"total_tokens": 3}},
        {"choices": []},
        {"detail": "Not Found"},
        {"object": "error", "message": "boom", "code": 400},
        {"message": "no Route matched with those values"},
    ],
)
def test_json_that_may_be_an_answer_is_judged(document: Any) -> None:
    found, problem = outcome(json.dumps(document).encode())
    assert len(found) == 1
    assert not problem


@pytest.mark.parametrize(
    ("whole", "what"),
    [
        (har(har_entry()), "a HAR"),
        (json.dumps({"interactions": [INTERACTION]}).encode(), "a cassette"),
        (json.dumps({"http_interactions": [INTERACTION]}).encode(), "a cassette"),
        (json.dumps({"response_body": STREAM.decode(), **CAPTURE}).encode(), "a capture"),
        (json.dumps({"messages": [{"role": "user", "content": "x" * 90}]}).encode(), "a request body"),
        (json.dumps([CAPTURE]).encode(), "an array"),
        (json.dumps({"resourceSpans": [{"scopeSpans": []}] * 9}).encode(), "telemetry"),
    ],
)
@pytest.mark.parametrize("part", [3, 2])
def test_the_cut_of_a_container_is_no_fault_of_the_provider(whole: bytes, what: str, part: int) -> None:
    cut = whole[: len(whole) // part]
    expected = f"file: begins like {what}, but is cut, damaged or nested too deeply; save or export it again"
    assert outcome(cut) == ([], expected)


def test_wherever_a_capture_is_cut_it_is_not_judged() -> None:
    whole = json.dumps(CAPTURE).encode()
    for end in range(1, len(whole)):
        found, problem = outcome(whole[:end])
        assert not found
        assert problem.startswith("file: ")


def test_wherever_an_answer_is_cut_it_is_judged() -> None:
    whole = json.dumps(ANSWER).encode()
    for end in range(len('{"id": '), len(whole)):
        (exchange,), problem = outcome(whole[:end])
        assert not read(exchange).complete
        assert not problem


@pytest.mark.parametrize("between", [b"", b"\n", b"\n\n"])
def test_captures_one_after_another_are_all_read(between: bytes) -> None:
    found, problem = outcome(between.join([printed(CAPTURE)] * 3))
    assert [exchange.source for exchange in found] == ["file#0", "file#1", "file#2"]
    assert all(read(exchange).calls[0].id == "call_a1" for exchange in found)
    assert not problem


def test_a_capture_on_one_line_before_printed_ones() -> None:
    assert len(outcome(json.dumps(CAPTURE).encode() + b"\n" + printed(CAPTURE, CAPTURE))[0]) == 3


def test_what_comes_before_a_cut_document_is_read() -> None:
    found, problem = outcome(printed(CAPTURE, CAPTURE, CAPTURE)[:-30])
    assert len(found) == 2
    assert problem == "file: not JSON after 2 documents; it is cut or damaged"


@pytest.mark.parametrize("document", [json.loads(har(har_entry())), VCRPY, RUBY, [CAPTURE], ANSWER, ERROR])
def test_two_of_a_kind_are_numbered_as_one(document: Any) -> None:
    found, problem = outcome(printed(document, document))
    assert [exchange.source for exchange in found] == ["file#0", "file#1"]
    assert not problem


def test_printed_chunks_are_one_stream() -> None:
    (exchange,), _ = outcome(printed(*CHUNKS))
    assert read(exchange).calls[0].arguments == '{"city": "Paris"}'


def test_an_error_among_answers_is_an_answer_of_its_own() -> None:
    for text in (printed(ANSWER, ERROR, ANSWER), b"\n".join(json.dumps(one).encode() for one in (ANSWER, ERROR))):
        found, problem = outcome(text)
        assert not problem
        assert read(found[1]).error == ERROR["error"]
        assert read(found[0]).complete


def test_documents_of_different_kinds_are_refused() -> None:
    found, problem = outcome(printed(REQUEST, ANSWER))
    assert not found
    assert problem == "file: JSON documents of different kinds one after another; give each a file of its own"


@pytest.mark.parametrize("cassette", [VCRPY, RUBY, [INTERACTION]])
def test_yaml_documents_one_after_another_are_all_read(cassette: Any) -> None:
    text = "".join("---\n" + yaml.safe_dump(cassette) for _ in range(2)) + "---\n"
    found, problem = outcome(text.encode())
    assert [exchange.source for exchange in found] == ["file#0", "file#1"]
    assert not problem


def test_two_cassettes_in_one_yaml_document_are_refused() -> None:
    once = yaml.safe_dump(VCRPY)
    found, problem = outcome((once * 2).encode())
    assert not found
    line = once.count("\n") + 1
    assert problem.startswith(f"file has 'interactions' twice (line {line}), as two cassettes in one file do")


def test_yaml_documents_of_different_kinds_are_refused() -> None:
    found, problem = outcome((yaml.safe_dump(VCRPY) + "---\n" + yaml.safe_dump({"other": 1})).encode())
    assert not found
    assert problem == "file: YAML documents of different kinds one after another; give each a file of its own"

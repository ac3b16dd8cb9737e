"""`conformance inspect`: the document others script against, the report people read, and the exit codes."""

from __future__ import annotations

import base64
import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from conformance.cli import call
from tests.importers.examples import ANSWER, CAPTURE, CHUNKS, REQUEST, STREAM

NO_INDEX = STREAM.replace(b'"index": 0, "id"', b'"id"').replace(b'[{"index": 0, "function"', b'[{"function"')
EMPTY_IDS = STREAM.replace(b'[{"index": 0, "function"', b'[{"index": 0, "id": "", "function"')

WHOLE = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}
MODE = {"enum": ["stream", "complete"]}


def closed(**properties: Any) -> dict[str, Any]:
    """The schema of an object with exactly these fields."""
    return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


DOCUMENT = closed(
    schema={"const": "conformance/inspect/1"},
    exchanges={
        "type": "array",
        "items": closed(
            source=TEXT,
            mode=MODE,
            asked_mode=or_null(MODE),
            status=or_null(WHOLE),
            complete={"type": "boolean"},
            calls={
                "type": "array",
                "items": closed(
                    choice=WHOLE,
                    index=WHOLE,
                    wire_index=or_null({"type": "integer"}),
                    id=TEXT,
                    other_ids={"type": "array", "items": TEXT},
                    name=TEXT,
                    arguments=TEXT,
                    usable={"type": "boolean"},
                    extra={"type": "object"},
                ),
            },
            content=TEXT,
            finish_reason=or_null(TEXT),
            choices={
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["index", "content", "finish_reason"],
                    "properties": {"index": WHOLE, "content": TEXT, "finish_reason": or_null(TEXT)},
                },
            },
            usage=or_null({"type": "object"}),
            error=or_null({"type": "object"}),
            findings={
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["quirk", "level", "layer", "message", "expected", "actual", "count", "where"],
                    "properties": {
                        "quirk": {"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
                        "level": {"enum": ["must", "should", "info"]},
                        "layer": {"enum": ["server", "gateway", "client", "model"]},
                        "message": {"type": "string", "minLength": 1},
                        "expected": {"type": "string", "minLength": 1},
                        "actual": {"type": "string", "maxLength": 200},
                        "count": {"type": "integer", "minimum": 1},
                        "where": closed(event=or_null(WHOLE), byte=or_null(WHOLE), pointer=TEXT),
                    },
                },
            },
        ),
    },
)
"""DESIGN §6.1 as a schema."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a clean, a broken and an unreadable file."""
    (tmp_path / "clean.sse").write_bytes(STREAM)
    (tmp_path / "no-index.sse").write_bytes(NO_INDEX)
    (tmp_path / "empty-ids.sse").write_bytes(EMPTY_IDS)
    (tmp_path / "answer.json").write_text(json.dumps(ANSWER))
    (tmp_path / "capture.json").write_text(json.dumps(CAPTURE))
    (tmp_path / "notes.txt").write_text("no exchange at all\n")
    (tmp_path / "request.json").write_text(json.dumps(REQUEST))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def document(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """The JSON document, held to its schema."""
    call(["inspect", "--format", "json", *args])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, DOCUMENT)
    return found


@pytest.mark.usefixtures("folder")
def test_a_clean_stream(capsys: pytest.CaptureFixture[str]) -> None:
    (exchange,) = document(capsys, "clean.sse")["exchanges"]
    assert exchange["calls"] == [
        {
            "choice": 0,
            "index": 0,
            "wire_index": 0,
            "id": "call_a1",
            "other_ids": [],
            "name": "get_weather",
            "arguments": '{"city": "Paris"}',
            "usable": True,
            "extra": {},
        }
    ]
    assert exchange["source"] == "clean.sse#0"
    assert (exchange["mode"], exchange["asked_mode"], exchange["status"]) == ("stream", None, None)
    assert (exchange["complete"], exchange["finish_reason"], exchange["content"]) == (True, "tool_calls", "")
    assert not [f for f in exchange["findings"] if f["level"] != "info"]


@pytest.mark.usefixtures("folder")
def test_a_finding_names_its_event_byte_and_pointer(capsys: pytest.CaptureFixture[str]) -> None:
    (exchange,) = document(capsys, "no-index.sse")["exchanges"]
    (finding,) = [f for f in exchange["findings"] if f["quirk"] == "index-missing"]
    assert (finding["level"], finding["count"]) == ("must", 2)
    assert finding["where"] == {"event": 0, "byte": 0, "pointer": "/choices/0/delta/tool_calls/0"}
    assert exchange["calls"][0]["wire_index"] is None


@pytest.mark.usefixtures("folder")
def test_a_capture_carries_status_mode_and_request(capsys: pytest.CaptureFixture[str]) -> None:
    (exchange,) = document(capsys, "capture.json")["exchanges"]
    assert (exchange["asked_mode"], exchange["status"]) == ("stream", 200)


@pytest.mark.usefixtures("folder")
def test_the_request_decides_what_it_alone_can(capsys: pytest.CaptureFixture[str]) -> None:
    (exchange,) = document(capsys, "--request", "request.json", "answer.json")["exchanges"]
    assert exchange["asked_mode"] == "stream"
    assert "json-body-on-stream-request" in {f["quirk"] for f in exchange["findings"]}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["clean.sse"], 0),
        (["clean.sse", "answer.json"], 0),
        (["no-index.sse", "clean.sse"], 1),
        (["empty-ids.sse"], 0),
        (["--strict", "empty-ids.sse"], 1),
        (["--strict", "clean.sse"], 0),
        (["notes.txt"], 4),
        (["no-index.sse", "notes.txt"], 4),
        (["none.sse"], 4),
        ([], 4),
        (["--request", "none.json", "clean.sse"], 4),
        (["--request", "notes.txt", "clean.sse"], 4),
        (["--format", "yaml", "clean.sse"], 4),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_exit_codes(args: list[str], code: int, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", f"--format={form}", *args]) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_an_unreadable_file_does_not_lose_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    code = call(["inspect", "--format", "json", "clean.sse", "notes.txt", "none.sse", "answer.json"])
    out, err = capsys.readouterr()
    assert code == 4
    assert [e["source"] for e in json.loads(out)["exchanges"]] == ["clean.sse#0", "answer.json#0"]
    assert [line.split(":")[0] for line in err.splitlines()] == ["notes.txt", "none.sse"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(STREAM)))
    (exchange,) = document(capsys, "-")["exchanges"]
    assert exchange["source"] == "-#0"


@pytest.mark.usefixtures("folder")
def test_people_read_calls_expected_actual_where_and_guard(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", "no-index.sse"]) == 1
    out = capsys.readouterr().out
    assert "no-index.sse#0" in out
    assert "call 0: 'get_weather' id 'call_a1', usable" in out
    assert re.search(
        r"must index-missing: .*\n\s+expected +\S.*\n\s+actual +\S.*\n"
        r"\s+where +event 0, byte 0, /choices/0/delta/tool_calls/0\n\s+source +\S.*\n\s+guard +\S",
        out,
    )
    assert "\x1b" not in out  # no terminal, no colours


@pytest.mark.usefixtures("folder")
def test_people_are_told_when_nothing_deviates(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", "clean.sse"]) == 0
    assert "nothing deviates" in capsys.readouterr().out


def test_terminal_codes_of_a_provider_are_shown_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evil.sse"
    path.write_bytes(NO_INDEX.replace(b"get_weather", b"\\u001b[2Jx").replace(b"call_", b"\\u0007"))
    call(["inspect", str(path)])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\\x1b[2Jx" in out


@pytest.mark.usefixtures("folder")
def test_colours_follow_the_environment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    call(["inspect", "no-index.sse"])
    assert "\x1b[1;31mmust" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    call(["inspect", "no-index.sse"])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('"\\ud83d"', "\ufffd"),
        ("NaN", None),
        ("9" * 300, int("9" * 300)),
        ("-1.5e300", -1.5e300),
        ('{"a":[true,"ä"]}', {"a": [True, "ä"]}),
    ],
)
def test_values_that_json_writers_refuse(
    text: str, shown: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(f'{{"error":{{"message":"x","value":{text}}}}}')
    (exchange,) = document(capsys, str(path))["exchanges"]
    assert exchange["error"]["value"] == shown


def test_values_nested_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deep.json"
    for depth in (300, 800, 100_000):
        path.write_text('{"error":{"message":"x","value":' + "[" * depth + "]" * depth + "}}")
        assert len(document(capsys, str(path))["exchanges"]) == 1


def test_bytes_that_are_no_text_come_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b'data: {"choices":[{"index":0,"delta":{"content":"\xff"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    capture = {**CAPTURE, "response_body": None, "response_body_base64": base64.b64encode(body).decode()}
    path = tmp_path / "capture.json"
    path.write_text(json.dumps(capture))
    (exchange,) = document(capsys, str(path))["exchanges"]
    assert exchange["content"] == "\ufffd"


def test_many_files_are_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for number in range(300):
        chunks = [{**c, "id": f"chatcmpl-{number}"} for c in CHUNKS]
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_text("\n".join(map(json.dumps, chunks)))
    found = document(capsys, *map(str, paths))["exchanges"]
    assert [e["source"] for e in found] == [f"{path}#0" for path in paths]

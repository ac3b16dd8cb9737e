"""The accumulators of the reference documents, as they are run: lines in, lines out, answers over a real connection."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conformance
from conformance.clients.shared.described.arguments import repaired
from conformance.clients.shared.described.async_openai import decode
from conformance.clients.shared.described.chunks import data_of
from conformance.faults import find
from conformance.faults.honest import answer
from conformance.faults.server import FaultServer
from conformance.run.selftest import request_for

CLIENTS = Path(conformance.__file__).parent / "clients"
ALL = ("reference-python", "reference-rust", "reference-rust-overwrite", "syntic-example")


@contextmanager
def adapter(name: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, str(CLIENTS / name / "adapter.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        hello = json.loads(process.stdout.readline())
        assert hello["name"] == name
        assert hello["modes"] == ["stream"]
        yield process
        assert process.stdin
        process.stdin.close()
        assert process.wait(10) == 0


def ask(process: subprocess.Popen[str], base_url: str, fault: str) -> Any:
    case = {
        "case": fault,
        "base_url": base_url,
        "api_key": "made-up",
        "mode": "stream",
        "timeout": 10,
        "request": request_for(find(fault), "stream"),
    }
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(case) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def outcome_of(name: str, fault: str) -> Any:
    with FaultServer() as server, adapter(name) as process:
        return ask(process, server.url_of(find(fault)), fault)


def values(outcome: Any) -> list[tuple[Any, Any, Any]]:
    """The calls with their arguments parsed, whether they are handed over as text or not."""
    return [
        (c["id"], c["name"], json.loads(c["arguments"]) if isinstance(c["arguments"], str) else c["arguments"])
        for c in outcome["calls"]
    ]


def meant(fault: str) -> list[tuple[Any, Any, Any]]:
    return [(c.id, c.name, json.loads(c.arguments)) for c in answer(request_for(find(fault), "stream")).calls]


@pytest.mark.parametrize("name", ALL)
def test_honest_answers_and_failed_ones(name: str) -> None:
    with FaultServer() as server, adapter(name) as process:
        for fault in ("clean-one", "clean-two", "interleaved", "clean-text", "crlf", "byte-order-mark", "comments"):
            outcome = ask(process, server.url_of(find(fault)), fault)
            assert outcome["error"] is None
            assert values(outcome) == meant(fault), fault
            assert not outcome["invalid"]
        for fault in ("error-mid-stream", "cut", "event-not-json", "server-error"):
            outcome = ask(process, server.url_of(find(fault)), fault)
            assert outcome["error"], fault
            assert not outcome["calls"]


def test_an_empty_name_later_overwrites_in_one_of_them_only() -> None:
    [(call_id, _, arguments)] = meant("later-name-empty")
    for name in ALL:
        expected = "" if name == "reference-rust-overwrite" else "get_weather"
        assert values(outcome_of(name, "later-name-empty")) == [(call_id, expected, arguments)]


def test_an_empty_id_later_overwrites_in_one_of_them_only() -> None:
    [(call_id, called, arguments)] = meant("id-empty-later")
    for name in ALL:
        expected = "" if name == "reference-rust-overwrite" else call_id
        assert values(outcome_of(name, "id-empty-later")) == [(expected, called, arguments)]


def test_types_reject_an_entry_without_index() -> None:
    outcome = outcome_of("reference-rust", "index-missing")
    assert outcome["calls"] == []
    assert outcome["error"]["type"] == "Rejected"
    assert outcome["error"]["message"] == "chunk.choices[0].delta.tool_calls[0]: missing field index"


def test_two_calls_without_index_are_one_and_its_arguments_are_mended_away() -> None:
    [_, (second, _, _)] = meant("index-missing-two")
    assert values(outcome_of("reference-python", "index-missing-two")) == [(second, "get_weather", {})]


def test_truncated_arguments() -> None:
    [(call_id, _, _)] = meant("arguments-truncated")
    assert values(outcome_of("reference-python", "arguments-truncated")) == [(call_id, "get_weather", {})]
    refused = outcome_of("syntic-example", "arguments-truncated")
    assert refused["calls"] == []
    assert [call["id"] for call in refused["invalid"]] == [call_id]


def test_the_example_runs_nothing_unless_the_finish_reason_says_so() -> None:
    assert outcome_of("syntic-example", "finish-stop")["calls"] == []
    assert values(outcome_of("reference-python", "finish-stop")) == meant("finish-stop")


def test_the_example_adds_names_up() -> None:
    [(_, called, _)] = values(outcome_of("syntic-example", "name-repeated"))
    assert called.startswith("get_weatherget_weather")


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ('{"city": "Paris"}', '{"city": "Paris"}'),
        ('{"city": "Paris"', '{"city": "Paris"}'),
        ('{"cities": ["Paris"', "{}"),  # braces are closed before brackets, as it is described
        ("[1, 2", "[1, 2]"),
        ('{"city": "Par', "{}"),
        ("", "{}"),
    ],
)
def test_repair(text: str, mended: str) -> None:
    assert repaired(text) == mended


@given(st.text(alphabet='{}[]":,a1 ') | st.text())
def test_what_is_repaired_parses(text: str) -> None:
    json.loads(repaired(text))


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), min_size=1))
def test_events_do_not_depend_on_line_ends(texts: list[str]) -> None:
    said = [text for text in texts if text != "[DONE]"]
    for end in ("\n", "\r", "\r\n"):
        stream = "".join(f"data: {text}{end}{end}" for text in said) + f"data: [DONE]{end}{end}data: later{end}{end}"
        assert list(data_of(stream)) == said


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
KEYS = ("id", "object", "created", "model", "choices", "index", "delta", "tool_calls", "function", "finish_reason")


@given(st.recursive(VALUES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner)))
def test_a_chunk_fits_its_type_or_is_rejected(value: Any) -> None:
    try:
        chunk = decode(json.dumps(value))
    except ValueError:
        return
    assert isinstance(chunk.choices, list)


def test_a_chunk_that_fits() -> None:
    entry = {"index": 0, "function": {"arguments": "{}"}, "extra": [1]}
    choice = {"index": 0, "delta": {"tool_calls": [entry]}, "finish_reason": None, "logprobs": None}
    envelope = {"id": "a", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunk = decode(json.dumps({**envelope, "choices": [choice]}))
    [read] = chunk.choices[0].delta.tool_calls
    assert (read.index, read.id, read.function.name, read.function.arguments) == (0, None, None, "{}")
    assert chunk.usage is None


@pytest.mark.parametrize("number", ["-1", "0.5", '"0"', "null", "true", "4294967296"])
def test_an_index_is_a_u32(number: str) -> None:
    envelope = '"id": "a", "object": "o", "created": 1, "model": "m"'
    with pytest.raises(ValueError, match=r"^chunk\.choices\[0\]\.index: a u32 is expected$"):
        decode(f'{{{envelope}, "choices": [{{"index": {number}, "delta": {{}}}}]}}')

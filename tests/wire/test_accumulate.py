"""The accumulator as an agent uses it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from openai.types.chat import ChatCompletionChunk

from conformance import Accumulator, ArgumentsPiece, Text, ToolNamed, repair_arguments, tool_message
from tests.wire.helpers import chunk, entries, entry

REQUEST = {"tools": [{"type": "function", "function": {"name": "get_weather"}}]}
CHUNKS = [
    chunk({"role": "assistant", "content": "Let me look."}),
    entries(entry(0, "call_1", "get_weather", "", type="function")),
    entries(entry(0, "", "", '{"city":')),
    entries(entry(0, arguments='"Paris"}')),
    chunk({}, "tool_calls"),
]


def fed(chunks: Sequence[object], request: Mapping[str, object] | None = None) -> Accumulator:
    turn = Accumulator(request)
    for one in chunks:
        turn.feed(one)
    return turn


def test_events_on_the_way() -> None:
    turn = Accumulator(REQUEST)
    events = [event for one in CHUNKS for event in turn.feed(one)]
    assert events == [
        Text(0, "Let me look."),
        ToolNamed(0, 0, "get_weather", "call_1"),
        ArgumentsPiece(0, 0, '{"city":'),
        ArgumentsPiece(0, 0, '"Paris"}'),
    ]


def test_the_message_goes_back_as_it_came() -> None:
    result = fed([*CHUNKS], REQUEST).finish()
    assert result.complete
    assert result.finish_reason == "tool_calls"
    assert result.message == {
        "role": "assistant",
        "content": "Let me look.",
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Paris"}'}}
        ],
    }
    assert tool_message(result.calls[0], "mild") == {"role": "tool", "tool_call_id": "call_1", "content": "mild"}


def test_sdk_objects_and_dicts_come_to_the_same() -> None:
    objects = [ChatCompletionChunk.model_validate(one) for one in CHUNKS]
    assert fed(objects).finish().message == fed(CHUNKS).finish().message


def test_an_id_that_never_came_is_empty_on_both_sides() -> None:
    result = fed([entries(entry(0, None, "f", "{}")), chunk({}, "tool_calls")]).finish()
    assert result.message["tool_calls"][0]["id"] == ""
    assert tool_message(result.calls[0], "ok")["tool_call_id"] == ""


@pytest.mark.parametrize("call_id", [" call 1 ", "ä:.", "x" * 300, "call_1\n", "0"])
def test_ids_are_kept_byte_for_byte(call_id: str) -> None:
    result = fed([entries(entry(0, call_id, "f", "{}")), chunk({}, "tool_calls")]).finish()
    assert result.message["tool_calls"][0]["id"] == call_id
    assert tool_message(result.calls[0], "ok")["tool_call_id"] == call_id


def test_content_is_null_where_only_null_came() -> None:
    result = fed([entries(entry(0, "x", "f", "{}"), role="assistant", content=None), chunk({}, "tool_calls")]).finish()
    assert result.message["content"] is None
    assert result.content is None


def test_unknown_fields_go_back() -> None:
    signed = entry(0, "x", "f", "{}", extra_content={"google": {"thought_signature": "c2ln"}})
    result = fed([entries(signed, reasoning_content="hm"), chunk({}, "tool_calls")]).finish()
    assert result.message["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "c2ln"}}
    assert result.message["reasoning_content"] == "hm"


def test_a_stream_that_runs_out_is_not_complete() -> None:
    # reference document 000 §2 takes an exhausted stream for an end, 001 says to ask again: the safe reading is taken
    turn = fed([*CHUNKS[:-1]])
    assert not turn.finish().complete
    assert not turn.finish().calls[0].usable
    turn.feed("[DONE]")
    assert turn.finish().complete


def test_an_interrupted_or_failed_stream_is_not_complete() -> None:
    cut = fed([*CHUNKS])
    cut.interrupted()
    assert not cut.finish().complete
    failed = fed([*CHUNKS, {"error": {"message": "boom"}}]).finish()
    assert not failed.complete
    assert failed.error == {"message": "boom"}


def test_a_name_that_was_not_offered_is_not_usable() -> None:
    result = fed([entries(entry(0, "x", "other", "{}")), chunk({}, "tool_calls")], REQUEST).finish()
    assert not result.calls[0].usable


def test_choices_are_kept_apart_where_several_were_asked_for() -> None:
    second = chunk({"tool_calls": [entry(0, "y", "get_weather", "{}")]}, "tool_calls")
    second["choices"][0]["index"] = 1
    turn = fed([entries(entry(0, "x", "get_weather", "{}")), second, chunk({}, "tool_calls")], {**REQUEST, "n": 2})
    assert [turn.finish(n).calls[0].id for n in (0, 1)] == ["x", "y"]


def test_a_legacy_call_is_answered_by_a_function_message() -> None:
    turn = fed([chunk({"function_call": {"name": "f", "arguments": "{}"}}), chunk({}, "function_call")])
    result = turn.finish()
    assert result.message["function_call"] == {"name": "f", "arguments": "{}"}
    assert tool_message(result.calls[0], "ok") == {"role": "function", "name": "f", "content": "ok"}


def test_what_is_no_chunk_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match="a chunk is a mapping or an openai SDK object, not int"):
        Accumulator().feed(17)


def test_the_standard_library_is_all_it_needs() -> None:
    script = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] not in {*sys.stdlib_module_names, 'conformance'}:\n"
        "            raise ImportError(name + ' is blocked')\n"
        "sys.meta_path.insert(0, Block())\n"
        "from conformance import Accumulator, repair_arguments\n"
        "turn = Accumulator()\n"
        "turn.feed({'choices': [{'delta': {'tool_calls': [{'index': 0, 'id': 'x', 'function': "
        "{'name': 'f', 'arguments': '{}'}}]}, 'finish_reason': 'tool_calls'}]})\n"
        "print(turn.finish().calls[0].id)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-S", "-c", script], cwd=root, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("x", "")


@pytest.mark.parametrize(
    ("text", "method", "repaired"),
    [
        ('{"a":1}', "valid", '{"a":1}'),
        ('{"a":[1,{"b":2', "closed", '{"a":[1,{"b":2}]}'),
        ('{"a":"te', "closed", '{"a":"te"}'),
        ('{"a":1,', "trimmed", '{"a":1}'),
        ('{"a":1,"b', "trimmed", '{"a":1}'),
        ('{"a":1,"b":', "trimmed", '{"a":1}'),
        ('{"a":1,"b":tru', "trimmed", '{"a":1}'),
        ("{", "closed", "{}"),
        ("", "emptied", "{}"),
        ("nonsense", "emptied", "{}"),
        ('{"a":NaN}', "trimmed", "{}"),
        ("[1", "emptied", "{}"),
    ],
)
def test_repair_for_the_history(text: str, method: str, repaired: str) -> None:
    found = repair_arguments(text)
    assert (found.method, found.text) == (method, repaired)
    if method != "valid":
        assert text[: len(text) - len(found.removed)] + found.added == found.text or method == "emptied"


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ('{"a":1}', '{"a":1}'),
        ('{"a":{"b":1', '{"a":{"b":1}}'),
        ('{"a":"te', "{}"),  # the document's steps do not look into strings
        ('{"a":[1', "{}"),  # … and close braces before brackets
        ('{"a":1,', "{}"),
    ],
)
def test_the_documents_own_steps(text: str, repaired: str) -> None:
    assert repair_arguments(text, exact=True).text == repaired

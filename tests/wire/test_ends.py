"""A call that the answer's end may have cut is not run: the finish reason says so, whatever its arguments look like."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance import Accumulator
from conformance.quirks import judge
from conformance.wire.transcript import Transcript
from tests.wire.helpers import chunk, entries, entry, offering, sse, transcript

CUTS = ["length", "content_filter", "max_tokens", "MAX_TOKENS", "model_length"]
ENDS = ["tool_calls", "stop", "function_call"]
BLANKS: list[Any] = ["", None, ...]


def whole(*said: dict[str, Any], finish: str) -> Transcript:
    message = {"role": "assistant", "content": None, "tool_calls": list(said)}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return transcript(json.dumps(body).encode(), asked="complete")


def streamed(*parts: dict[str, Any], finish: str) -> Transcript:
    """The stream read; an accumulator that is fed the same comes to the same."""
    chunks = [*(entries(part) for part in parts), chunk({}, finish)]
    t = transcript(sse(*chunks))
    turn = Accumulator()
    for one in chunks:
        turn.feed(one)
    assert [c.unusable_because for c in turn.finish().calls] == [c.unusable_because for c in t.calls]
    return t


def why(t: Transcript) -> list[list[str]]:
    return [c.unusable_because for c in t.calls]


def about_arguments(t: Transcript) -> list[tuple[str, str, int | None]]:
    return [(f.quirk, f.level, f.call) for f in judge(t).findings if f.quirk.startswith("arguments-")]


@pytest.mark.parametrize("finish", CUTS)
@pytest.mark.parametrize("blank", BLANKS)
def test_a_call_without_argument_text_may_have_been_cut(finish: str, blank: Any) -> None:
    told = [("arguments-truncated-by-length", "info", 0)]
    for t in (whole(entry(..., "x", "f", blank), finish=finish), streamed(entry(0, "x", "f", blank), finish=finish)):
        assert why(t) == [["truncated"]]
        assert about_arguments(t) == told


@pytest.mark.parametrize("finish", ENDS)
@pytest.mark.parametrize("blank", BLANKS)
def test_a_call_without_arguments_is_run_where_nothing_was_cut(finish: str, blank: Any) -> None:
    assert why(whole(entry(..., "x", "f", blank), finish=finish)) == [[]]
    assert why(streamed(entry(0, "x", "f", blank), finish=finish)) == [[]]


def test_empty_pieces_are_no_argument_text() -> None:
    t = streamed(entry(0, "x", "f", ""), entry(0, arguments=""), entry(0, arguments=None), finish="length")
    assert why(t) == [["truncated"]]


def test_the_empty_object_of_an_opening_delta_is_nothing_yet() -> None:
    assert why(streamed(entry(0, "x", "f", {}), finish="length")) == [["truncated"]]
    assert why(whole(entry(..., "x", "f", {}), finish="length")) == [[]]


@pytest.mark.parametrize("finish", CUTS)
def test_arguments_that_came_whole_are_run(finish: str) -> None:
    assert why(streamed(entry(0, "x", "f", '{"a":1}'), finish=finish)) == [[]]
    assert why(whole(entry(..., "x", "f", "{}"), finish=finish)) == [[]]


def test_text_that_breaks_off_is_legal_where_the_reason_says_so() -> None:
    for finish in CUTS:
        t = streamed(entry(0, "x", "f", '{"a'), entry(0, arguments='":'), finish=finish)
        assert why(t) == [["arguments"]]
        assert about_arguments(t) == [("arguments-truncated-by-length", "info", 0)]


def test_in_a_stream_a_call_is_over_when_the_next_one_opens() -> None:
    t = streamed(entry(0, "x", "f", ""), entry(1, "y", "g", ""), finish="length")
    assert why(t) == [[], ["truncated"]]
    assert about_arguments(t) == [("arguments-empty", "should", 0), ("arguments-truncated-by-length", "info", 1)]


def test_the_last_opened_call_counts_not_the_last_by_index() -> None:
    t = streamed(entry(1, "y", "g", ""), entry(0, "x", "f", ""), finish="length")
    assert [(c.id, c.usable) for c in t.calls] == [("x", False), ("y", True)]


def test_where_calls_are_mixed_any_of_them_may_have_been_cut() -> None:
    t = streamed(
        entry(0, "x", "f", ""),
        entry(1, "y", "g", ""),
        entry(2, "z", "h", ""),
        entry(1, arguments='{"a":1}'),
        finish="length",
    )
    assert why(t) == [["truncated"], [], ["truncated"]]


def test_in_a_whole_answer_any_call_may_have_been_cut() -> None:
    t = whole(entry(..., "x", "f", ""), entry(..., "y", "g", "{}"), entry(..., "z", "h", ""), finish="length")
    assert why(t) == [["truncated"], [], ["truncated"]]


def test_free_text_has_no_end_of_its_own() -> None:
    first, last = ({"id": i, "type": "custom", "custom": {"name": "run", "input": "ls -l"}} for i in "xy")
    assert why(whole(first, last, finish="length")) == [[], ["truncated"]]
    assert why(whole(first, last, finish="tool_calls")) == [[], []]


def test_a_legacy_call_is_held_to_the_same() -> None:
    said = chunk({"function_call": {"name": "f", "arguments": ""}})
    assert why(transcript(sse(said, chunk({}, "length")))) == [["truncated"]]
    assert why(transcript(sse(said, chunk({}, "function_call")))) == [[]]


FAILURES = ["error", "abort", "aborted", "cancelled", "network_error", "insufficient_system_resource", "ERROR"]


@pytest.mark.parametrize("finish", FAILURES)
def test_nothing_of_an_answer_that_says_it_failed_is_run(finish: str) -> None:
    call = '{"a":1}'
    for t in (whole(entry(..., "x", "f", call), finish=finish), streamed(entry(0, "x", "f", call), finish=finish)):
        assert not t.complete
        assert not t.cut
        assert why(t) == [["incomplete"]]
        assert {f.quirk for f in judge(t).findings if f.level != "info"} >= {"finish-unknown"}


def test_text_that_breaks_off_in_an_answer_that_failed_is_no_fault_of_its_own() -> None:
    t = streamed(entry(0, "x", "f", '{"a'), entry(0, arguments='":'), finish="error")
    assert about_arguments(t) == []


def test_one_choice_that_failed_makes_the_answer_incomplete() -> None:
    first = chunk({"tool_calls": [entry(0, "x", "f", "{}")]}, "tool_calls")
    second = chunk({"tool_calls": [entry(0, "y", "f", "{}")]}, "error")
    second["choices"][0]["index"] = 1
    t = transcript(sse(first, second), request=offering("f", n=2))
    assert not t.complete
    assert why(t) == [["incomplete"], ["incomplete"]]


@pytest.mark.parametrize("finish", ["eos", "tool_use", "end_turn", "COMPLETE"])
def test_an_unknown_word_for_a_good_end_stays_one(finish: str) -> None:
    t = streamed(entry(0, "x", "f", "{}"), finish=finish)
    assert t.complete
    assert why(t) == [[]]

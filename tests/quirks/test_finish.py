"""The finish reason against what else the answer says about its end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.quirks import judge
from tests.wire.helpers import chunk, entries, entry, offering, sse, transcript

CUT, WHOLE = '{"city":"Par', '{"city":"Paris"}'


def found(
    arguments: Any, finish: str, *, used: int = 0, native: str = "", limits: dict[str, Any] | None = None
) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Level and layer of what is said about the end and the arguments, and why the call is not usable."""
    opening, last = entries(entry(0, "x", "f", arguments, type="function"), role="assistant"), chunk({}, finish)
    if native:
        last["choices"][0]["native_finish_reason"] = native
    if used:
        last["usage"] = {"prompt_tokens": 1, "completion_tokens": used, "total_tokens": used + 1}
    t = transcript(sse(opening, last), request=offering("f", **(limits or {})))
    told: dict[str, tuple[str, str]] = {
        f.quirk: (f.level, f.layer)
        for f in judge(t).findings
        if f.quirk.startswith(("finish-", "arguments-")) and f.quirk != "arguments-in-one-piece"
    }
    return told, t.calls[0].unusable_because


LEGAL = {"arguments-truncated-by-length": ("info", "server")}
SERVERS = {"finish-not-length": ("must", "server"), **LEGAL}
GATEWAYS = {"finish-not-length": ("must", "gateway"), **LEGAL}


@pytest.mark.parametrize("finish", ["tool_calls", "stop"])
@pytest.mark.parametrize("native", ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"])
def test_a_gateway_that_knows_of_the_limit_has_to_say_so(finish: str, native: str) -> None:
    assert found(CUT, finish, native=native) == (GATEWAYS, ["arguments"])
    assert found("", finish, native=native) == (GATEWAYS, ["truncated"])
    assert found(WHOLE, finish, native=native) == ({"finish-not-length": ("must", "gateway")}, [])


@pytest.mark.parametrize("limit", ["max_tokens", "max_completion_tokens"])
@pytest.mark.parametrize("used", [16, 17])
def test_a_token_count_at_the_limit_explains_arguments_that_break_off(limit: str, used: int) -> None:
    told, because = found(CUT, "tool_calls", used=used, limits={limit: 16})
    assert told == SERVERS
    assert because == ["arguments"]


def test_below_the_limit_it_is_the_arguments_that_are_wrong() -> None:
    several: list[dict[str, Any]] = [
        {"max_tokens": 16},
        {},
        {"max_tokens": None},
        {"max_tokens": "5"},
        {"max_tokens": True},
    ]
    for limits in several:
        told, _ = found(CUT, "tool_calls", used=15, limits=limits)
        assert told == {"arguments-truncated": ("must", "server")}


def test_of_two_limits_the_lower_one_counts() -> None:
    assert found(CUT, "tool_calls", used=8, limits={"max_tokens": 16, "max_completion_tokens": 8})[0] == SERVERS


def test_a_call_without_arguments_that_ends_right_at_the_limit_is_doubtful() -> None:
    told, because = found("", "tool_calls", used=16, limits={"max_tokens": 16})
    assert told == {"finish-not-length": ("should", "server"), **LEGAL}
    assert because == ["truncated"]


def test_a_count_beyond_the_limit_counts_something_else_too() -> None:
    # reasoning, say: nothing then shows that a call without arguments was cut
    assert found("", "tool_calls", used=40, limits={"max_tokens": 16}) == (
        {"arguments-empty": ("should", "server")},
        [],
    )


def test_whole_arguments_may_end_at_the_limit() -> None:
    assert found(WHOLE, "tool_calls", used=16, limits={"max_tokens": 16}) == ({}, [])


def test_where_the_finish_reason_says_so_all_is_well() -> None:
    assert found(CUT, "length", used=16, native="max_output_tokens", limits={"max_tokens": 16}) == (
        LEGAL,
        ["arguments"],
    )


@pytest.mark.parametrize("native", ["stop", "tool_use", "completed", "STOP", ""])
def test_other_words_of_a_gateway_mean_no_limit(native: str) -> None:
    assert found(WHOLE, "tool_calls", native=native) == ({}, [])


def test_a_text_the_gateway_knows_to_be_cut_is_no_whole_answer() -> None:
    message = {"role": "assistant", "content": "It is mi"}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "native_finish_reason": "MAX_TOKENS"}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    told = judge(transcript(json.dumps(body).encode(), asked="complete")).findings
    assert [(f.quirk, f.level, f.layer) for f in told if f.level != "info"] == [
        ("finish-not-length", "must", "gateway")
    ]


def deviations(body: bytes, asked: str) -> list[str]:
    return [f.quirk for f in judge(transcript(body, asked=asked)).findings if f.quirk.startswith("finish-")]


def test_an_end_that_is_empty_is_one_fault() -> None:
    message = {"role": "assistant", "content": "It is mild."}
    choice = {"index": 0, "message": message, "finish_reason": ""}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    assert deviations(json.dumps(body).encode(), "complete") == ["finish-missing"]
    said = chunk({"role": "assistant", "content": "It is mild."}, "")
    assert deviations(sse(said, chunk({}, "")), "stream") == ["finish-missing"]
    assert deviations(sse(said, chunk({}, "stop")), "stream") == ["finish-empty"]


def test_a_stream_that_was_cut_still_shows_its_empty_reasons() -> None:
    said = chunk({"role": "assistant", "content": "It is"}, "")
    assert deviations(sse(said, said, done=False), "stream") == ["finish-empty"]


def test_messages_count_in_words() -> None:
    def message(*chunks: dict[str, Any], slug: str) -> str:
        (found,) = [f for f in judge(transcript(sse(*chunks))).findings if f.quirk == slug]
        return found.message

    end = chunk({}, "stop")
    nameless = {**chunk({"role": "assistant", "content": "mild"}), "id": ""}
    assert message(nameless, end, slug="chunk-id-missing") == '1 chunk has no id ("")'
    assert message(nameless, nameless, end, slug="chunk-id-missing") == '2 chunks have no id ("")'
    opening = entries(entry(..., "x", "f", "{}", type="function"), role="assistant")
    t = transcript(sse(opening, chunk({}, "tool_calls")))
    (found,) = [f for f in judge(t).findings if f.quirk == "index-missing"]
    assert (found.message, found.actual) == ("call 0 (f): 1 entry has no usable index (absent)", "index absent")
    choice = {"index": 0, "message": {"role": "assistant", "content": "mild"}, "finish_reason": "stop"}
    body = {"object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    told = judge(transcript(json.dumps(body).encode(), asked="complete")).findings
    assert [f.message for f in told if f.quirk == "chunk-id-missing"] == ["the answer has no id (absent)"]

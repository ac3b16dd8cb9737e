"""The three reference documents, rule by rule: each becomes a behaviour of this project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance import Accumulator, repair_arguments, tool_message
from conformance.providers.load import load
from conformance.quirks import judge
from conformance.quirks.common import CLOCK, TOOLS, WEATHER, calls, chunk, complete, entry, events, stream
from conformance.quirks.examples import exchange_of
from conformance.quirks.registry import Example
from conformance.transport import read_cassette
from conformance.wire.asked import asked
from conformance.wire.documented import impact
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

ROOT = Path(__file__).parents[1]
PARIS, TOKYO = '{"city":"Paris"}', '{"city":"Tokyo"}'
ONE = stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, arguments=PARIS)))
TWO = stream(
    calls(entry(0, "call_a1", "get_weather", "")),
    calls(entry(0, arguments=PARIS)),
    calls(entry(1, "call_b2", "get_weather", "")),
    calls(entry(1, arguments=TOKYO)),
)
NO_ID = stream(calls(entry(0, "", "get_weather", PARIS, type="function")))


def transcript(example: Example) -> Transcript:
    return read(exchange_of(example))


def found(example: Example) -> dict[str, str]:
    return {f.quirk: f.level for f in judge(transcript(example)).findings}


def wrong(example: Example) -> set[str]:
    return {e.variant for e in impact(transcript(example)) if e.wrong}


# --- 000 §1: the wire format ---


def test_000_1_the_type_repeated_on_continuations_is_a_legal_variation() -> None:
    again = stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, arguments=PARIS, type="function")))
    assert found(again)["type-repeated"] == "info"


def test_000_1_arguments_absent_on_the_first_delta_is_a_legal_variation() -> None:
    absent = stream(calls(entry(0, "call_a1", "get_weather")), calls(entry(0, arguments=PARIS)))
    assert found(absent)["arguments-absent-on-opening"] == "info"
    assert transcript(absent).calls[0].usable


def test_000_1_arguments_absent_on_a_continuation_change_nothing() -> None:
    absent = stream(calls(entry(0, "call_a1", "get_weather", PARIS)), calls({"index": 0, "function": {}}))
    assert set(found(absent).values()) <= {"info"}
    assert transcript(absent).calls[0].arguments == PARIS


def test_000_1_a_delta_on_the_finish_chunk_is_read() -> None:
    first = chunk(calls(entry(0, "call_a1", "get_weather", ""), role="assistant", content=None))
    late = Example(events(first, chunk(calls(entry(0, arguments=PARIS)), "tool_calls"), "[DONE]"), TOOLS)
    assert found(late)["delta-on-finish-chunk"] == "info"
    assert transcript(late).calls[0].arguments == PARIS


# --- 000 §2: the algorithm ---


def test_000_2_an_exhausted_stream_is_no_end_though_000_takes_it_for_one() -> None:
    # 000 §2 ends at finish_reason or exhaustion; 001 says to retry when `[DONE]` never comes: the safe reading holds
    exhausted = stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish=None, done=False)
    assert not transcript(exhausted).complete
    assert not transcript(exhausted).calls[0].usable
    assert found(exhausted)["connection-cut"] == "must"


def test_000_2_calls_are_sorted_by_index() -> None:
    turned = stream(calls(entry(1, "call_b2", "get_weather", TOKYO)), calls(entry(0, "call_a1", "get_weather", PARIS)))
    assert [c.id for c in transcript(turned).calls] == ["call_a1", "call_b2"]


def test_000_2_the_reference_algorithm_is_right_on_an_honest_stream() -> None:
    assert "reference" not in wrong(ONE) | wrong(TWO)


# --- 000 §4: repair ---


def test_000_4_repair_is_for_the_history_and_never_for_execution() -> None:
    cut = stream(calls(entry(0, "call_a1", "get_weather", '{"city":"Par')))
    call = transcript(cut).calls[0]
    assert not call.usable
    assert call.arguments == '{"city":"Par'
    assert json.loads(repair_arguments(call.arguments).text) == {"city": "Par"}
    assert repair_arguments(call.arguments, exact=True).text == "{}"


# --- 000 §5: the provider table ---


@pytest.mark.parametrize(
    ("provider", "quirk"),
    [
        ("dashscope", "arguments-truncated"),
        ("alibaba-compatible", "id-empty-on-continuation"),
        ("alibaba-compatible", "name-empty-on-continuation"),
        ("ollama", "id-missing"),
    ],
)
def test_000_5_rows_that_deviate_are_expectations(provider: str, quirk: str) -> None:
    expected = {e.quirk for e in load(ROOT / "providers.yaml").providers[provider].expectations}
    assert quirk in expected


@pytest.mark.parametrize("provider", ["openai", "vllm", "llamacpp"])
def test_000_5_rows_that_comply_expect_no_missing_id(provider: str) -> None:
    expected = {e.quirk for e in load(ROOT / "providers.yaml").providers[provider].expectations}
    assert not {q for q in expected if q.startswith(("id-", "name-"))}


def test_000_5_llamacpp_ids_are_not_call_prefixed_in_the_build_that_was_recorded() -> None:
    # the table says "IDs are `call_` prefixed"; llama.cpp as of xllamacpp 2026.10.11549 sends 32 characters without it
    ids = [
        call.id
        for path in sorted((ROOT / "cassettes" / "llamacpp").glob("*.yaml"))
        for exchange in read_cassette(path)
        for call in read(exchange).calls
    ]
    assert len(ids) > 10
    assert not any(i.startswith("call_") for i in ids)
    assert all(len(i) == 32 for i in ids)


@pytest.mark.parametrize("provider", ["llamacpp", "vllm"])
def test_000_5_llamacpp_and_vllm_send_id_and_name(provider: str) -> None:
    for path in sorted((ROOT / "cassettes" / provider).glob("*.yaml")):
        for exchange in read_cassette(path):
            assert all(call.id and call.name for call in read(exchange).calls), path.name


def test_000_5_the_empty_string_trap() -> None:
    trap = stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, "", "", PARIS)))
    assert {"id-empty-on-continuation", "name-empty-on-continuation"} <= set(found(trap))
    assert "overwrite-with-empty" in wrong(trap)
    assert "reference" not in wrong(trap)
    (call,) = transcript(trap).calls
    assert (call.id, call.name, call.arguments) == ("call_a1", "get_weather", PARIS)


# --- 000 §6: types ---


def test_000_6_custom_calls_and_tools() -> None:
    request: dict[str, Any] = {"tools": [{"type": "custom", "custom": {"name": "note"}}]}
    custom = complete(
        {"id": "call_a1", "type": "custom", "custom": {"name": "note", "input": "free text"}}, request=request
    )
    (call,) = transcript(custom).calls
    assert (call.type, call.name, call.arguments, call.usable) == ("custom", "note", "free text", True)
    assert asked(request).tools["note"].type == "custom"
    assert found(custom)["type-custom"] == "info"


def test_000_6_a_refusal_is_told() -> None:
    assert found(complete(finish="stop", refusal="No."))["refusal"] == "info"


def test_000_6_tools_sent_without_a_type_are_understood() -> None:
    assert set(asked({"tools": [{"function": WEATHER["function"]}, CLOCK]}).tools) == {"get_weather", "get_time"}


@pytest.mark.parametrize(
    "example",
    [
        stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="eos"),
        Example(ONE.body.replace('"created":1,', ""), TOOLS),
        complete(entry(..., "call_a1", "get_weather", PARIS, type="tool")),
    ],
)
def test_000_6_a_strictly_typed_client_fails_on_an_unknown_value_or_a_missing_field(example: Example) -> None:
    assert "strict-types" in wrong(example)


# --- 000 §3, §7, §8: the round trip (the history checks have a file of their own) ---


@pytest.mark.parametrize(
    ("variant", "example"),
    [
        ("mint-uuid", NO_ID),
        ("key-by-id", ONE),
        ("content-null-skips", ONE),
        ("id-none", NO_ID),
        ("position-in-chunk", TWO),
        ("choice-index-as-key", TWO),
        ("finish-gated", stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="stop")),
        (
            "append-names",
            stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, ..., "get_weather", PARIS))),
        ),
        (
            "name-required-first",
            stream(calls(entry(0, "call_a1", ..., "")), calls(entry(0, ..., "get_weather", PARIS))),
        ),
        (
            "first-delta-list-kept",
            stream(calls(entry(0, "call_a1", "get_weather", '{"city":'), entry(0, arguments='"Paris"}'))),
        ),
        (
            "default-index-to-zero",
            stream(
                calls(entry(..., "call_a1", "get_weather", PARIS)), calls(entry(..., "call_b2", "get_weather", TOKYO))
            ),
        ),
        (
            "parse-before-end",
            stream(calls(entry(0, "call_a1", "get_weather", "{}")), calls(entry(0, arguments='{"city":"Paris"}'))),
        ),
    ],
)
def test_each_documented_mistake_is_measured(variant: str, example: Example) -> None:
    assert variant in wrong(example)


def test_000_8_an_empty_id_is_empty_on_both_sides() -> None:
    turn = Accumulator()
    turn.feed(chunk(calls(entry(0, "", "get_weather", PARIS)), "tool_calls"))
    result = turn.finish()
    assert result.message["tool_calls"][0]["id"] == tool_message(result.calls[0], "x")["tool_call_id"] == ""


# --- 001 and 003 ---


def test_001_usage_on_the_finish_chunk_is_a_legal_variation() -> None:
    first = chunk(calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None))
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    placed = Example(events(first, chunk({}, "tool_calls", usage=usage), "[DONE]"), TOOLS)
    assert set(found(placed).values()) <= {"info"}
    assert transcript(placed).usage == usage


def test_001_a_stream_error_makes_the_calls_unusable() -> None:
    body = ONE.body.replace("data: [DONE]\n\n", 'event: stream_error\ndata: {"message":"gone"}\n\n')
    failed = transcript(Example(body, TOOLS))
    assert failed.error == {"message": "gone"}
    assert not failed.calls[0].usable


def test_001_text_and_calls_in_one_turn_are_both_kept() -> None:
    both = transcript(stream({"content": "Let me check."}, calls(entry(0, "call_a1", "get_weather", PARIS))))
    assert both.choices[0].content == "Let me check."
    assert both.calls[0].usable


def test_003_the_two_index_fields_are_told_apart() -> None:
    no_choice_index = Example(ONE.body.replace('"choices":[{"index":0,', '"choices":[{'), TOOLS)
    assert "choice-index-missing" in found(no_choice_index)
    assert "index-missing" not in found(no_choice_index)


def test_003_a_missing_finish_reason_is_told() -> None:
    assert found(stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish=None))["finish-missing"] == "must"


def test_003_versions_stand_beside_the_evidence() -> None:
    report = json.loads((ROOT / "reports" / "quirks.json").read_text("utf-8"))
    assert {"openai", "httpx2"} <= set(report["runs"][0]["packages"])

"""Parity: what the server makes of one request in two ways is found, what the model says twice differently is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model import Finding
from conformance.quirks import Example, judge
from conformance.quirks.common import (
    CLOCK,
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    TOKYO,
    WEATHER,
    beside,
    complete,
    entry,
    stream,
)
from conformance.quirks.common import calls as delta
from conformance.quirks.examples import transcript_of
from conformance.quirks.needs import offers

LEAK = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'


def found(streamed: Example, whole: Example) -> dict[str, str]:
    """Parity findings and their levels."""
    return {f.quirk: f.level for f in findings(streamed, whole)}


def findings(streamed: Example, whole: Example) -> list[Finding]:
    verdict = judge(transcript_of(beside(streamed, whole)))
    return [f for f in verdict.findings if f.quirk.startswith("parity-")]


def one(
    call_id: Any = "call_a1", name: Any = "get_weather", arguments: Any = PARIS, **more: Any
) -> tuple[Example, Example]:
    """One call, in a stream and as a whole."""
    fields = {"id": call_id, "name": name, "arguments": arguments, **more}
    return stream(delta(entry(0, **fields))), complete(entry(..., **fields))


@pytest.mark.parametrize(
    ("streamed", "whole"),
    [
        (GOOD_STREAM, complete(entry(..., "call_c3", "get_weather", TOKYO))),
        (GOOD_STREAM, complete(entry(..., "call_c3", "get_time", "{}"))),
        (
            GOOD_STREAM,
            complete(entry(..., "call_c3", "get_weather", TOKYO), entry(..., "call_d4", "get_weather", PARIS)),
        ),
        (GOOD_STREAM, complete(finish="stop", content="It is mild.")),
        (stream({"content": "It is mild."}, finish="stop"), GOOD_COMPLETE),
        (stream({"content": "Let me look.", "tool_calls": [entry(0, "call_e5", "get_weather", PARIS)]}), GOOD_COMPLETE),
        (GOOD_STREAM, complete(entry(..., "call_c3", "get_weather", PARIS), content="Let me look.")),
        (stream(delta(entry(0, "call_e5", "get_weather", '{"cit')), finish="length"), GOOD_COMPLETE),
        (GOOD_STREAM, complete(entry(..., "call_c3", "get_weather", '{"cit'), finish="length")),
        (stream(delta(entry(0, "call_e5", "get_weather", "{'city': 1}"))), GOOD_COMPLETE),
        (stream({"content": "I cannot say."}, finish="content_filter"), GOOD_COMPLETE),
        # a name that was made up, and markup in which the call is not whole, are the model's
        (one(name="get_news")[0], GOOD_COMPLETE),
        (stream({"content": '<tool_call>{"name": "get_weather", "argum</tool_call>'}, finish="stop"), GOOD_COMPLETE),
        (stream({"content": '{"name": "get_weather", "arguments": {}}'}, finish="stop"), GOOD_COMPLETE),
        (stream({"content": LEAK.replace("weather", "news")}, finish="stop"), GOOD_COMPLETE),
        # encoded twice, and another value: the model wrote a string where it writes an object otherwise
        (one(arguments=json.dumps(TOKYO))[0], GOOD_COMPLETE),
        (one("call_7e0ec97656ca")[0], one("call_bdn3na0xq1")[1]),
    ],
)
def test_what_is_the_models_is_no_finding(streamed: Example, whole: Example) -> None:
    assert found(streamed, whole) == {}


@pytest.mark.parametrize(
    ("streamed", "whole", "slug", "level"),
    [
        (stream({"content": LEAK}, finish="stop"), GOOD_COMPLETE, "parity-call-lost", "must"),
        (
            stream({"reasoning_content": LEAK, "content": "So."}, finish="stop"),
            GOOD_COMPLETE,
            "parity-call-lost",
            "must",
        ),
        (
            stream(
                {"content": "<tool_call><function=get_weather><parameter=city>Paris</parameter></function>"},
                finish="stop",
            ),
            GOOD_COMPLETE,
            "parity-call-lost",
            "must",
        ),
        (stream({"content": "Let me look."}), GOOD_COMPLETE, "parity-call-lost", "must"),
        (GOOD_STREAM, complete(content="Let me look."), "parity-call-lost", "must"),
        (one(name="functions.get_weather")[0], GOOD_COMPLETE, "parity-name", "should"),
        (GOOD_STREAM, one(name="get_weatherget_weather")[1], "parity-name", "should"),
        (one("", type="function")[0], GOOD_COMPLETE, "parity-id-form", "should"),
        (one(None, type="function")[0], GOOD_COMPLETE, "parity-id-form", "should"),
        (one("chatcmpl-tool-7e0ec97656ca")[0], GOOD_COMPLETE, "parity-id-form", "info"),
        (one(type=...)[0], GOOD_COMPLETE, "parity-type", "should"),
        (GOOD_STREAM, one(type=...)[1], "parity-type", "should"),
        (one(arguments={"city": "Rome"})[0], GOOD_COMPLETE, "parity-arguments-form", "must"),
        (one(arguments=json.dumps(PARIS))[0], GOOD_COMPLETE, "parity-arguments-form", "must"),
        (
            one(name="get_time", arguments="")[0],
            one(name="get_time", arguments="{}")[1],
            "parity-arguments-form",
            "info",
        ),
        (
            stream(delta(entry(0, "call_e5", "get_weather", TOKYO)), finish="stop"),
            GOOD_COMPLETE,
            "parity-finish-reason",
            "must",
        ),
        (
            GOOD_STREAM,
            complete(entry(..., "call_c3", "get_weather", TOKYO), content=""),
            "parity-content-state",
            "info",
        ),
        (one(extra_content={"s": "c2ln"})[0], GOOD_COMPLETE, "parity-entry-fields", "info"),
    ],
)
def test_what_is_the_wires_is_found(streamed: Example, whole: Example, slug: str, level: str) -> None:
    assert found(streamed, whole) == {slug: level}


def test_the_finding_stands_at_the_call_and_says_both_sides() -> None:
    second = entry(1, "chatcmpl-tool-7e0ec97656ca", "get_weather", TOKYO)
    streamed = stream(delta(entry(0, "call_a1", "get_weather", PARIS)), delta(second))
    whole = complete(entry(..., "call_c3", "get_weather", PARIS), entry(..., "call_d4", "get_weather", PARIS))
    (only,) = findings(streamed, whole)
    assert (only.quirk, only.choice, only.call) == ("parity-id-form", 0, 1)
    assert (only.where.event, only.where.pointer) == (1, "/choices/0/delta/tool_calls/0/id")
    assert only.message == (
        "call 1 (get_weather): its id is `chatcmpl-tool-` and 12 characters, "
        "with `stream: false` `call_` and 2 characters"
    )


def test_without_both_whole_answers_nothing_can_be_shown() -> None:
    cut = stream(delta(entry(0, "", "get_weather", PARIS)), finish=None, done=False)
    error = Example('{"error": {"message": "no"}}')
    for streamed, whole in ((cut, GOOD_COMPLETE), (GOOD_STREAM, error), (GOOD_STREAM, GOOD_STREAM)):
        transcript = transcript_of(beside(streamed, whole))
        assert not [need for need in offers(transcript) if need.startswith("twin")]
        assert not [slug for slug in judge(transcript).applicable if slug.startswith("parity-")]


def test_a_named_function_may_end_either_way() -> None:
    request = {"tool_choice": {"type": "function", "function": {"name": "get_weather"}}}
    streamed = stream(delta(entry(0, "call_a1", "get_weather", PARIS)), finish="stop", request=request)
    assert found(streamed, GOOD_COMPLETE) == {"parity-finish-reason": "info"}


# What one model may say when it is asked twice, by a server that does everything in the same way.
ARGUMENTS = st.one_of(
    st.dictionaries(st.text(max_size=6), st.one_of(st.text(max_size=9), st.integers()), max_size=3).map(json.dumps),
    st.text(max_size=20).filter(bool),
)
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["get_weather", "get_time", "get_news"]),
        ARGUMENTS,
        st.text("0123456789abcdef", min_size=12, max_size=12),
    ),
    max_size=3,
)
SAID = st.tuples(CALLS, st.one_of(st.just(""), st.text("abc <>{}\"'", max_size=20)), st.booleans())


@given(SAID, SAID)
def test_a_server_that_does_all_in_one_way_raises_no_alarm(one: Any, other: Any) -> None:
    entries = [entry(i, f"call_{n}", name, text) for i, (name, text, n) in enumerate(one[0])]
    wholes = [entry(..., f"call_{n}", name, text) for name, text, n in other[0]]
    fitting = {False: "stop", True: "tool_calls"}
    streamed = stream(
        {"content": one[1] or None},
        *(delta(e) for e in entries),
        finish="length" if one[2] else fitting[bool(entries)],
        request={"tools": [WEATHER, CLOCK]},
    )
    whole = complete(*wholes, content=other[1] or None, finish="length" if other[2] else fitting[bool(wholes)])
    loud = {slug: level for slug, level in found(streamed, whole).items() if level != "info"}
    assert loud == {}

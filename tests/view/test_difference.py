"""Two answers compared: what is a fault, what the model may have done, and where it arises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from conformance.faults import FAULTS, Fault
from conformance.faults.respond import respond
from conformance.model import Exchange, Mode
from conformance.quirks import judge
from conformance.run.selftest import request_for
from conformance.view.difference import Comparison, compare
from conformance.view.side import Difference, Side
from conformance.wire.read import read
from tests.wire.helpers import chunk, entries, entry, offering, sse

PARIS = '{"city":"Paris"}'
ASKED = offering("get_weather", "get_time", model="m")


def called(*calls: tuple[str, str], finish: str = "tool_calls", **more: Any) -> bytes:
    """A complete answer with these names and arguments."""
    entries = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": text}}
        for n, (name, text) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, **({"tool_calls": entries} if entries else {}), **more}
    answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return json.dumps({**answer, "choices": [{"index": 0, "message": message, "finish_reason": finish}]}).encode()


def streamed(*deltas: dict[str, Any], finish: Any = "tool_calls", done: bool = True) -> bytes:
    """A stream: the role, a chunk for each delta, the end."""
    return sse(chunk({"role": "assistant", "content": None}), *deltas, chunk({}, finish), done=done)


def opening(arguments: str = "", name: str = "get_weather", index: int = 0, **more: Any) -> dict[str, Any]:
    """The first entry of a call."""
    return entries(entry(index, f"chatcmpl-tool-{index}", name, arguments, type="function", **more))


def piece(text: str, index: int = 0) -> dict[str, Any]:
    """A further entry of a call."""
    return entries(entry(index, arguments=text))


def side(name: str, body: bytes, request: Mapping[str, Any] | None = None, mode: Mode | None = None) -> Side:
    """One of the answers."""
    transcript = read(Exchange(f"{name}#0", body, request=request, asked_mode=mode))
    return Side(name, transcript, judge(transcript))


def compared(a: bytes, b: bytes, **more: Any) -> Comparison:
    """A against B."""
    return compare(side("A", a, **more), side("B", b, **more))


def kinds(found: Comparison) -> list[tuple[str, str]]:
    """Kind and subject of every difference."""
    return [(one.kind, one.what) for one in found.differences]


def of(found: Comparison, what: str) -> Difference:
    """The difference about this."""
    (one,) = [one for one in found.differences if one.what == what]
    return one


HONEST = streamed(opening(), piece('{"city":'), piece('"Paris"}'))


def test_the_same_answer_streamed_and_complete() -> None:
    found = compared(HONEST, called(("get_weather", '{ "city": "Paris" }')))
    assert found.differences == []
    assert found.same == ["ending", "choices", "calls", "finish_reason", "text", "usage", "findings"]
    assert found.caveat == ""


def test_arguments_that_stop() -> None:
    found = compared(streamed(opening(), piece('{"city":'), piece('"Par')), called(("get_weather", PARIS)))
    one = of(found, "call 0 (get_weather) arguments")
    assert one.kind == "fault"
    assert """the arguments of A stop after event 3; B goes on with 'is"}'""" in one.message
    assert (one.places["A"].event, one.places["A"].pointer) == (3, "/choices/0/delta/tool_calls/0")


def test_arguments_that_go_on() -> None:
    body = streamed(opening(PARIS), piece("}"))
    one = of(compared(body, called(("get_weather", PARIS))), "call 0 (get_weather) arguments")
    assert "A goes on where B ends: in event 2 comes '}'" in one.message
    assert one.places["A"].byte == body.index(b"data: ", body.index(b"chatcmpl-tool"))


def test_arguments_that_part() -> None:
    body = streamed(opening('{"city"'), piece(':"Par'), piece('"is"}'))
    one = of(compared(called(("get_weather", PARIS)), body), "call 0 (get_weather) arguments")
    assert """B parts from A in event 3: '"is"}' where A has 'is"}'""" in one.message
    assert one.places.keys() == {"B"}


def test_other_values_may_be_the_models() -> None:
    found = compared(streamed(opening('{"city":"Rome","unit":"c"}')), called(("get_weather", '{"city":"Paris"}')))
    assert kinds(found) == [("answer", "call 0 (get_weather) arguments")]
    changes = [(c.pointer, c.a, c.b) for c in found.differences[0].changes]
    assert changes == [("/city", '"Rome"', '"Paris"'), ("/unit", '"c"', None)]
    assert found.faults == []


def test_arguments_that_came_out_empty_are_lost() -> None:
    found = compared(streamed(opening("{}")), called(("get_weather", PARIS)))
    assert kinds(found) == [("fault", "call 0 (get_weather) arguments")]
    assert "A lost arguments that B has: they are {}" in found.differences[0].message


def test_arguments_that_no_longer_fit_the_schema_are_lost() -> None:
    schema = {"type": "object", "required": ["city"]}
    request = {"messages": [], "tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}]}
    found = compared(streamed(opening('{"unit":"c"}', "f")), called(("f", '{"city":"x","unit":"c"}')), request=request)
    assert of(found, "call 0 (f) arguments").kind == "fault"


def test_a_call_that_only_one_has() -> None:
    a = streamed(opening(PARIS))
    found = compared(a, called(("get_weather", PARIS), ("get_time", "{}")))
    one = of(found, "call 1 (get_time)")
    assert (one.kind, one.places["A"].event) == ("fault", 3)
    assert "only B has this call; A has 1 call and ends with finish_reason 'tool_calls'" in one.message


def test_merged_calls_are_localised() -> None:
    merged = streamed(opening(PARIS), piece('{"zone":"UTC"}'))
    found = compared(merged, called(("get_weather", PARIS), ("get_time", '{"zone":"UTC"}')))
    assert "in event 2 comes" in of(found, "call 0 (get_weather) arguments").message
    assert of(found, "call 1 (get_time)").kind == "fault"


def test_calls_in_another_order_may_be_the_models() -> None:
    a = streamed(opening(PARIS), opening("{}", "get_time", 1))
    assert kinds(compared(a, called(("get_time", "{}"), ("get_weather", PARIS)))) == [("answer", "calls")]


def test_another_name() -> None:
    found = compared(streamed(opening(PARIS, "functions.get_weather")), called(("get_weather", PARIS)))
    assert ("fault", "call 0 (functions.get_weather) name") in kinds(found)


def test_an_id_that_never_comes() -> None:
    body = streamed(entries(entry(0, "", "get_weather", PARIS, type="function")))
    one = of(compared(body, called(("get_weather", PARIS))), "call 0 (get_weather) id")
    assert (one.kind, one.places["A"].event) == ("fault", 1)


def test_a_field_that_has_to_go_back_and_is_lost() -> None:
    found = compared(HONEST, streamed(opening(PARIS, extra_content={"signature": "x"})))
    assert of(found, "call 0 (get_weather) extra").kind == "fault"


def test_a_legacy_call() -> None:
    legacy = streamed(chunk({"function_call": {"name": "get_weather", "arguments": PARIS}}))
    assert of(compared(legacy, HONEST), "call 0 (get_weather) form").kind == "fault"


def test_another_finish_reason_stands_at_its_event() -> None:
    one = of(compared(streamed(opening(PARIS), finish="stop"), HONEST), "finish_reason")
    assert one.message == "A has 'stop', B has 'tool_calls'"
    assert (one.places["A"].event, one.places["B"].event) == (2, 4)


def test_an_answer_that_is_cut() -> None:
    cut = HONEST[: HONEST.index(b'"Paris')]
    one = of(compared(called(("get_weather", PARIS)), cut), "ending")
    assert one.message == "B is cut off after event 3"
    assert one.places["B"].event == 3


def test_an_error_on_one_side() -> None:
    failing = sse(chunk({"role": "assistant"}), {"error": {"message": "no \x1b[2J"}})
    one = of(compared(failing, HONEST), "ending")
    assert (one.kind, one.message, one.places["A"].event) == ("fault", "A ends with an error: 'no \\x1b[2J'", 1)


def test_an_http_error_leaves_nothing_else_to_compare() -> None:
    transcript = read(Exchange("B#0", b"Internal Server Error", 500))
    found = compare(side("A", HONEST), Side("B", transcript, judge(transcript)))
    assert of(found, "ending").message == "B fails with HTTP 500"
    assert not {"calls", "finish_reason", "text"} & {*found.same, *(one.what for one in found.differences)}


def text(content: str) -> bytes:
    """A streamed text."""
    return sse(chunk({"role": "assistant", "content": content}), chunk({}, "stop"))


def test_text_is_sampled() -> None:
    assert kinds(compared(text("Hello"), called(finish="stop", content="Hi"))) == [("answer", "content")]


def test_text_that_is_gone_is_a_fault() -> None:
    assert kinds(compared(text(""), called(finish="stop", content="Hi"))) == [("fault", "content")]


USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


@pytest.mark.parametrize(("options", "kind"), [({}, "note"), ({"stream_options": {"include_usage": True}}, "fault")])
def test_usage_is_missed_where_it_was_asked_for(options: dict[str, Any], kind: str) -> None:
    complete = json.loads(called(("get_weather", PARIS)))
    b = side("B", json.dumps({**complete, "usage": USAGE}).encode(), {**ASKED, "stream": False}, "complete")
    found = compare(side("A", HONEST, {**ASKED, "stream": True, **options}, "stream"), b)
    assert of(found, "usage").kind == kind
    assert found.caveat == ""  # the requests differ in how they are answered only


def test_answers_to_other_requests_come_with_a_caveat() -> None:
    a, b = side("A", HONEST, ASKED), side("B", HONEST, {**ASKED, "temperature": 0})
    assert compare(a, b).caveat == "the requests differ ('/temperature')"


ONE_SIDED = {
    *("signature", "named-stop", "twin-named-stop", "twin-call", "unknown-id-refused", "empty-ids-refused"),
    *("length-before-arguments", "content-filter-before-arguments", "length-in-arguments", "refusal"),
}
"""Legal, and yet a difference that whoever compares two answers wants to be told: one has what the other lacks."""
STREAMED = [fault for fault in FAULTS.values() if "stream" in fault.modes]


@pytest.mark.parametrize("fault", STREAMED, ids=[fault.name for fault in STREAMED])
def test_a_planted_fault_against_the_honest_answer(fault: Fault) -> None:
    request = request_for(fault, "stream")
    a, b = (
        side(name, respond(request, planted).body, request, "stream") for name, planted in (("A", fault), ("B", None))
    )
    found = compare(a, b)
    if fault.legal and fault.name not in ONE_SIDED:
        assert found.faults == []
    # what the request itself gets wrong is no difference between answers to it
    must = {f.quirk for f in a.verdict.findings if f.level == "must" and f.layer != "client"}
    assert must <= {one.what for one in found.faults}
    for one in found.faults:
        for name, where in one.places.items():
            assert where.event is None or 0 <= where.event < {"A": a, "B": b}[name].transcript.events
    assert bool(compare(b, a).faults) == bool(found.faults)

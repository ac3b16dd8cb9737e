"""Lines in, verdict out; every verdict thought out from what a user of the library would be handed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.faults.expected import ANY, Expected, Meant
from conformance.impact.handed import Hands
from conformance.impact.judge import OUTCOMES, SILENT, Seen, judge, worst
from tests.impact.lines import PARIS, TOKYO, call, line, verdict

TOKYO_CALL = call("call_b", arguments='{"city":"Tokyo"}')
NAMELESS = Meant("", "get_weather", {"city": "Paris"})
BROKEN = call(arguments='{"city":"Par')
REPORTED = [{**BROKEN, "why": "Unterminated string"}]


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (line(call(), TOKYO_CALL), "right"),
        (line(call(arguments={"city": "Paris"}), TOKYO_CALL), "right"),
        (line(call(arguments=' { "city" : "Par\\u0069s" } '), TOKYO_CALL), "right"),
        (line(TOKYO_CALL, call()), "right"),
        (line(call()), "dropped"),
        (line(), "dropped"),
        (line(call(), TOKYO_CALL, call("call_c")), "phantom"),
        (line(call(), TOKYO_CALL, call("call_c", None, {})), "phantom"),
        (line(call(), TOKYO_CALL, call("call_c", None, "")), "invalid"),
        (line(call("call_b")), "merged"),
        (line(call(arguments='{"city":"ParisTokyo"}')), "merged"),
        # text that does not parse to an object is found out by whoever reads it, and with it that a call is missing
        (line(call(arguments='{"city":"Paris"}{"city":"Tokyo"}')), "invalid"),
        (line(call(arguments='{"city":"Paris"}{"city":"Tokyo"}'), call("call_b", arguments="")), "invalid"),
        (line(call(arguments='{"city":"Paris"}{"city":"Tokyo"}'), call("call_b", arguments={})), "wrong-arguments"),
        (line(call(), call("call_x", arguments='{"city":"Tokyo"}')), "wrong-id"),
        (line(call(), call(None, arguments='{"city":"Tokyo"}')), "wrong-id"),
        (line(call(), call("", arguments='{"city":"Tokyo"}')), "wrong-id"),
        (line(call(), call("call_b", "get_weatherget_weather", '{"city":"Tokyo"}')), "wrong-name"),
        (line(call(), call("call_b", None, '{"city":"Tokyo"}')), "wrong-name"),
        (line(call(), call("call_b", arguments='{"city":"Tok')), "invalid"),
        (line(call(), call("call_b", arguments='{"city":"Tok'), finish="tool_calls"), "invalid"),
        (line(call(), call("call_b", arguments=["Tokyo"])), "invalid"),
        (line(call(), call("call_b", arguments={})), "wrong-arguments"),
        (line(call(), call("call_b", arguments=json.dumps('{"city":"Tokyo"}'))), "invalid"),
        (line(call(), call("call_b", "get_time", '{"city":"Oslo"}')), "wrong-arguments"),
        (line(call(), invalid=[{**TOKYO_CALL, "why": "no"}]), "invalid"),
        (line(call(), TOKYO_CALL, invalid=REPORTED), "right"),
        (line(error="no index"), "raised"),
        (line(call(), error="no index"), "raised"),
        (line(call(arguments={"city": "Oslo"}), error="later"), "wrong-arguments"),
        (line(BROKEN, error="later"), "raised"),
    ],
)
def test_two_calls_that_are_to_be_run(said: dict[str, Any], outcome: str) -> None:
    assert verdict("run", [PARIS, TOKYO], said).outcome == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (line(call(), finish="tool_calls"), "truncated-run"),
        (line(call()), "truncated-run"),
        (line(call(), finish="other"), "truncated-run"),
        (line(call(), invalid=REPORTED), "truncated-run"),
        (line(call(arguments={"city": "Par"}), finish="length"), "flagged"),
        (line(call(), finish="contentFiltered"), "flagged"),
        (line(call(), finish="error"), "flagged"),
        (line(call(arguments={}), error="cut"), "truncated-run"),
        (line(error="cut"), "right"),
        (line(BROKEN, error="cut"), "right"),
        (line(BROKEN), "right"),
        (line(call(arguments="")), "right"),
        (line(call(arguments='{"city":NaN}')), "right"),
        (line(call(arguments={"city": float("nan")})), "truncated-run"),
        (line(call(arguments=["Paris"])), "right"),
        (line(call(name=None)), "dropped"),
        (line(invalid=REPORTED), "right"),
        (line(finish="length"), "right"),
        (line(finish="tool_calls"), "dropped"),
        (line(), "dropped"),
    ],
)
def test_an_answer_whose_calls_must_not_be_run(said: dict[str, Any], outcome: str) -> None:
    assert verdict("refuse", [], said).outcome == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (line(call()), "right"),
        (line(call(arguments="{'city': 'Paris'}")), "right"),
        (line(call(arguments={"city": "Pa"})), "wrong-arguments"),
        (line(call(arguments={"city": "Pa"}), error="late"), "wrong-arguments"),
        (line(invalid=REPORTED), "right"),
        (line(error="not JSON"), "right"),
        (line(finish="error"), "right"),
        (line(call(arguments={"city": "Pa"}), finish="error"), "wrong-arguments"),
        (line(finish="tool_calls"), "dropped"),
    ],
)
def test_calls_that_may_be_run_or_refused(said: dict[str, Any], outcome: str) -> None:
    assert verdict("either", [PARIS], said).outcome == outcome


def test_who_runs_the_tools_itself_tells_nobody_by_a_finish_reason() -> None:
    said = line(call(), finish="length")
    assert verdict("refuse", [], said, hands=Hands(runs="library")).outcome == "truncated-run"
    assert verdict("refuse", [], line(finish="length"), hands=Hands(runs="library")).outcome == "right"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (line(call()), "right"),
        (line(call("call_other")), "right"),
        (line(call("")), "wrong-id"),
        (line(call(name="get_weather_2")), "right"),
        (line(call(), call("call_b")), "phantom"),
    ],
)
def test_other_calls_may_be_as_right(said: dict[str, Any], outcome: str) -> None:
    other = (Meant(ANY, "get_weather", {"city": "Paris"}),), (Meant(ANY, "get_weather_2", {"city": "Paris"}),)
    assert verdict("either", [PARIS], said, also=other).outcome == outcome


def test_a_call_under_another_id_that_does_no_harm_is_noted() -> None:
    other = ((Meant(ANY, "get_weather", {"city": "Paris"}),),)
    assert verdict("run", [PARIS], line(call("call_new")), also=other).notes == ("id-made-up",)
    assert verdict("run", [PARIS], line(call()), also=other).notes == ()


def test_neither_ids_nor_names_are_judged_where_none_are_handed_over() -> None:
    nothing = line(call(None, None), call(None, None, {"city": "Tokyo"}))
    assert verdict("run", [PARIS, TOKYO], nothing, hands=Hands(ids=False, names=False)).outcome == "right"
    assert verdict("run", [PARIS, TOKYO], nothing, hands=Hands(ids=False)).outcome == "wrong-name"
    assert verdict("run", [PARIS, TOKYO], nothing, hands=Hands(names=False)).outcome == "wrong-id"
    assert verdict("refuse", [], line(call(None, None)), hands=Hands(names=False)).outcome == "truncated-run"


def test_a_value_that_is_no_number_is_the_same_as_itself() -> None:
    meant = Meant("call_a", "get_weather", {"height": float("nan")})
    assert verdict("either", [meant], line(call(arguments={"height": float("nan")}))).outcome == "right"
    assert verdict("either", [meant], line(call(arguments='{"height":NaN}'))).outcome == "right"
    assert verdict("either", [meant], line(call(arguments={"height": 1}))).outcome == "wrong-arguments"


@pytest.mark.parametrize("end", ["stop", "endTurn", "end_turn", "tool-calls", "toolUse", "tool_call", "function_calls"])
def test_a_regular_end_says_nothing_in_whatever_spelling(end: str) -> None:
    assert verdict("refuse", [], line(finish=end)).outcome == "dropped"


@pytest.mark.parametrize(("given", "notes"), [(None, ()), ("", ()), ("call_new", ("id-made-up",))])
def test_an_id_that_never_came_may_be_made_up_and_that_is_noted(given: str | None, notes: tuple[str, ...]) -> None:
    found = verdict("run", [NAMELESS], line(call(given)))
    assert (found.outcome, found.notes) == ("right", notes)


def test_another_order_is_noted() -> None:
    assert verdict("run", [PARIS, TOKYO], line(TOKYO_CALL, call())).notes == ("other-order",)


def test_what_is_reported_as_invalid_beside_all_good_calls_is_noted() -> None:
    nothing = {"id": "call_c", "name": None, "arguments": None, "why": "no function"}
    found = verdict("run", [PARIS], line(call(), invalid=[nothing]))
    assert (found.outcome, found.notes) == ("right", ("invalid-beside",))
    assert verdict("run", [], line(invalid=[{**nothing, "id": None}])).outcome == "invalid"


def test_a_text_has_no_calls() -> None:
    assert verdict("run", [], line(finish="stop")).outcome == "right"
    assert verdict("run", [], line(call())).outcome == "phantom"
    assert verdict("either", [], line(finish="stop")).outcome == "right"


def test_who_does_not_ask_is_not_judged() -> None:
    found = verdict("run", [PARIS], line(error="tools are not supported"), asked=())
    assert (found.outcome, found.detail) == ("not-applicable", "ValueError: tools are not supported")


def test_how_it_asked_is_noted() -> None:
    assert verdict("run", [PARIS], line(call()), asked=("stream", "stream")).notes == ("asked-again",)
    assert verdict("run", [PARIS], line(call()), asked=("complete",)).notes == ("asked-other-mode",)
    assert verdict("run", [PARIS], line(call()), asked=("stream", "further", "further")).notes == ("further-turn",)


def test_a_process_that_ends_or_hangs() -> None:
    run, refuse = Expected((PARIS,), "run"), Expected((), "refuse")
    assert judge(run, "stream", Seen(died="exit code 3")).outcome == "raised"
    assert judge(refuse, "stream", Seen(died="exit code 3")).outcome == "right"
    assert judge(refuse, "stream", Seen(hung=True)).outcome == "hung"


def test_what_a_provider_says_cannot_reach_a_terminal() -> None:
    found = verdict("run", [PARIS], line(call(name="\x1b[31mred\u202e"), finish="\x1b"))
    assert "\x1b" not in found.detail
    assert "\u202e" not in found.detail
    assert "\x1b" not in verdict("refuse", [], line(error="\x1b]0;x\x07")).detail


def test_the_worst_of_several_is_the_most_harmful() -> None:
    assert worst([]) == "not-applicable"
    assert worst(["right", "not-applicable"]) == "right"
    assert worst(["hung", "right", "raised"]) == "hung"
    assert worst(["dropped", "hung", "truncated-run", "right"]) == "truncated-run"
    assert worst(["flagged", "hung", "raised"]) == "flagged"
    assert "flagged" not in SILENT
    assert {"merged", "dropped", "phantom", "wrong-name", "wrong-id", "wrong-arguments", "truncated-run"} == SILENT


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
some_calls = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from(["call_a", "call_b", "", None]) | json_values,
            "name": st.sampled_from(["get_weather", "", None]) | json_values,
            "arguments": st.sampled_from(['{"city":"Paris"}', '{"city":"Tokyo"}', ""]) | json_values,
        }
    ),
    max_size=4,
)
lines = st.builds(
    lambda calls, invalid, finish, error: line(*calls, invalid=invalid, finish=finish, error=error),
    some_calls,
    some_calls,
    st.sampled_from(["tool_calls", "length", "", None]) | json_values,
    st.text(max_size=5),
)


@given(lines, st.sampled_from(["run", "either", "refuse"]), st.sampled_from([[], [PARIS], [PARIS, TOKYO], [NAMELESS]]))
def test_every_line_gets_a_verdict(said: dict[str, Any], duty: Any, meant: list[Meant]) -> None:
    found = verdict(duty, [] if duty == "refuse" else meant, said)
    assert found.outcome in OUTCOMES
    assert found.detail.isprintable()
    assert found == verdict(duty, [] if duty == "refuse" else meant, said)


@given(lines)
def test_whoever_raises_or_hands_over_nothing_runs_nothing_that_is_cut(said: dict[str, Any]) -> None:
    said["calls"] = []
    assert verdict("refuse", [], said).outcome in ("right", "dropped")


@given(st.permutations([call(), TOKYO_CALL]), st.sampled_from(["run", "either"]))
def test_exactly_the_calls_meant_are_right(calls: list[dict[str, Any]], duty: Any) -> None:
    assert verdict(duty, [PARIS, TOKYO], line(*calls)).outcome == "right"

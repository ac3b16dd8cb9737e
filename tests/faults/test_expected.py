"""What clients should end with, checked by rules of thought, and held against our own reading only to cross-check."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from conformance.faults import FAULTS
from conformance.faults.expected import ANY, Meant, expected, stated
from conformance.faults.respond import respond
from conformance.impact.cases import LEFT_OUT, everything
from conformance.impact.values import same
from conformance.model import End, Exchange
from conformance.quirks import catalogue, judge
from conformance.run.selftest import request_for
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

CATALOGUE = everything()
CASES = [*CATALOGUE.cases.values(), *CATALOGUE.controls.values()]
IDS_NOT_SENT = {"id-missing", "id-null", "id-empty", "legacy-function-call", "markup-in-content", "markup-in-reasoning"}
ARGUMENTS_ALTERED = {
    "arguments-double-escaped": rb"\\\\u6771\\\\u4eac",
    "arguments-html-entities": b"Paris &amp; Oslo",
    "arguments-replacement-character": "Par\ufffds".encode(),
}


def _read(case: Any) -> Transcript:
    wire = case.wire
    ended = End("early-end") if wire.cut else End()
    return read(Exchange("t", wire.body, wire.status, wire.headers, case.request, case.mode, ended=ended))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_ids_stand_on_the_wire_as_they_are_expected(case: Any) -> None:
    body = gzip.decompress(case.wire.body) if case.fault == "compressed-undeclared" else case.wire.body
    for call in case.expected.calls:
        if call.id == "":
            assert case.fault in IDS_NOT_SENT
        else:
            forms = (f'"id":"{call.id}"', f'"id": "{call.id}"', f'"id":{call.id},')
            assert any(form.encode() in body for form in forms)


@pytest.mark.parametrize(("name", "sent"), ARGUMENTS_ALTERED.items())
def test_altered_values_stand_on_the_wire_as_they_are_expected(name: str, sent: bytes) -> None:
    request = request_for(FAULTS[name], "complete")
    assert sent in respond(request, FAULTS[name]).body
    (call,) = expected(FAULTS[name], request).calls
    assert sent.decode() in json.dumps(json.dumps(call.arguments, ensure_ascii=False), ensure_ascii=False)


def test_no_fault_by_which_a_call_must_not_be_run_asks_for_it() -> None:
    for fault in FAULTS.values():
        if fault.left == "unusable" and stated(fault):
            assert expected(fault, request_for(fault, fault.modes[0])).duty != "run", fault.name


def test_where_all_calls_are_left_they_are_to_be_run() -> None:
    # no call is there, or ids do not tell calls apart; to complain is right
    loosely = {"empty-turn", "finish-tool-calls-without-calls", "refusal", "content-array"}
    loosely |= {"id-duplicate", "id-of-an-earlier-turn"}
    for case in CATALOGUE.cases.values():
        if FAULTS[case.fault].left == "all" and case.fault not in loosely:
            assert case.expected.duty == "run", case.name


def test_nothing_is_right_to_be_run_where_an_answer_is_to_be_refused() -> None:
    for case in CATALOGUE.cases.values():
        assert not (case.expected.duty == "refuse" and case.expected.calls), case.name


def _also(name: str) -> list[tuple[str, str, Any]]:
    found = expected(FAULTS[name], request_for(FAULTS[name], "stream"))
    other = found.also[0]
    return [(call.id, call.name, call.arguments) for call in other]


def test_what_is_plainly_meant_is_right_as_well() -> None:
    paris, tokyo = {"city": "Paris"}, {"city": "Tokyo"}
    assert _also("id-duplicate") == [(ANY, "get_weather", paris), (ANY, "get_weather", tokyo)]
    assert _also("id-of-an-earlier-turn") == [(ANY, "get_weather", paris)]
    for name, arguments in (
        ("name-prefixed", paris),
        ("call-announced-twice", paris),
        ("arguments-html-entities", {"city": "Paris & Oslo"}),
        ("arguments-double-escaped", {"city": "東京"}),
        ("arguments-invalid-escape", {"city": "D:qParis"}),
        ("arguments-nan", {"city": "Paris", "height": None}),
    ):
        ((_, tool, value),) = _also(name)
        assert (tool, value) == ("get_weather", arguments)


def test_who_loses_one_of_two_honest_calls_is_not_judged_where_a_call_comes_twice() -> None:
    assert CATALOGUE.cases["call-announced-twice.stream"].control == "honest-two.stream"


def test_an_unstated_fault_is_refused() -> None:
    fault = FAULTS["rejects-content-null"]
    assert not stated(fault)
    with pytest.raises(ValueError, match="not stated"):
        expected(fault, request_for(fault, "complete"))


def test_an_answer_that_is_not_changed_is_not_a_case() -> None:
    for case in CATALOGUE.cases.values():
        assert case.wire != CATALOGUE.controls[case.control].wire


def test_every_fault_that_no_client_is_asked_about_is_left_out_for_a_reason() -> None:
    areas = {quirk.slug: quirk.area for quirk in catalogue()}
    asked = {case.fault for case in CATALOGUE.cases.values()}
    for fault in FAULTS.values():
        if fault.name in asked or fault.legal:
            continue
        assert fault.scenario or {areas[slug] for slug in fault.shows} <= LEFT_OUT.keys(), fault.name


def test_every_quirk_of_a_single_answer_is_asked_about() -> None:
    missing = {q.slug for q in catalogue() if q.area not in LEFT_OUT} - {quirk.slug for quirk in CATALOGUE.quirks}
    assert missing == {
        "id-not-mistral-form",
        "type-custom",
    }  # every answer shows the one; the other is no function call


def test_cases_show_the_quirks_they_stand_for() -> None:
    """The one place where our own reading is asked, and only which name it gives."""
    for quirk in CATALOGUE.quirks:
        for mode, names in quirk.cases.items():
            found = [{f.quirk for f in judge(_read(CATALOGUE.cases[name])).findings} for name in names]
            assert any(quirk.slug in one for one in found), (quirk.slug, mode)


# where our own reading ends otherwise, and why
OTHERWISE = {
    "id-number": "an id that is no string counts as not sent",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_our_own_reading_comes_to_the_same(case: Any) -> None:
    """A cross-check: neither side is computed from the other."""
    if case.fault in OTHERWISE:
        pytest.skip(OTHERWISE[case.fault])
    transcript = _read(case)
    calls = [call for choice in transcript.choices for call in choice.calls]
    usable = [Meant(call.id, call.name, call.value) for call in calls if call.usable]
    meant = list(case.expected.calls)
    if case.expected.duty == "run":
        assert [(c.id, c.name) for c in usable] == [(c.id, c.name) for c in meant]
        assert all(same(one.arguments, other.arguments) for one, other in zip(usable, meant, strict=True))
    elif case.expected.duty == "either":
        assert len(usable) < len(meant) or not meant or [c.id for c in usable] == [c.id for c in meant]
    elif case.expected.duty == "refuse":
        assert usable == [] or not transcript.complete

"""`junit.xml` is what CI systems read: failures are failures, and nothing that was not run is green."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

from conformance.report.junit import render
from conformance.report.matrix import build
from conformance.run.record import Record
from tests.report.examples import exchange, finding, missing, nasty, provider, record


def parse(*records: Record, strict: bool = False) -> ET.Element:
    return ET.fromstring(render(build(*records, strict=strict)))


def outcome(root: ET.Element) -> dict[str, str]:
    """What each test case came to: its name, and the tag and type of what it holds."""
    found = {}
    for case in root.iter("testcase"):
        children = [f"{child.tag} {child.get('type', '')}".strip() for child in case if child.tag != "system-out"]
        found[case.attrib["name"]] = ", ".join(children) or "passed"
    return found


def test_one_case_per_exchange() -> None:
    root = parse(
        record(
            exchange(),
            exchange("acme", "round_trip", step=1),
            exchange(sample=1),
            exchange("acme", "two_tools", "complete", finding()),
            missing("acme", "no_call"),
        )
    )
    assert outcome(root) == {
        "single_call[stream]": "passed",
        "round_trip[stream] step 1": "passed",
        "single_call[stream] sample 1": "passed",
        "two_tools[complete]": "failure finding",
        "no_call[stream]": "failure not-run",
    }
    assert {case.get("classname") for case in root.iter("testcase")} == {"acme.m1"}
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "2",
        "errors": "0",
    }
    assert not list(root.iter("error"))


def test_a_failure_tells_what_and_where() -> None:
    (failure,) = parse(record(exchange("acme", "single_call", "stream", finding()))).iter("failure")
    assert failure.get("message") == "acme: index-missing: 1 unexpected finding"
    assert (failure.text or "").splitlines() == [
        "index-missing [must] An entry has no index.",
        "  expected  an index",
        "  actual    absent",
        (
            "  where     cassettes/acme/single_call.stream.yaml interaction 0, event 3, byte 812, "
            "/choices/0/delta/tool_calls/0"
        ),
    ]


def test_only_what_counts_fails() -> None:
    only = record(
        exchange("acme", "a", "stream", finding(level="should")),
        exchange("acme", "b", "stream", finding(level="info")),
        exchange("acme", "c", "stream", finding(expected_by="known")),
    )
    assert set(outcome(parse(only)).values()) == {"passed"}
    assert outcome(parse(only, strict=True)) == {
        "a[stream]": "failure finding",
        "b[stream]": "passed",
        "c[stream]": "passed",
    }


def test_a_provider_that_was_never_recorded_is_skipped_unless_it_was_named() -> None:
    unnamed = record(exchange(), providers=[provider(), provider("zeta", recorded=False)])
    assert outcome(parse(unnamed))["recording"] == "skipped"
    named = record(missing("zeta", reason="no-recording"), providers=[provider("zeta", recorded=False, selected=True)])
    assert outcome(parse(named)) == {"single_call[stream]": "failure not-run"}
    rest = record(missing("zeta", reason="no-recording"), providers=[provider("zeta", recorded=False)])
    assert outcome(parse(rest)) == {"single_call[stream]": "skipped"}


def test_a_stale_expectation_is_a_failure_of_its_own() -> None:
    stale = [{"provider": "acme", "quirk": "index-missing", "applicable": 7}]
    root = parse(record(exchange(), exchange(model="m2"), stale=stale))
    assert outcome(root)["expectation index-missing"] == "failure stale-expectation"
    assert root.get("failures") == "1"


def test_an_incomplete_record_fails() -> None:
    assert outcome(parse(record(exchange(), finished=False)))["the run came to its end"] == "failure incomplete"


def test_counts_of_suites_add_up() -> None:
    root = parse(record(exchange(), missing("zeta"), exchange("zeta", "two_tools", "stream", finding())), nasty())
    for name in ("tests", "failures"):
        assert int(root.attrib[name]) == sum(int(suite.attrib[name]) for suite in root.iter("testsuite"))
    for suite in root.iter("testsuite"):
        assert int(suite.attrib["tests"]) == len(list(suite.iter("testcase")))


def test_what_a_suite_is_about_is_told_in_its_properties() -> None:
    about = {one.attrib["name"]: one.attrib["value"] for one in parse(record(exchange())).iter("property")}
    assert about == {
        "verdict": "safe",
        "provider": "acme",
        "model": "m1",
        "recorded": "2026-11-29",
        "verified": "2026-11-01",
    }


def test_time_is_the_exchanges_own() -> None:
    (case,) = parse(record(exchange(duration_ms=1500.0))).iter("testcase")
    assert case.get("time") == "1.500"


def test_what_providers_write_is_escaped_visibly() -> None:
    failures = [f"{one.get('message')}\n{one.text}" for one in parse(nasty()).iter("failure")]
    assert len(failures) == 2
    for text in failures:
        assert "<script>alert(1)</script>" in text
        assert "\\x1b[31m\\x00" in text
        assert "\\n# head \\u202e \\ud83d ]]>" in text


def test_nothing_at_all_is_a_document_too() -> None:
    assert parse(record()).get("tests") == "0"


def test_a_failure_says_how_to_see_it_again() -> None:
    (output,) = parse(record(exchange("acme", "single_call", "stream", finding()), exchange("acme", "b"))).iter(
        "system-out"
    )
    assert (output.text or "").splitlines() == [
        "again: conformance run --provider acme --model m1 --scenario single_call --mode stream",
        "look:  conformance inspect cassettes/acme/single_call.stream.yaml",
    ]


def test_dots_of_a_model_make_no_folders() -> None:
    only = record(exchange(model="vendor/m-4.1"), providers=[provider(models=["vendor/m-4.1"])])
    (case,) = parse(only).iter("testcase")
    assert case.get("classname") == "acme.vendor/m-4_1"


def test_what_a_provider_declares_to_lack_is_skipped() -> None:
    lacking = provider(left_out=["choice_named_one"])
    root = parse(record(exchange(), providers=[lacking]))
    assert outcome(root) == {"single_call[stream]": "passed", "choice_named_one": "skipped"}


def test_names_are_unique() -> None:
    everything = [
        exchange(step=step, sample=sample, mode=mode) for step in (0, 1) for sample in (0, 1) for mode in MODES
    ]
    stale = [{"provider": "acme", "quirk": slug, "applicable": 7} for slug in ("comment", "index-missing")]
    root = parse(record(*everything, exchange(model="m2"), missing("zeta"), stale=stale))
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names) == 8 + 1 + 1 + 2


MODES = ("stream", "complete")
KNOWN = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
    "testcase": {"name", "time", "classname"},
    "failure": {"type", "message"},
    "skipped": {"message"},
    "property": {"name", "value"},
    "properties": set[str](),
    "system-out": set[str](),
}
"""Elements and attributes that the schema of Jenkins' xUnit plugin (junit-10) allows, as far as they are used here."""
WITHIN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "testcase": {"failure", "skipped", "system-out"},
    "properties": {"property"},
}


def test_every_element_and_attribute_is_one_that_jenkins_knows() -> None:
    root = parse(record(exchange("acme", "a", "stream", finding()), exchange(), missing("zeta"), stale=[]), nasty())
    for element in [root, *root.iter()]:
        assert set(element.attrib) <= KNOWN[element.tag]
        assert {child.tag for child in element} <= WITHIN.get(element.tag, set())


def test_a_parser_of_others_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    unnamed = provider("zeta", recorded=False)
    path.write_text(
        render(
            build(
                record(
                    exchange("acme", "a", "stream", finding(), duration_ms=1500.0),
                    exchange("acme", "b", duration_ms=250.0),
                    missing("acme", "c"),
                    providers=[provider(), unnamed],
                )
            )
        ),
        encoding="utf-8",
    )
    document = JUnitXml.fromfile(str(path))
    assert (document.tests, document.failures, document.errors) == (4, 2, 0)
    acme, zeta = document
    assert isinstance(acme, TestSuite)
    found = {case.name: case.result for case in acme if isinstance(case, TestCase)}
    assert [type(one) for one in found["a[stream]"]] == [Failure]
    assert found["b[stream]"] == []
    assert [(type(one), one.type) for one in found["c[stream]"]] == [(Failure, "not-run")]
    assert acme.time == 1.75
    (skipped,) = [case for case in zeta if isinstance(case, TestCase)]
    assert [type(one) for one in skipped.result] == [Skipped]


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_gives_well_formed_xml(text: str) -> None:
    bad = exchange("acme", "a", "stream", finding(message=text, actual=text), model=text or "m")
    root = parse(record(bad, missing("acme", "b", detail=text, fix=text)))
    assert [case.find("failure") is not None for case in root.iter("testcase")] == [True, True]
    ET.fromstring(render(build(record(bad))).encode())

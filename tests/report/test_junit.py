"""`junit.xml` is what CI systems read: failures are failures, and nothing that was not run is green."""

import xml.etree.ElementTree as ET

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
        children = [f"{child.tag} {child.get('type', '')}".strip() for child in case]
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
        "acme/m1/single_call/stream": "passed",
        "acme/m1/round_trip/stream step 1": "passed",
        "acme/m1/single_call/stream sample 1": "passed",
        "acme/m1/two_tools/complete": "failure finding",
        "acme/m1/no_call/stream": "failure not-run",
    }
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "2",
        "errors": "0",
        "skipped": "0",
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
        "acme/m1/a/stream": "failure finding",
        "acme/m1/b/stream": "passed",
        "acme/m1/c/stream": "passed",
    }


def test_a_provider_that_was_never_recorded_is_skipped_unless_it_was_named() -> None:
    unnamed = record(exchange(), providers=[provider(), provider("zeta", recorded=False)])
    assert outcome(parse(unnamed))["zeta/m1/recording"] == "skipped"
    named = record(missing("zeta", reason="no-recording"), providers=[provider("zeta", recorded=False, selected=True)])
    assert outcome(parse(named)) == {"zeta/m1/single_call/stream": "failure not-run"}
    rest = record(missing("zeta", reason="no-recording"), providers=[provider("zeta", recorded=False)])
    assert outcome(parse(rest)) == {"zeta/m1/single_call/stream": "skipped"}


def test_a_stale_expectation_is_a_failure_of_its_own() -> None:
    stale = [{"provider": "acme", "quirk": "index-missing", "applicable": 7}]
    root = parse(record(exchange(), exchange(model="m2"), stale=stale))
    assert outcome(root)["acme/expectations/index-missing"] == "failure stale-expectation"
    assert root.get("failures") == "1"


def test_an_incomplete_record_fails() -> None:
    assert outcome(parse(record(exchange(), finished=False)))["the run came to its end"] == "failure incomplete"


def test_counts_of_suites_add_up() -> None:
    root = parse(record(exchange(), missing("zeta"), exchange("zeta", "two_tools", "stream", finding())), nasty())
    for name in ("tests", "failures", "skipped"):
        assert int(root.attrib[name]) == sum(int(suite.attrib[name]) for suite in root.iter("testsuite"))
    for suite in root.iter("testsuite"):
        assert int(suite.attrib["tests"]) == len(list(suite.iter("testcase")))


def test_the_verdict_is_a_property_of_the_suite() -> None:
    (one,) = parse(record(exchange())).iter("property")
    assert one.attrib == {"name": "verdict", "value": "safe"}


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

"""`junit.xml`: the record for CI systems: one test case per exchange, failures never as errors.

A test case fails where the run is red: unexpected findings at a level that counts, or an exchange that had to be had
and was not. Other exchanges that were not run are skipped. A stale expectation is a failing test case of its own, a row
without a recording a skipped one, and a run that did not finish a failing one.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from conformance.report import words
from conformance.report.cell import Evidence
from conformance.report.grid import Matrix, Row, place
from conformance.report.text import plural, visible
from conformance.run.outcome import disproof
from conformance.run.rows import ExchangeRow, FindingRow


def render(matrix: Matrix) -> str:
    """The document; characters that XML cannot hold are written as visible escapes."""
    suites = [_suite(matrix, row) for row in matrix.rows if not row.elsewhere]
    if not matrix.finished:
        suites.append(_unfinished())
    root = ET.Element("testsuites", {"name": "conformance"})
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    root.extend(suites)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(matrix: Matrix, row: Row) -> ET.Element:
    name = row.provider["name"]
    cases = [
        _case(matrix, exchange)
        for exchange in matrix.exchanges
        if exchange["provider"] == name and exchange["model"] == row.model
    ]
    if not cases:
        case = _empty(name, f"{name}/{row.model}/recording")
        _put(case, "skipped", "", f"{row.verdict.text}: {words.why_unmeasured(row)}")
        cases.append(case)
    first = next(one for one in matrix.rows if one.provider["name"] == name)
    for stale in matrix.stale if row is first else ():
        if stale["provider"] == name:
            case = _empty(name, f"{name}/expectations/{stale['quirk']}")
            text = f"{stale['quirk']} {disproof(stale)}"
            _put(case, "failure", "stale-expectation", text, "")
            cases.append(case)
    started = matrix.runs[-1].started if matrix.runs else ""
    return _bundle(f"{name}/{row.model}", cases, started, words.verdict(row))


def _case(matrix: Matrix, row: ExchangeRow) -> ET.Element:
    case = _empty(row["provider"], f"{row['provider']}/{row['model']}/{place(row)}", row["duration_ms"])
    if row["not_run"] is not None:
        why = row["not_run"]
        text = f"{row['provider']}: not run: {why['reason']}: {why['detail']}"
        kind = "failure" if row["provider"] in matrix.must_run else "skipped"
        _put(case, kind, "not-run" if kind == "failure" else "", text, why["fix"])
        return case
    bad = [f for f in row["findings"] if f["expected_by"] is None and f["level"] in matrix.counting]
    if bad:
        slugs = ", ".join(sorted({finding["quirk"] for finding in bad}))
        headline = f"{row['provider']}: {slugs}: {plural(len(bad), 'unexpected finding')}"
        _put(case, "failure", "finding", headline, *(line for finding in bad for line in _lines(row, finding)))
    return case


def _lines(row: ExchangeRow, finding: FindingRow) -> list[str]:
    evidence = row["evidence"]
    cassette = f"{evidence['cassette']} interaction {evidence['interaction']}, " if evidence is not None else ""
    return [
        f"{finding['quirk']} [{finding['level']}] {finding['message']}",
        f"  expected  {finding['expected']}",
        f"  actual    {finding['actual']}",
        f"  where     {cassette}{words.where(Evidence(row, finding))}",
    ]


def _unfinished() -> ET.Element:
    case = _empty("record", "the run came to its end")
    _put(case, "failure", "incomplete", words.INCOMPLETE)
    return _bundle("record", [case], "", words.INCOMPLETE)


def _bundle(name: str, cases: Sequence[ET.Element], started: str, verdict: str) -> ET.Element:
    suite = ET.Element("testsuite", {"name": visible(name), "tests": str(len(cases))})
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    if started:
        suite.set("timestamp", visible(started))
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", {"name": "verdict", "value": visible(verdict, 4000)})
    suite.extend(cases)
    return suite


def _empty(provider: str, name: str, milliseconds: float | None = None) -> ET.Element:
    case = ET.Element("testcase", {"classname": visible(f"conformance.{provider}"), "name": visible(name)})
    case.set("time", f"{(milliseconds or 0.0) / 1000:.3f}")
    return case


def _put(case: ET.Element, tag: str, kind: str, message: str, *lines: str) -> None:
    element = ET.SubElement(case, tag)
    if kind:
        element.set("type", kind)
    element.set("message", visible(message))
    body = [visible(line) for line in lines if line]
    if body:
        element.text = "\n".join(body)

"""`junit.xml`: the record for CI systems: one test case per exchange, failures never as errors.

Names stay the same from run to run, so that a CI system can tell since when a test fails:

    testsuite   provider/model
    classname   provider.model, with `_` for the dots of the model, because CI systems make folders of what dots divide
    name        scenario[mode], with step and sample where they are not the first

A test case fails where the run is red: unexpected findings at a level that counts (type `finding`), or an exchange that
had to be had and was not (type `not-run`). The latter is a failure as well and no `error`: that element says that the
test itself broke, and CI systems count it elsewhere, or not at all. A stale expectation is a failing test case of its
own, and so is a run that did not finish. Skipped are other exchanges that were not run, rows without a recording, and
scenarios that do not apply because the provider declares to lack what they need.

The document is valid against the schema of Jenkins' xUnit plugin (junit-10), which allows neither properties nor a file
in a test case. dorny/test-reporter, mikepenz/action-junit-report and GitLab read message and text of `failure`; GitLab
keeps one of equal names only.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence

from conformance.report import rerun, words
from conformance.report.cell import Evidence
from conformance.report.grid import Matrix, Row
from conformance.report.text import plural, visible
from conformance.run.outcome import disproof
from conformance.run.rows import ExchangeRow, FindingRow


def render(matrix: Matrix) -> str:
    """The document; characters that XML cannot hold are written as visible escapes."""
    suites = [_suite(matrix, row) for row in matrix.rows if not row.elsewhere]
    if not matrix.finished:
        suites.append(_unfinished())
    root = ET.Element("testsuites", {"name": "conformance"})
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in suites):.3f}")
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
        case = _empty(name, row.model, "recording")
        _put(case, "skipped", "", f"{row.verdict.text}: {words.why_unmeasured(row)}")
        cases.append(case)
    cases += [_left_out(row, scenario) for scenario in row.provider.get("left_out", ())]
    first = next(one for one in matrix.rows if one.provider["name"] == name)
    for stale in matrix.stale if row is first else ():
        if stale["provider"] == name:
            case = _empty(name, "", f"expectation {stale['quirk']}")
            _put(case, "failure", "stale-expectation", f"{stale['quirk']} {disproof(stale)}")
            cases.append(case)
    started = matrix.runs[-1].started if matrix.runs else ""
    return _bundle(f"{name}/{row.model}", cases, started, _about(row))


def _about(row: Row) -> Mapping[str, str]:
    """What else a reader of the report wants to know of a row."""
    return {
        "verdict": words.verdict(row),
        "provider": row.provider["name"],
        "model": row.model,
        "recorded": words.period(row.recorded_at),
        "verified": row.provider["verified"],
    }


def _case(matrix: Matrix, row: ExchangeRow) -> ET.Element:
    case = _empty(row["provider"], row["model"], _name(row), row["duration_ms"])
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
        ET.SubElement(case, "system-out").text = "\n".join(_again(matrix, row))
    return case


def _name(row: ExchangeRow) -> str:
    step = f" step {row['step']}" if row["step"] else ""
    sample = f" sample {row['sample']}" if row["sample"] else ""
    return f"{row['scenario']}[{row['mode']}]{step}{sample}"


def _again(matrix: Matrix, row: ExchangeRow) -> Iterable[str]:
    """How to see it again: by the command that measures it, and in the recorded bytes."""
    yield f"again: {rerun.command(matrix, row)}"
    if row["evidence"] is not None:
        yield f"look:  {rerun.inspect(row['evidence'])}"


def _lines(row: ExchangeRow, finding: FindingRow) -> list[str]:
    evidence = row["evidence"]
    cassette = f"{evidence['cassette']} interaction {evidence['interaction']}, " if evidence is not None else ""
    return [
        f"{finding['quirk']} [{finding['level']}] {finding['message']}",
        f"  expected  {finding['expected']}",
        f"  actual    {finding['actual']}",
        f"  where     {cassette}{words.where(Evidence(row, finding))}",
    ]


def _left_out(row: Row, scenario: str) -> ET.Element:
    case = _empty(row.provider["name"], row.model, scenario)
    _put(case, "skipped", "", f"not applicable: {row.provider['name']} declares to lack what this scenario needs")
    return case


def _unfinished() -> ET.Element:
    case = _empty("record", "", "the run came to its end")
    _put(case, "failure", "incomplete", words.INCOMPLETE)
    return _bundle("record", [case], "", {"verdict": words.INCOMPLETE})


def _bundle(name: str, cases: Sequence[ET.Element], started: str, about: Mapping[str, str]) -> ET.Element:
    suite = ET.Element("testsuite", {"name": visible(name), "tests": str(len(cases))})
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    if started:
        suite.set("timestamp", visible(started))
    properties = ET.SubElement(suite, "properties")
    for key, value in about.items():
        if value:
            ET.SubElement(properties, "property", {"name": key, "value": visible(value, 4000)})
    suite.extend(cases)
    return suite


def _empty(provider: str, model: str, name: str, milliseconds: float | None = None) -> ET.Element:
    classname = f"{provider}.{model.replace('.', '_')}" if model else provider
    case = ET.Element("testcase", {"classname": visible(classname), "name": visible(name)})
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

"""`quirks.json` has the form its schema promises."""

import copy
import json
from typing import Any

import jsonschema
import pytest

from conformance.report.json_ import SHOWN, render, schema
from conformance.report.matrix import State, build
from conformance.run.record import Record
from tests.report.examples import (
    ALL,
    NASTY,
    exchange,
    expectation,
    finding,
    missing,
    nasty,
    observation,
    provider,
    record,
)


def document(*records: Record) -> Any:
    return json.loads(render(build(*records)))


@pytest.fixture
def validator() -> jsonschema.protocols.Validator:
    jsonschema.Draft7Validator.check_schema(schema())
    return jsonschema.Draft7Validator(schema())


@pytest.mark.parametrize(
    "records",
    [
        (record(),),
        (record(exchange()),),
        (record(exchange("acme", "single_call", "stream", finding(), finding("comment", "info"))),),
        (record(exchange(), missing("acme", "no_call"), finished=False),),
        (record(missing(), providers=[provider(recorded=False)], run_mode="live"),),
        (nasty(),),
        (
            record(
                exchange(),
                providers=[provider(expectations=[expectation("index-missing")]), provider("zeta", recorded=False)],
                stale=[{"provider": "acme", "quirk": "index-missing", "applicable": 1}],
            ),
            record(exchange("other")),
        ),
    ],
)
def test_every_document_is_valid(validator: jsonschema.protocols.Validator, records: tuple[Record, ...]) -> None:
    validator.validate(document(*records))


def _set(path: str, value: Any) -> Any:
    def change(whole: Any) -> None:
        *way, last = path.split("/")
        for step in way:
            whole = whole[int(step) if step.isdigit() else step]
        if value is ...:
            del whole[last]
        else:
            whole[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("schema", "conformance/matrix/2"),
        _set("complete", ...),
        _set("exit_code", 2),
        _set("runs/0/run_mode", "guess"),
        _set("rows/0/verdict/kind", "good"),
        _set("rows/0/cells/0/state", "green"),
        _set("rows/0/cells/0/occurrences", -1),
        _set("rows/0/cells/0/evidence/0/where", None),
        _set("rows/0/cells/0/evidence/0/count", 0),
        _set("rows/0/cells/1/applicable", 0),  # nothing is ok that nothing could have shown
        _set("rows/0/exchanges/stream", ...),
        _set("quirks/0/level", "may"),
    ],
)
def test_the_schema_refuses_what_is_wrong(validator: jsonschema.protocols.Validator, change: Any) -> None:
    good = document(record(exchange("acme", "single_call", "stream", finding("call-in-content"))))
    assert [cell["state"] for cell in good["rows"][0]["cells"][:2]] == ["found-unexpected", "ok"]
    bad = copy.deepcopy(good)
    change(bad)
    assert not validator.is_valid(bad)


def test_the_schema_knows_every_state() -> None:
    states = schema()["definitions"]["cell"]["properties"]["state"]["enum"]
    assert set(states) == {state.slug for state in State}
    assert schema()["definitions"]["cell"]["properties"]["evidence"]["maxItems"] == SHOWN


def test_a_document_of_before_there_was_other_evidence_is_still_valid(
    validator: jsonschema.protocols.Validator,
) -> None:
    old = document(record(exchange("acme", "single_call", "stream", finding())))
    for row in old["rows"]:
        del row["published"], row["elsewhere"]
        for cell in row["cells"]:
            del cell["published"], cell["reported"]
    for quirk in old["quirks"]:
        del quirk["layer"]
    validator.validate(old)


def test_published_evidence_is_there_in_full(validator: jsonschema.protocols.Validator) -> None:
    many = [observation("other", path=f"tests/{n:02}.yaml", found=1, applicable=2) for n in range(15)]
    none = observation("other", "comment", found=0, level="info", interaction=None, first=None, last=None)
    whole = json.loads(render(build(record(exchange()), observations=[*many, none])))
    validator.validate(whole)
    (row,) = [row for row in whole["rows"] if row["provider"] == "other"]
    assert (row["elsewhere"], row["recorded"], row["verdict"]["kind"]) == (True, False, "no-recording")
    assert row["published"]["text"].startswith("published recordings (30 exchanges, 1 model named, 2025-01 to 2026-03)")
    assert [cell["quirk"] for cell in row["cells"]] == ["index-missing", "comment"]
    shown, clear = row["cells"]
    assert (shown["state"], shown["occurrences"], shown["applicable"]) == ("no-recording", 0, 0)
    assert (shown["published"]["occurrences"], shown["published"]["applicable"]) == (15, 30)
    assert [one["path"] for one in shown["published"]["observations"]] == [f"tests/{n:02}.yaml" for n in range(15)]
    assert shown["published"]["observations"][0]["url"] == (
        "https://github.com/octo/agent/blob/0123456789abcdef0123456789abcdef01234567/tests/00.yaml"
    )
    assert clear["published"] == {"occurrences": 0, "applicable": 5, "level": "info", "observations": []}


def test_what_is_reported_says_by_whom(validator: jsonschema.protocols.Validator) -> None:
    known = [provider(recorded=False, expectations=[expectation("index-missing", "so they say")])]
    whole = document(record(providers=known))
    validator.validate(whole)
    (cell,) = whole["rows"][0]["cells"]
    assert cell["reported"] == [{"title": "reference 000 §5", "url": "", "date": "", "says": "so they say"}]
    assert (cell["quirk"], cell["published"]) == ("index-missing", None)


def test_counts_and_evidence() -> None:
    whole = document(record(exchange("acme", "single_call", "stream", finding()), exchange("acme", "two_tools")))
    assert whole["totals"] == {"judged": 2, "not_run": 0, "unexpected": {"must": 1, "should": 0}, "stale": 0}
    (row,) = whole["rows"]
    assert row["verdict"]["guards"] == ["index-missing"]
    (cell,) = [cell for cell in row["cells"] if cell["quirk"] == "index-missing"]
    assert (cell["occurrences"], cell["applicable"], cell["findings"], cell["unexpected"]) == (1, 2, 1, 1)
    (evidence,) = cell["evidence"]
    assert evidence["evidence"] == {"cassette": "cassettes/acme/single_call.stream.yaml", "interaction": 0}
    assert evidence["where"] == {"event": 3, "byte": 812, "pointer": "/choices/0/delta/tool_calls/0"}
    assert {cell["quirk"] for cell in row["cells"]} == set(ALL)


def test_a_row_without_anything_judged_has_no_cells() -> None:
    whole = document(record(exchange(), providers=[provider(), provider("zeta", recorded=False)]))
    assert [(row["provider"], bool(row["cells"]), row["verdict"]["kind"]) for row in whole["rows"]] == [
        ("acme", True, "safe"),
        ("zeta", False, "no-recording"),
    ]


def test_an_incomplete_record_says_so() -> None:
    assert document(record(exchange(), finished=False))["complete"] is False
    assert document(record(exchange()))["complete"] is True


def test_text_of_providers_is_kept_as_it_was_and_the_file_is_ascii() -> None:
    text = render(build(nasty()))
    assert text.isascii()
    (cell,) = [cell for cell in json.loads(text)["rows"][0]["cells"] if cell["evidence"]]
    assert cell["evidence"][0]["message"] == NASTY


def test_a_cell_is_a_line() -> None:
    text = render(build(record(exchange())))
    assert sum(line.startswith('{"quirk": ') for line in text.splitlines()) == len(ALL)

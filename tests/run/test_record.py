"""A run record is whole or says what is wrong with it."""

import json
from pathlib import Path
from typing import Any, NotRequired, get_origin, get_type_hints

import jsonschema
import pytest

from conformance.errors import ConfigError, RecordError
from conformance.run import rows
from conformance.run.record import RecordWriter, load_record, schema
from conformance.run.rows import Footer
from tests.run.examples import HEADER, finding, not_run, row


def footer(exchanges: int, **fields: Any) -> Footer:
    line: dict[str, Any] = {
        "type": "footer",
        "exchanges": exchanges,
        "finished": "2026-11-30T00:01:00+00:00",
        "unexpected": 0,
        "stale": [],
        "not_run": 0,
        "exit_code": 0,
        **fields,
    }
    return line  # type: ignore[return-value]


def write(path: Path, *lines: Any, finish: bool = True) -> None:
    with RecordWriter(path, HEADER) as writer:
        for line in lines:
            writer.exchange(line)
        if finish:
            writer.finish(footer(len(lines)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "run.jsonl"


def test_what_is_written_is_read_in_plan_order(path: Path) -> None:
    late, early = row("b", findings=[finding()]), row("a")
    write(path, late, early)
    record = load_record(path)
    assert record.complete
    assert record.header == HEADER
    assert list(record.exchanges) == [early, late]
    assert record.footer == footer(2)
    assert [p.name for p in path.parent.iterdir()] == ["run.jsonl"]


def test_steps_and_samples_stay_in_order(path: Path) -> None:
    lines = [row(step=1), row(step=0), row(sample=1, step=0), row(mode="complete")]
    write(path, *lines)
    assert [(r["mode"], r["sample"], r["step"]) for r in load_record(path).exchanges] == [
        ("complete", 0, 0),
        ("stream", 0, 0),
        ("stream", 0, 1),
        ("stream", 1, 0),
    ]


def test_odd_ids_survive(path: Path) -> None:
    odd = {"id": "call_\ud83d \u2028 é", "name": "x", "usable": True}
    write(path, row(calls=[odd]))
    assert load_record(path).exchanges[0]["calls"] == [odd]


def test_lines_are_there_before_the_end(path: Path) -> None:
    with RecordWriter(path, HEADER) as writer:
        writer.exchange(row())
        part = path.with_name("run.jsonl.part")
        assert [json.loads(line)["type"] for line in part.read_text().splitlines()] == ["header", "exchange"]


def test_an_interrupted_run_is_readable_and_says_so(path: Path) -> None:
    write(path, row(), finish=False)
    with pytest.raises(RecordError, match=r"no footer.*incomplete"):
        load_record(path)
    record = load_record(path, incomplete=True)
    assert not record.complete
    assert len(record.exchanges) == 1


def test_a_killed_run_leaves_its_part_and_the_older_record(path: Path) -> None:
    write(path, row())
    writer = RecordWriter(path, HEADER)
    writer.exchange(row("b"))
    part = path.with_name("run.jsonl.part")
    with part.open("a") as stream:
        stream.write('{"type":"exch')  # killed within a line
    assert load_record(path).exchanges == (row(),)
    assert load_record(part, incomplete=True).exchanges == (row("b"),)
    writer.close()


def test_a_run_without_a_single_exchange_leaves_the_older_record(path: Path) -> None:
    write(path, row())
    write(path, finish=False)
    assert load_record(path).exchanges == (row(),)


HEAD = json.dumps(HEADER)
LINE = json.dumps(row())
FOOT = json.dumps(footer(1))
NEGATIVE = json.dumps(row(step=-1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("not json\n", "line 1 is not JSON"),
        (f"{HEAD}\n{LINE}\n" + '{"type":"foo', "line 3 is not JSON"),
        (f"{LINE}\n{FOOT}\n", "line 1 is no header"),
        (f"{HEAD}\n{LINE}\n", "no footer"),
        (f"{HEAD}\n{FOOT}\n", "counts 1 exchanges and 0 are there"),
        (f"{HEAD}\n{LINE}\n{FOOT}\n{LINE}\n", "line 4 comes after the footer"),
        (f"{HEAD}\n{HEAD}\n{FOOT}\n", "line 2 is a second header"),
        (HEAD.replace("run/1", "run/2"), "its format is 'conformance/run/2'"),
        (f"{HEAD}\n{NEGATIVE}\n", "line 2: /step"),
        (f"{HEAD}\n[1]\n", "line 2: neither header, exchange nor footer"),
        (f'{HEAD}\n{{"type": "exchange"}}\n', "line 2: the line: .*required"),
    ],
)
def test_each_corruption_has_its_name(path: Path, text: str, message: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(RecordError, match=message) as caught:
        load_record(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_bytes_that_are_no_text(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(HEAD.encode() + b"\n\xff\n")
    with pytest.raises(RecordError, match="not UTF-8 at byte"):
        load_record(path)


def test_a_missing_file(path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        load_record(path)


def test_a_folder_in_place_of_the_record_is_found_out_at_once(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot write here"):
        RecordWriter(path, HEADER)


def test_a_file_in_place_of_the_folder_is_found_out_at_once(path: Path) -> None:
    path.parent.write_text("")
    with pytest.raises(ConfigError, match="cannot write here"):
        RecordWriter(path, HEADER)


def test_later_versions_may_add_fields(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(f"{json.dumps({**HEADER, 'weather': 'fine'})}\n{LINE}\n{FOOT}\n")
    assert load_record(path).complete


def test_the_schema_is_valid_and_accepts_what_is_written(path: Path) -> None:
    jsonschema.Draft7Validator.check_schema(schema())
    validator = jsonschema.Draft7Validator(schema())
    write(path, row(findings=[finding()]), not_run())
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    ("kind", "definition"),
    [
        (rows.Header, "header"),
        (rows.ProviderRow, "provider"),
        (rows.ExpectationRow, "expectation"),
        (rows.QuirkRow, "quirk"),
        (rows.ScenarioRow, "scenario"),
        (rows.ExchangeRow, "exchange"),
        (rows.FindingRow, "finding"),
        (rows.Footer, "footer"),
    ],
)
def test_types_and_schema_name_the_same_fields(kind: Any, definition: str) -> None:
    described = schema()["definitions"][definition]
    types = get_type_hints(kind, include_extras=True)
    assert set(described["properties"]) == set(types)
    assert set(described["required"]) == {name for name, type_ in types.items() if get_origin(type_) is not NotRequired}

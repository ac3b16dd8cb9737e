"""Observations: which recordings they are made of, what they say, and the published file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.audit.licences import is_open
from conformance.audit.observation import Observation, dumps, load, schema
from conformance.cli import call
from conformance.errors import InputError
from conformance.quirks import catalogue
from tests.audit.captures import RECORDED, capture, lines

PUBLISHED = Path(__file__).parents[2] / "reports" / "observations.jsonl"


def observed(capsys: pytest.CaptureFixture[str], path: Path, *captures: dict[str, Any]) -> list[dict[str, Any]]:
    """What is observed in captures."""
    path.write_bytes(lines(list(captures)))
    call(["audit", "--observations", str(path)])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for row in rows:
        jsonschema.validate(row, schema())
    return rows


def source(**fields: Any) -> dict[str, Any]:
    return {**RECORDED, **fields}


def test_a_line_says_how_often_and_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = observed(
        capsys,
        tmp_path / "c.jsonl",
        capture("index-missing", source=source(path="b.yaml", interaction=3), recorded_at="2026-05-01"),
        capture("index-missing", source=source(path="a.yaml", interaction=2), recorded_at="2026-04-01"),
        capture("clean-one", source=source(path="0.yaml"), recorded_at="2026-06-01"),
        capture("clean-one", model="other", source=source(path="1.yaml"), recorded_at=None),
    )
    (found,) = [row for row in rows if row["quirk"] == "index-missing" and row["occurrences"]]
    assert found == {
        "provider": "made-up",
        "model": "made-up-model",
        "mode": "stream",
        "quirk": "index-missing",
        "level": "must",
        "occurrences": 2,
        "applicable": 3,
        "first": "2026-04-01",
        "last": "2026-06-01",
        "repository": "somebody/agent",
        "commit": "0123456789abcdef",
        "path": "a.yaml",
        "interaction": 2,
        "licence": "MIT",
    }
    (clean,) = [row for row in rows if row["quirk"] == "index-missing" and not row["occurrences"]]
    assert (clean["model"], clean["applicable"], clean["path"], clean["first"]) == ("", 1, "1.yaml", None)


def test_every_exchange_of_a_provider_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    captures = [
        capture(fault, model=model, source=source(repo=repo))
        for fault in ("clean-one", "index-missing", "id-missing")
        for model in ("a", "b")
        for repo in ("x/one", "x/two")
    ]
    rows = observed(capsys, tmp_path / "c.jsonl", *captures)
    assert sum(row["applicable"] for row in rows if row["quirk"] == "index-missing") == 12
    assert sum(row["occurrences"] for row in rows if row["quirk"] == "index-missing") == 4


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"recorded": False}, "hand-written"),
        ({"recorded": "unknown"}, "of unknown origin"),
        ({"source": source(licence="FSL-1.1-MIT")}, "without an open licence"),
        ({"source": source(licence="none stated")}, "without an open licence"),
        ({"source": source(licence="MIT AND FSL-1.1-MIT")}, "without an open licence"),
        ({"source": None}, "published nowhere"),
        ({"source": source(repo="")}, "published nowhere"),
        ({"source": source(commit="")}, "published nowhere"),
        ({"provider": ""}, "of an unknown provider"),
    ],
)
def test_what_may_not_be_published_is_left_out(
    fields: dict[str, Any], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(lines([capture("index-missing", **fields)]))
    call(["audit", "--observations", str(path)])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"observations from 0 exchanges, 1 {why} left out\n"


def test_no_text_of_an_exchange_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(lines([capture("index-missing")]))
    call(["audit", "--observations", str(path)])
    out = capsys.readouterr().out
    for text in ("Paris", "call_", "get_weather", "chatcmpl"):
        assert text in path.read_text(encoding="utf-8")
        assert text not in out


def test_a_fault_of_the_client_is_no_observation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clients = {quirk.slug for quirk in catalogue() if quirk.layer == "client"}
    request = capture("clean-one")["request"]
    request["messages"].append({"role": "tool", "tool_call_id": "call_nobody", "content": "1"})
    one = capture("clean-one", request=request)
    path = tmp_path / "c.jsonl"
    path.write_bytes(lines([one]))
    call(["audit", "--format", "json", str(path)])
    found = {entry["quirk"] for entry in json.loads(capsys.readouterr().out)["found"]}
    assert found & clients == {"result-orphan"}
    assert clients & {row["quirk"] for row in observed(capsys, path, one)} == set()


def test_they_are_read_back_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = observed(capsys, tmp_path / "c.jsonl", capture("index-missing"), capture("clean-one"))
    path = tmp_path / "o.jsonl"
    call(["audit", "--observations", str(tmp_path / "c.jsonl"), "-o", str(path)])
    assert load(path) == tuple(rows)
    assert dumps(reversed(load(path))) == path.read_text(encoding="utf-8")


ROW: Observation = {
    "provider": "p",
    "model": "",
    "mode": "stream",
    "quirk": "q",
    "level": "must",
    "occurrences": 1,
    "applicable": 1,
    "first": None,
    "last": None,
    "repository": "a/b",
    "commit": "c",
    "path": "d",
    "interaction": None,
    "licence": "MIT",
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no observation in it"),
        ("{", "line 1 is not JSON"),
        (json.dumps(ROW) + "\n" + json.dumps(ROW | {"mode": "both"}), "line 2: /mode: "),
        (json.dumps(ROW | {"occurrences": 2}), "more occurrences than applicable exchanges"),
        (json.dumps({k: v for k, v in ROW.items() if k != "licence"}), '"licence" is a required property'),
        ("[]", "line 1: the line: "),
    ],
)
def test_what_is_no_observation_is_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as problem:
        load(path)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("expression", "is_it"),
    [
        ("MIT", True),
        ("Apache-2.0 OR BSD-3-Clause", True),
        ("MIT OR FSL-1.1-MIT", True),
        ("MIT AND Apache-2.0", True),
        ("MIT AND FSL-1.1-MIT", False),
        ("(MIT OR FSL-1.1-MIT) AND Apache-2.0", False),
        ("Apache-2.0 (not checked)", False),
        ("CC-BY-NC-4.0", False),
        ("none stated", False),
        ("", False),
    ],
)
def test_open_licences(expression: str, is_it: bool) -> None:
    assert is_open(expression) is is_it


def test_the_published_observations() -> None:
    rows = load(PUBLISHED)
    slugs = {quirk.slug: quirk for quirk in catalogue()}
    assert {row["quirk"] for row in rows} - slugs.keys() == set()
    assert {row["quirk"] for row in rows if slugs[row["quirk"]].layer == "client"} == set()
    assert all(is_open(row["licence"]) for row in rows)
    assert len({row["provider"] for row in rows}) >= 24
    assert dumps(rows) == PUBLISHED.read_text(encoding="utf-8")
    keys = [tuple(row[key] for key in ("provider", "model", "mode", "quirk", "repository", "commit")) for row in rows]
    assert len(keys) == len(set(keys))

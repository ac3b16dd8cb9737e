"""Annotations: what is wrong stands on the line that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cli import call
from conformance.cli.actions import command
from conformance.report.annotations import MOST, Annotation, notes
from conformance.report.matrix import build
from tests.actions.runner import Command, commands
from tests.fake_provider import FakeProvider
from tests.report.examples import NASTY, exchange, finding, missing, provider, record

BROKEN: Final = """\
providers:
  acme:
    base_ur: https://acme.example/v1
    models: [m1]
    expectations:
      - {quirk: nonsense, reason: "50 %, or: more", source: {document: x, date: 2026-01-01}}
"""
GOOD: Final = """\
providers:
  beta: {base_url: "http://127.0.0.1:9/v1", models: [m1]}

  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
    expectations:
      - {quirk: done-missing, reason: it never comes, source: {document: x, date: 2026-01-01}}
      - quirk: id-missing
        reason: it never comes
        source: {document: x, date: 2026-01-01}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    return tmp_path


def said(capfd: pytest.CaptureFixture[str]) -> list[Command]:
    out, err = capfd.readouterr()
    assert commands(out) == []
    return commands(err)


TEXT: Final = st.text().map(lambda text: f"x{text}x")  # the runner trims


@given(TEXT, st.text(), TEXT, st.integers(1, 10**6) | st.none())
def test_a_command_is_one_line_and_says_what_it_was_given(
    title: str, message: str, file: str, line: int | None
) -> None:
    text = command(Annotation(title, message, file, line))
    assert not {"\r", "\n"} & set(text)
    (found,) = commands(text)
    assert (found.name, found.text) == ("error", message)
    given_fields = {"title": title, "file": file, "line": str(line or "")}
    assert found.fields == {name: value for name, value in given_fields.items() if value}


def test_every_mistake_is_on_its_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "providers.yaml").write_text(BROKEN)
    assert call(["config", "check"]) == 4
    found = said(capfd)
    assert [(one.fields["file"], one.fields["line"], one.fields["col"]) for one in found] == [
        ("providers.yaml", "2", "3"),
        ("providers.yaml", "3", "5"),
        ("providers.yaml", "6", "9"),
    ]
    assert found[1].text.startswith("providers.yaml:3: providers.acme.base_ur: unknown key; did you mean 'base_url'?")
    assert {one.fields["title"] for one in found} == {"conformance: configuration"}


def test_other_commands_say_it_as_well(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "providers.yaml").write_text(BROKEN)
    assert call(["run", "-p", "acme"]) == 4
    assert [one.fields["line"] for one in said(capfd)] == ["2", "3", "6"]


def test_an_option_that_is_wrong_has_no_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "providers.yaml").write_text(GOOD)
    assert call(["run", "--samples", "0"]) == 4
    (only,) = said(capfd)
    assert only == Command("error", "--samples 0: give a number from 1 on", {"title": "conformance: configuration"})


def test_a_file_elsewhere_is_named_from_the_root_of_the_repository(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "my.yaml").write_text(BROKEN)
    monkeypatch.chdir(folder / "sub")
    assert call(["config", "check", "my.yaml"]) == 4
    assert {one.fields["file"] for one in said(capfd)} == {"sub/my.yaml"}


@pytest.mark.parametrize("name", ["a,b.yaml", "a:b.yaml", "a:3: b,c=d.yaml", "50 %.yaml"])
def test_a_file_may_be_called_anything(folder: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    (folder / name).write_text(BROKEN)
    assert call(["config", "check", name]) == 4
    assert [(one.fields["file"], one.fields["line"], one.fields["col"]) for one in said(capfd)] == [
        (name, "2", "3"),
        (name, "3", "5"),
        (name, "6", "9"),
    ]


def test_of_a_file_outside_of_the_repository_only_its_sentence_tells(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "repository").mkdir()
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder / "repository"))
    outside = folder / "mine.yaml"
    outside.write_text(BROKEN)
    assert call(["config", "check", str(outside)]) == 4
    found = said(capfd)
    assert [set(one.fields) for one in found] == [{"title"}] * 3
    assert found[0].text.startswith(f"{outside}:2: ")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["report", "none.jsonl"], 4, "none.jsonl"),
        (["run", "--samples", "x"], 4, "'x' is not a valid integer"),
        (["run", "-p", "acme", "-s", "usage_in_stream", "--mode", "complete"], 5, "nothing is left to run"),
    ],
)
def test_whatever_ends_a_command_is_an_annotation(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], code: int, text: str
) -> None:
    (folder / "providers.yaml").write_text(GOOD)
    assert call(arguments) == code
    (only,) = said(capfd)
    assert text in only.text


@pytest.mark.parametrize(("actions", "form", "annotated"), [("false", "github", 3), ("true", "text", 0)])
def test_the_format_can_be_chosen(
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    actions: str,
    form: str,
    annotated: int,
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", actions)
    (folder / "providers.yaml").write_text(BROKEN)
    assert call(["config", "check", "--format", form]) == 4
    _, err = capfd.readouterr()
    assert len(commands(err)) == annotated
    assert "unknown key" in err


def test_several_files_are_checked_at_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "good.yaml").write_text(GOOD)
    (folder / "broken.yaml").write_text(BROKEN)
    assert call(["config", "check", "broken.yaml", "good.yaml", "none.yaml"]) == 4
    out, err = capfd.readouterr()
    assert out == "good.yaml: 2 providers, 2 expectations, nothing wrong\n"
    assert len(commands(err)) == 4
    assert call(["config", "check", "good.yaml"]) == 0


def test_an_unexpected_finding_is_on_the_entry_of_its_provider(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "providers.yaml").write_text(GOOD)
    with FakeProvider("no-index") as server:
        monkeypatch.setenv("ACME_URL", server.url)
        assert call(["run", "-p", "acme", "--live", "-s", "single_call", "-o", "out"]) == 1
    (found,) = said(capfd)
    assert (found.fields["file"], found.fields["line"]) == ("providers.yaml", "4")
    assert found.fields["title"] == "acme: 1 unexpected quirk"
    assert found.text.startswith("must index-missing, 1/1: ")


def test_what_could_not_run_is_there_too(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "providers.yaml").write_text(GOOD)
    assert call(["run", "-p", "beta", "--live", "-s", "no_call", "--retries", "0", "-o", "out"]) == 1
    (found,) = said(capfd)
    assert (found.fields["line"], found.fields["title"]) == ("2", "beta: 2 exchanges not run")


def test_an_endpoint_that_no_file_knows_has_no_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "providers.yaml").write_text("no providers at all")
    with FakeProvider("no-index") as server:
        asked = ("--base-url", server.url, "--model", "m", "-s", "single_call")
        assert call(["run", *asked, "-o", "out"]) == 1
    (found,) = said(capfd)
    assert set(found.fields) == {"title"}


def test_a_stale_expectation_is_on_its_own_line(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "providers.yaml").write_text(GOOD)
    with FakeProvider() as server:
        monkeypatch.setenv("ACME_URL", server.url)
        assert call(["run", "-p", "acme", "--live", "-o", "out"]) == 1
    found = said(capfd)
    assert [(one.fields["title"], one.fields["line"]) for one in found] == [
        ("acme: stale expectation done-missing", "8"),
        ("acme: stale expectation id-missing", "9"),
    ]


def test_there_are_no_more_than_github_shows() -> None:
    rows = [exchange(f"p{number}", "a", "stream", finding()) for number in range(25)]
    found = notes(build(record(*rows)), "providers.yaml", lambda *_: 7)
    assert len(found) == MOST
    assert found[-1].message == "16 more like these; the reports hold all"


def test_what_does_not_count_is_not_there() -> None:
    quiet = record(
        exchange("acme", "a", "stream", finding(level="should")),
        exchange("acme", "b", "stream", finding(expected_by="known")),
        missing("zeta", reason="no-recording"),
        providers=[provider(), provider("zeta", recorded=False)],
    )
    assert notes(build(quiet), "f", lambda *_: 1) == []
    assert len(notes(build(quiet, strict=True), "f", lambda *_: 1)) == 1


def test_text_of_providers_stays_on_its_line() -> None:
    (found,) = notes(build(record(exchange("acme", "a", "stream", finding(message=NASTY)))), "f", lambda *_: 1)
    assert found.message.isprintable()

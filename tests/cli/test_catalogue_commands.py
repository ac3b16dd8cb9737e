"""`list`, `explain`, `config` and `docs`: what is known, for people and for scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.cli import call
from conformance.quirks import catalogue
from conformance.scenarios import catalogue as scenarios

PROVIDERS = """\
providers:
  acme:
    base_url: https://api.acme.example/v1
    models: [m1]
    api_key_env: ACME_API_KEY
    verified: 2026-01-02
  local:
    base_url: http://127.0.0.1:9/v1
    models: [m1]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(PROVIDERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = call(list(args))
    out, err = capsys.readouterr()
    return code, out, err


def test_quirks_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capsys, "list", "quirks", "--format", "json")
    assert code == 0
    rows = json.loads(out)
    assert [row["slug"] for row in rows] == [q.slug for q in catalogue()]
    assert rows[0].keys() == {"slug", "level", "area", "title"}


def test_quirks_for_people_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "list", "quirks", "--area", "index")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == [q.slug for q in catalogue() if q.area == "index"]
    assert all(line.split()[2] == "index" for line in lines)


def test_an_area_that_does_not_exist_selects_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = ask(capsys, "list", "quirks", "--area", "indx")
    assert code == 5
    assert "no quirk is in the area 'indx'; areas: " in err


def test_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "list", "scenarios", "--format", "json")
    assert [row["name"] for row in json.loads(out)] == [s.name for s in scenarios()]


@pytest.mark.usefixtures("project")
def test_providers(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "list", "providers", "--format", "json")
    assert json.loads(out) == [
        {
            "name": "acme",
            "api_key_env": "ACME_API_KEY",
            "verified": "2026-01-02",
            "base_url": "https://api.acme.example/v1",
        },
        {"name": "local", "api_key_env": None, "verified": "never", "base_url": "http://127.0.0.1:9/v1"},
    ]
    _, out, _ = ask(capsys, "list", "providers")
    assert out.splitlines()[1].split() == ["local", "-", "never", "http://127.0.0.1:9/v1"]


def test_explain_says_all_the_declaration_says(capsys: pytest.CaptureFixture[str]) -> None:
    quirk = next(q for q in catalogue() if q.slug == "index-missing")
    code, out, _ = ask(capsys, "explain", "index-missing")
    assert code == 0
    for part in (quirk.title, quirk.doc, quirk.expected, quirk.guard, quirk.guard_python, quirk.report):
        assert part in out
    for source in (*quirk.sources, *quirk.seen):
        assert source.title in out


def test_a_misspelt_quirk_gets_its_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ask(capsys, "explain", "indx-missing")
    assert (code, out) == (4, "")
    assert err.startswith("no quirk is called 'indx-missing'; did you mean index-missing")
    assert "see 'conformance list quirks'" in ask(capsys, "explain", "zzzzz")[2]


@pytest.mark.usefixtures("project")
def test_a_right_file_is_said_to_be_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(capsys, "config", "check") == (0, "providers.yaml: 2 providers, 0 expectations, nothing wrong\n", "")


def test_every_mistake_of_a_file_is_told_with_its_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "other.yaml"
    path.write_text(PROVIDERS.replace("base_url: h", "base_ur: h"))
    code, out, err = ask(capsys, "config", "check", "other.yaml")
    assert (code, out) == (4, "")
    assert "other.yaml:3: providers.acme.base_ur: unknown key; did you mean 'base_url'" in err
    assert "other.yaml:8: providers.local.base_ur: unknown key; did you mean 'base_url'" in err


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capsys, "config", "schema")
    assert code == 0
    assert json.loads(out)["type"] == "object"


def test_pages_are_written_checked_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "quirks"
    assert ask(capsys, "docs", "--check", "-o", str(folder))[0] == 4
    assert ask(capsys, "docs", "-o", str(folder))[0] == 0
    assert {p.name for p in folder.iterdir()} == {"README.md", *(f"{q.slug}.md" for q in catalogue())}
    assert ask(capsys, "docs", "--check", "-o", str(folder))[0] == 0
    (folder / "index-missing.md").write_text("old")
    (folder / "gone.md").write_text("old")
    code, _, err = ask(capsys, "docs", "--check", "-o", str(folder))
    assert code == 4
    assert "2 pages are not current (index-missing.md, gone.md); run 'conformance docs'" in err
    assert ask(capsys, "docs", "-o", str(folder))[0] == 0
    assert not (folder / "gone.md").exists()
    assert "# index-missing" in (folder / "index-missing.md").read_text("utf-8")


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = ask(capsys, "docs", "-o", str(tmp_path / "file" / "quirks"))
    assert code == 4
    assert "choose another folder with -o" in err

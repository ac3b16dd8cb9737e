"""`conformance advise`: what goes wrong, in order of gravity, with the guard, and what is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.cli import call
from conformance.quirks import catalogue
from tests.impact.made_up import cell, client, clients, matrix, put, row

GUARDS = {quirk.slug: quirk for quirk in catalogue()}


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    outcomes = {
        "id-missing": {"stream": "raised"},
        "index-missing": {"stream": "merged", "complete": "right"},
        "done-missing": {"stream": "right"},
    }
    said = clients(
        client("agno", outcomes),
        client("ai-sdk", outcomes, language="JavaScript"),
        client("crab", outcomes, language="Rust"),
        client("xsai", {}, judged=False),
        client("agno (openai==1.0)", {"id-missing": {"stream": "dropped"}}),
    )
    known = matrix(
        row(
            "acme",
            cell("done-missing", recorded=(1, 4)),
            cell("id-missing", recorded=(4, 4)),
            cell("index-missing", published=(2, 14)),
            cell("tools-empty-rejected", reported=1),
            published=14,
        ),
        row("alibaba-compatible", cell("done-missing", reported=1), judged=0),
        row("quiet", judged=0),
        row("twice", cell("index-missing", recorded=(1, 1)), model="large"),
        row("twice", model="small"),
    )
    return put(tmp_path / "reports", said, known)


def advise(reports: Path, client: str, provider: str, *more: str) -> int:
    return call(["advise", "--client", client, "--provider", provider, "--reports", str(reports), *more])


def test_what_is_silent_comes_first_with_evidence_example_and_guard(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert advise(reports, "agno", "acme") == 1
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert lines[0] == (
        "agno 1.2.3 on acme: through 1 quirk calls are lost or corrupted without a word, "
        "through 1 quirk good calls are lost with an error."
    )
    assert text.index("1. index-missing [must]") < text.index("2. id-missing [")
    assert "outcome   merged: made one call of two, without a word (streamed)" in text
    assert "evidence  ◆ 2/14 published" in text
    assert "evidence  ● 4/4 recorded" in text
    assert "a fault: what came of index-missing" in text
    assert GUARDS["index-missing"].guard_python.splitlines()[0] in text
    assert "Survived: done-missing." in text
    assert "tools-empty-rejected: what a server makes of a request is no matter of the client" in text
    assert "any of the other" not in text  # there is evidence for all that clients were asked about


def test_what_is_lost_on_honest_answers_is_the_first_line_and_red_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = client("strands", {"index-missing": {"stream": "right"}})
    wrong["control"] = [{"request": "honest-two", "mode": "stream", "outcome": "dropped", "detail": "1 call lost"}]
    reports = put(tmp_path / "reports", clients(wrong), matrix(row("acme", cell("index-missing", recorded=(1, 4)))))
    assert advise(reports, "strands", "acme") == 1
    first = " ".join(capsys.readouterr().out.partition("strands 1.2.3 on acme")[0].split())
    says = "gets honest answers wrong, whatever the provider: two calls at once (streamed): dropped: 1 call lost."
    assert first == f"strands 1.2.3 {says}"
    assert advise(reports, "strands", "acme", "--format", "markdown") == 1
    assert f"**strands 1.2.3 {says}**" in capsys.readouterr().out
    assert advise(reports, "strands", "acme", "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["client"]["honest_wrong"] == wrong["control"]


def test_what_depends_on_the_form_is_told_apart_and_is_neither_green_nor_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = clients(client("agno", {"finish-missing": {"stream": "dropped"}, "id-missing": {"stream": "right"}}))
    cells = cell("finish-missing", published=(1, 4)), cell("id-missing", recorded=(1, 4))
    reports = put(tmp_path / "reports", said, matrix(row("acme", *cells)))
    assert advise(reports, "agno", "acme") == 5
    text = capsys.readouterr().out
    assert text.startswith("agno 1.2.3 on acme: calls may be lost: it depends on the form of the answer")
    assert "- finish-missing: ◆ 1/4 published; at worst dropped (streamed)" in text
    assert advise(reports, "agno", "acme", "--format", "json") == 5
    (told,) = json.loads(capsys.readouterr().out)["advice"]
    assert (told["harms"], [one["quirk"] for one in told["depends"]]) == ([], ["finish-missing"])


def test_the_guard_is_in_the_clients_language(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, language, code in (
        ("agno", "python", GUARDS["index-missing"].guard_python),
        ("ai-sdk", "typescript", GUARDS["index-missing"].guard_typescript),
        ("crab", "", ""),
    ):
        assert advise(reports, name, "acme", "--format", "json") == 1
        document = json.loads(capsys.readouterr().out)
        assert document["schema"] == "conformance/advice/1"
        first = document["advice"][0]["harms"][0]
        assert first["quirk"] == "index-missing"
        assert first["evidence"]["published"] == {"occurrences": 2, "applicable": 14}
        assert first["guard"] == {"text": GUARDS["index-missing"].guard, "language": language, "code": code}
        assert first["cases"][0]["raw"] == '{"case":"index-missing-fault.stream"}'


def test_markdown_holds_the_code_as_a_block(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert advise(reports, "ai-sdk", "acme", "--format", "markdown") == 1
    text = capsys.readouterr().out
    assert text.startswith("## ai-sdk 1.2.3 on acme\n")
    assert f"```typescript\n{GUARDS['index-missing'].guard_typescript}\n```" in text


@pytest.mark.parametrize(
    ("client", "provider", "code", "says"),
    [
        ("agno", "alibaba-compatible", 0, "it was never recorded; what stands above rests on reports"),
        ("agno", "quiet", 5, "that does not make it safe"),
        ("xsai", "acme", 5, "it was not judged: it raised on an honest answer"),
        ("crab", "twice", 1, "crab 1.2.3 on twice large"),
        ("agno (openai==1.0)", "acme", 1, "1. id-missing"),
    ],
)
def test_the_exit_code_says_whether_anything_is_known(
    reports: Path, client: str, provider: str, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert advise(reports, client, provider) == code
    assert says in " ".join(capsys.readouterr().out.split())


def test_one_of_several_models(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert advise(reports, "agno", "twice", "--model", "small") == 5
    assert "large" not in capsys.readouterr().out
    assert advise(reports, "agno", "twice", "--model", "larg") == 4
    assert "did you mean large?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("client", "provider", "says"),
    [
        ("agmo", "acme", "--client agmo: the reports do not know it; did you mean agno"),
        ("agno", "alibaba", "--provider alibaba: the reports do not know it; did you mean alibaba-compatible?"),
        ("??", "acme", "--client ??: the reports do not know it; they know agno, ai-sdk, crab"),
        ("\x1b[31m", "acme", "\\x1b[31m"),
    ],
)
def test_an_unknown_name_is_one_sentence_with_near_ones(
    reports: Path, client: str, provider: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert advise(reports, client, provider) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_without_reports_it_says_where_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert advise(tmp_path, "agno", "acme") == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert "holds no clients.json; name the folder of the reports with --reports DIR" in line


def test_what_others_wrote_reaches_no_terminal_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = client("agno", {"index-missing": {"stream": "merged"}})
    evil["outcomes"][0]["faults"][0]["detail"] = "\x1b[2Jgone `x` <b>"
    reports = put(tmp_path / "reports", clients(evil), matrix(row("acme", cell("index-missing", reported=1))))
    for form in ("text", "markdown"):
        assert advise(reports, "agno", "acme", "--format", form) == 1
        assert "\x1b" not in capsys.readouterr().out

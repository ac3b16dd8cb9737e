"""What a person, a program and an issue tracker are told."""

from __future__ import annotations

import json
from pathlib import Path

from tests.diff.examples import Nights, asked, night, written
from tests.report.examples import NASTY, exchange, finding, missing, nasty
from tests.report.pages import page_of_markdown

CLEAN = night(asked(0, 8), asked(0, 4, provider="beta"), asked(4, 4, finding("comment", "info"), provider="zeta"))
FOUND = night(asked(3, 8, finding(actual="absent")), missing("beta"), asked(0, 4, finding("comment"), provider="zeta"))


def test_markdown(nights: Nights) -> None:
    code, out = nights.compare(CLEAN, FOUND, "-f", "markdown")
    assert code == 1
    page = page_of_markdown(out)
    assert page.row("acme", "m1", "index-missing") == [
        *("acme", "m1", "index-missing", "must", "appeared", "unexpected", "0/8", "3/8 must", "0.2")
    ]
    assert page.row("zeta", "m1", "comment")[4:] == ["gone", "", "4/4 info", "0/4", "0.029"]
    assert "beta m1: not running: refused: connection refused" in page.text
    order = [
        out.index(heading) for heading in ("# Changes", "## What was measured", "## Unexpected", "## Other changes")
    ]
    assert order == sorted(order)


def test_files_are_written_where_asked(nights: Nights) -> None:
    old, new = (written(nights.folder / name, one) for name, one in (("old", CLEAN), ("new", FOUND)))
    target = nights.folder / "out"
    for form, name in (("markdown", "diff.md"), ("json", "diff.json")):
        code, out, _ = nights.say(old, new, "-f", form, "-o", str(target))
        assert (code, out) == (1, f"{target / name}\n")
    assert json.loads((target / "diff.json").read_text())["schema"] == "conformance/changes/1"


def issues(nights: Nights, *args: str) -> dict[str, str]:
    target = nights.folder / "issues"
    nights.say(*args, "-f", "issues", "-o", str(target))
    return {path.name: path.read_text() for path in sorted(target.glob("*.md"))} if target.exists() else {}


def test_an_issue_for_each_cell_to_look_at(nights: Nights) -> None:
    old, new = (written(nights.folder / name, one) for name, one in (("old", CLEAN), ("new", FOUND)))
    files = issues(nights, old, new)
    assert list(files) == ["acme--m1--index-missing.md", "beta--m1--not-running.md"], "a legal variation needs none"
    title, key, what, blank, *body = files["acme--m1--index-missing.md"].splitlines()
    assert title == "# acme m1: index-missing (must): appeared"
    assert key == "<!-- conformance-cell: acme/m1/index-missing -->"
    assert (what, blank) == ("<!-- conformance-change: unexpected -->", "")
    assert files["beta--m1--not-running.md"].startswith("# beta m1: not-running\n")
    text = page_of_markdown("\n".join(body)).text
    assert "An entry has no usable index." in text
    assert "cassettes/acme/single_call.stream.yaml#0, event 3, byte 812, /choices/0/delta/tool_calls/0" in text
    assert "conformance explain index-missing" in text
    assert "with p = 0.2" in text


def test_the_same_cell_has_the_same_file_when_it_is_resolved(nights: Nights) -> None:
    old, new = (written(nights.folder / name, one) for name, one in (("old", CLEAN), ("new", FOUND)))
    assert list(issues(nights, new, old)) == ["beta--m1--not-running.md"], "3 of 8, and then none, may be chance"
    always = night(asked(8, 8, finding()), missing("beta"))
    files = issues(nights, written(nights.folder / "always", always), old)
    assert list(files) == ["acme--m1--index-missing.md", "beta--m1--not-running.md"]
    for text in files.values():
        assert "<!-- conformance-change: resolved -->" in text
    assert "this can be closed" in files["acme--m1--index-missing.md"]


def test_the_text_of_an_issue_is_plain(nights: Nights) -> None:
    undated = night(asked(0, 4, provider="beta"), missing(reason="no-recording", detail="never recorded", fix=""))
    old, new = written(nights.folder / "old", undated), written(nights.folder / "new", night(asked(4, 4, finding())))
    text = issues(nights, old, new)["acme--m1--index-missing.md"]
    assert text.startswith("# acme m1: index-missing (must): found, nothing known before\n")
    assert "nothing was there that could have shown it. Before: no-recording: never recorded." in text
    assert "new-only" not in text
    assert "  " not in text.replace("\n  ", "")


def test_a_small_p_is_one_statement(nights: Nights) -> None:
    few, many = (night(asked(shown, 40, finding())) for shown in (1, 39))
    _, out = nights.compare(few, many)
    assert "1/40 → 39/40, p < 0.0001" in out
    text = issues(nights, str(nights.folder / "old"), str(nights.folder / "new"))["acme--m1--index-missing.md"]
    assert "by chance with p < 0.0001." in text


def test_nothing_to_look_at_is_no_file(nights: Nights) -> None:
    name = written(nights.folder / "old", FOUND)
    assert issues(nights, name, name) == {}


def test_models_that_are_written_alike_have_files_of_their_own(nights: Nights) -> None:
    models = ["org/m.1", "org/m-1"]
    old, new = (
        night(*(asked(shown, 4, *found, model=model) for model in models))
        for shown, found in ((0, ()), (4, (finding(),)))
    )
    files = issues(nights, written(nights.folder / "old", old), written(nights.folder / "new", new))
    keys = sorted(text.splitlines()[1] for text in files.values())
    assert keys == [
        "<!-- conformance-cell: acme/org%2Fm-1/index-missing -->",
        "<!-- conformance-cell: acme/org%2Fm.1/index-missing -->",
    ]


def test_what_a_provider_says_stays_text(nights: Nights) -> None:
    calm = night(exchange("acme", "single_call", "stream", calls=[]), exchange("acme", "no_call", "stream"))
    old, new = written(nights.folder / "old", calm), written(nights.folder / "new", nasty())
    code, out, _ = nights.say(old, new)
    assert code == 1
    assert "\\x1b[31m\\x00 \\n# head \\u202e" in out
    assert all(line.isprintable() for line in out.splitlines())
    (text,) = (text for text in issues(nights, old, new).values() if "not-running" not in text.splitlines()[1])
    page = page_of_markdown(text)
    assert "script" not in page.tags
    assert NASTY.splitlines()[0][:25] in page.text


def test_a_format_that_needs_a_folder_or_takes_none(nights: Nights, tmp_path: Path) -> None:
    name = written(tmp_path / "old", CLEAN)
    code, _, err = nights.say(name, name, "-f", "issues")
    assert (code, err) == (4, "-f issues writes files; say where with -o DIR\n")
    code, _, err = nights.say(name, name, "-o", str(tmp_path / "out"))
    assert code == 4
    assert "-f terminal writes no file" in err


def test_issues_that_are_no_more_go_and_files_of_others_stay(nights: Nights) -> None:
    old, new = (written(nights.folder / name, one) for name, one in (("old", CLEAN), ("new", FOUND)))
    assert len(issues(nights, old, new)) == 2
    (nights.folder / "issues" / "mine.md").write_text("mine")
    assert issues(nights, old, old) == {"mine.md": "mine"}


def test_a_file_of_somebody_elses_is_not_written_over(nights: Nights) -> None:
    old, new = (written(nights.folder / name, one) for name, one in (("old", CLEAN), ("new", FOUND)))
    target = nights.folder / "out"
    target.mkdir()
    for form, name in (("markdown", "diff.md"), ("json", "diff.json"), ("issues", "beta--m1--not-running.md")):
        (target / name).write_text("mine")
        code, out, err = nights.say(old, new, "-f", form, "-o", str(target))
        assert (code, out) == (4, "")
        assert f"{target / name}: it is there already" in err
    assert sorted(path.name for path in target.iterdir()) == ["beta--m1--not-running.md", "diff.json", "diff.md"]
    assert {path.read_text() for path in target.iterdir()} == {"mine"}

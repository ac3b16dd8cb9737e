"""The tests of the pages notice what is wrong with a page."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.docs import commands
from tests.docs.blocks import Wrong, blocks
from tests.docs.commands import Shown
from tests.docs.outputs import matches
from tests.docs.play import play
from tests.docs.world import World


def fence(kind: str, text: str, comment: str = "") -> str:
    above = f"<!-- test: {comment} -->\n\n" if comment else ""
    return f"Text.\n\n{above}```{kind}\n{text}\n```\n"


def fault(page: str, world: World) -> str:
    """What is wrong with the last block of a page."""
    *before, last = blocks("p.md", page)
    for block in before:
        play(block, world)
    with pytest.raises(Wrong) as wrong:
        play(last, world)
    return str(wrong.value)


# --- blocks -----------------------------------------------------------------------------------------------------------


def test_indented_blocks_and_blocks_in_lists_are_found() -> None:
    text = "Text.\n\n    make matrix\n\n1. So:\n\n   ```python\n   x = 1\n   ```\n"
    assert [(b.kind, b.text, b.line) for b in blocks("p.md", text)] == [
        ("sh", "make matrix", 3),
        ("python", "x = 1", 7),
    ]


def test_a_comment_belongs_to_the_block_below() -> None:
    page = fence("sh", "a", "exit=1 http://localhost:8000/v1=index-missing put=x,y") + fence("sh", "b")
    first, second = blocks("p.md", page)
    assert (first.settings, first.lasting) == (
        {"exit": "1"},
        {"http://localhost:8000/v1": "index-missing", "put": "x,y"},
    )
    assert (second.settings, second.lasting) == ({}, {})


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("<!-- test: exit=1 -->\n\nNo block.\n", "no code block follows"),
        ("<!-- test: exit=1 -->\n", "no code block is there"),
        ("<!-- test: exit=1 -->\n\n<!-- test: exit=0 -->\n\n    a\n", "two comments"),
        (fence("sh", "a", "exti=1"), "nobody knows the setting 'exti=1'"),
    ],
)
def test_a_comment_that_means_nothing_is_an_error(page: str, message: str) -> None:
    with pytest.raises(Wrong, match=message):
        blocks("p.md", page)


def test_settings_for_a_page_without_comments_need_their_block() -> None:
    assert blocks("p.md", fence("sh", "make x"), {"make": "exit=2"})[0].settings == {"exit": "2"}
    with pytest.raises(Wrong, match="no code block is there"):
        blocks("p.md", fence("sh", "make x"), {"cmake": "exit=2"})


# --- commands ---------------------------------------------------------------------------------------------------------


def test_a_script_is_cut_where_bash_reads_a_whole_command() -> None:
    text = "# a remark\na b  # c\nfor x in 1 2; do\n  echo $x\ndone\ncat <<END\none\nEND\nlast \\\n  line"
    assert [c.text for c in commands.script(text)] == [
        "a b  # c",
        "for x in 1 2; do\n  echo $x\ndone",
        "cat <<END\none\nEND",
        "last \\\n  line",
    ]


def test_what_bash_does_not_read_is_wrong() -> None:
    with pytest.raises(Wrong):
        commands.script("for x in 1 2; do\necho")


def test_a_console_block_holds_commands_and_what_they_print() -> None:
    assert commands.console("$ a \\\n> b\none\ntwo\n$ c") == [Shown("a \\\nb", "one\ntwo\n"), Shown("c", "")]
    with pytest.raises(Wrong):
        commands.console("one")


@pytest.mark.parametrize(
    "text",
    [
        "conformance run --provide acme",
        "conformance runn",
        "zcat x.gz | conformance audit - --format xml",
        "A=1 conformance inspect x --diff --wat > out",
        "if true; then conformance corpus exports x; fi",
        "make matrixx",
        "pytest --pyargs conformance.suites --record-mod=none",
        "python benchmarks/nothing.py",
    ],
)
def test_what_does_not_exist_is_noticed_without_running_it(text: str) -> None:
    with pytest.raises(Wrong):
        commands.check(text)


@pytest.mark.parametrize(
    "text",
    [
        "conformance run -p acme --shard 1/4 -o part1  # don't",
        ".venv/bin/conformance list providers --format json | jq '.[].name'",
        "conformance run -s 'history_*' --samples 9 && make -j2 matrix",
        "pytest --pyargs conformance.suites --provider acme --record-mode=rewrite -n 2",
    ],
)
def test_what_exists_is_not_complained_about(text: str) -> None:
    commands.check(text)


# --- outputs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a", "a\nb", False),
        ("a\n…", "a\nb\nc", True),
        ("…\nc", "a\nb\nc", True),
        ("a\n…\nb", "a\nb", True),
        ("a … d\n", "a b c d", True),
        ("a … d", "a b c", False),
        ("took 12 ms at 10:00:00", "took 7 ms at 23:59:59", True),
        ("", "", True),
        ("", "a", False),
        ("…\nb\n…\nb", "b\nx\nb", True),
        ("…\nb\n…\nb", "b\nx", False),
    ],
)
def test_outputs_are_compared_line_by_line(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same


line = st.text(st.characters(exclude_characters="…\n\r", exclude_categories=["C", "Z"]), min_size=1)


@given(st.lists(line), st.data())
def test_whatever_is_left_out_for_an_ellipsis_matches(lines: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    assert matches("\n".join([*lines[:start], "…", *lines[end:]]), "\n".join(lines))
    assert matches("\n".join(lines[start:end]), "\n".join(lines), part=True)


@given(st.lists(line), line)
def test_a_line_too_many_is_noticed(lines: list[str], more: str) -> None:
    assert not matches("\n".join(lines), "\n".join([*lines, more]))


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (fence("sh", "exit 3"), "ends with 3 instead of 0"),
        (fence("sh", "true", "exit=1"), "ends with 0 instead of 1"),
        (fence("console", "$ echo a\nb"), "prints\na\n"),
        (fence("rust", "fn main() {}"), "nothing is known about blocks of the kind 'rust'"),
        (fence("", "a"), "nothing is known"),
        (fence("python", "1 / 0"), "ZeroDivisionError"),
        (fence("yaml", "providers:\n  acme: {}"), "base_url"),
        (fence("yaml", "steps: [{run: 'if'}]", "is=workflow"), "bash does not read"),
        (fence("json", "{"), "does not hold"),
        (fence("json", "{}", "schema=conformance/audit/audit.schema.json"), "does not hold"),
        (fence("sh", "conformance selftest --no", "not-run=why"), "No such option"),
        (fence("sh", "true", "not-run"), "say why"),
        (fence("text", "a", "output"), "what was printed is"),
        (fence("python", "x = 1", "file=../x.py"), "outside"),
    ],
)
def test_a_block_that_does_not_hold_is_noticed(page: str, message: str, tmp_path: Path) -> None:
    with closing(World(tmp_path)) as world:
        assert message in fault(page, world)


def test_commands_of_a_page_share_a_folder_variables_and_an_exit_code(tmp_path: Path) -> None:
    page = fence("sh", "export WORD=here") + fence("console", "$ false\n$ echo $? $WORD | tee file\n1 here", "exit=1,0")
    with closing(World(tmp_path)) as world:
        assert [play(block, world) for block in blocks("p.md", page)] == ["run", "run"]
    assert (tmp_path / "file").read_text("utf-8") == "1 here\n"


def test_made_up_addresses_answer_and_no_other(tmp_path: Path) -> None:
    address = "http://localhost:8000/v1"
    ask = "import urllib.request as u; print(u.urlopen('{}/models').url)"
    page = fence("sh", f'python -c "{ask.format(address)}"', f"{address}=honest")
    other = "http://localhost:8001/v1"
    with closing(World(tmp_path)) as world:
        (first,) = blocks("p.md", page)
        play(first, world)
        assert world.printed.strip() == f"{address}/models"
        for block in (fence("sh", f"echo {other}"), fence("python", ask.format(other))):
            assert f"nobody answers {other}" in fault(block, world)
        # what is put together at run time does not get out either
        assert "refused" in fault(fence("python", ask.format("http:/' + '/example.com")), world)


def test_what_a_command_left_behind_is_ended(tmp_path: Path) -> None:
    with closing(World(tmp_path)) as world:
        world.run("sleep 300 > /dev/null 2>&1 & echo $!")
        left = int(world.printed)
        os.kill(left, 0)
    until = time.monotonic() + 10
    while Path(f"/proc/{left}/cmdline").exists() and Path(f"/proc/{left}/cmdline").read_bytes():
        assert time.monotonic() < until
        time.sleep(0.02)

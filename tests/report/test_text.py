"""Text of others stays text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from conformance.report.text import anchor, code, prose, ticked, visible

ANY = st.text(st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü 漢 🙂", "plain ü 漢 🙂"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\r\n\tb\x00", "a\\r\\n\\tb\\x00"),
        ("\u202eevil\u200b", "\\u202eevil\\u200b"),
        ("\ud83d half", "\\ud83d half"),
        ("\ufffe", "\\ufffe"),
        ("\U000e0001", "\\U000e0001"),
        ("x" * 401, "x" * 399 + "…"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY)
def test_visible_text_is_one_printable_line_of_utf_8(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    shown.encode()


@given(ANY)
def test_code_renders_as_exactly_the_visible_text(text: str) -> None:
    html = MarkdownIt("commonmark").render(f"- before {code(text)} after")
    shown = visible(text)
    if not shown.strip():
        assert "<code>" not in html
        return
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    assert f"before <code>{escaped}</code> after" in html


@given(ANY)
def test_prose_stays_one_cell_of_plain_text(text: str) -> None:
    html = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .render(f"| a | b |\n|---|---|\n| x{prose(text)}x | y |")
    )
    body = html.partition("<tbody>")[2]
    assert body.count("<td>") == 2
    tags = {part.partition(">")[0].strip("/") for part in body.split("<")[1:]}
    assert tags <= {"tr", "td", "tbody", "table"}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("https://evil.example", "://"),
        ("see @octocat", "@o"),
        ("fix #12", " #12"),
        ("www.evil.example", "www."),
        (":tada:", ":t"),
        ("$x$", "$"),
        ("~~no~~", "~"),
    ],
)
def test_prose_starts_nothing_that_github_would_turn_into_more(text: str, start: str) -> None:
    assert start in text
    assert start not in prose(text)


def test_names_stay_readable() -> None:
    assert prose("long_arguments/stream at 06:34:13+00:00") == "long_arguments/stream at 06:34:13+00:00"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("neither reason nor `[DONE]`; ask", "neither reason nor <code>[DONE]</code>; ask"),
        ("odd ` tick <b>", "odd ` tick &lt;b&gt;"),
        ("`a|b`", "`a|b`"),
    ],
)
def test_backticks_of_ours_mark_code(text: str, html: str) -> None:
    assert MarkdownIt("commonmark").renderInline(ticked(text)) == html


def test_anchors_hold_nothing_but_letters_digits_and_hyphens() -> None:
    assert anchor("evidence", "ID <x>", "", "a/b.c") == "evidence-id-x-a-b-c"

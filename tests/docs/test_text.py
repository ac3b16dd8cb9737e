"""What stands in the sentences of the pages: links, commands, options, and paths lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it.token import Token

from tests.docs import commands
from tests.docs.blocks import ROOT, Wrong, tokens
from tests.docs.test_pages import PAGES, blocks_of

each = pytest.mark.parametrize("page", PAGES)
OF_OTHERS = frozenset(("--most",))
"""Options that sentences name of programs in `benchmarks/`."""


def inline(page: str) -> Iterator[Token]:
    """What stands inside of the paragraphs, headings and tables of a page."""
    for token in tokens((ROOT / page).read_text(encoding="utf-8")):
        yield from token.children or []


def codes(page: str) -> list[str]:
    return [token.content for token in inline(page) if token.type == "code_inline"]


@cache
def anchors(path: Path) -> frozenset[str]:
    """What GitHub makes of the headings of a page, and the anchors written into it."""
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    listed = tokens(text)
    for opening, title in pairwise(listed):
        if opening.type == "heading_open":
            words = "".join(t.content for t in title.children or [] if t.type in ("text", "code_inline"))
            slug = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
            number = 1
            while slug in found:
                slug, number = f"{slug.removesuffix(f'-{number - 1}')}-{number}", number + 1
            found.add(slug)
    return frozenset(found)


@each
def test_links_lead_somewhere(page: str) -> None:
    targets = [str(token.attrs["href"]) for token in inline(page) if token.type == "link_open"]
    for target in targets:
        if re.match(r"https?:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (ROOT / page).parent / name if name else ROOT / page
        assert path.exists(), f"{page}: {target}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{page}: {target}"


@each
def test_commands_in_sentences_exist(page: str) -> None:
    for code in codes(page):
        if re.match(r"(conformance|make|pytest|python benchmarks/\S+) ", code) and "=" not in code.split()[0]:
            try:
                commands.check(code)
            except (Wrong, ValueError) as error:
                pytest.fail(f"{page}: `{code}`: {error}")


@each
def test_options_in_sentences_exist(page: str) -> None:
    known = commands.our_options() | commands.pytest_options() | OF_OTHERS
    named = {match for code in codes(page) for match in re.findall(r"^--[a-z][a-z-]*", code)}
    assert named - known == set()


@each
def test_paths_in_sentences_exist(page: str) -> None:
    saved = {block.settings.get("file") for block in blocks_of(page)}
    for code in set(codes(page)) - saved:
        if re.fullmatch(r"(conformance|tests|tools|benchmarks|reports)/[\w./-]*[a-z](\.\w+)?/?", code):
            assert (ROOT / code).exists(), f"{page}: `{code}`"


def test_every_guide_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [
        page for page in PAGES if page.startswith("docs/") and page != "docs/README.md" and f"({page[5:]})" not in index
    ] == []

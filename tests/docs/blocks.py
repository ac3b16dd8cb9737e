"""The code blocks of a page, and what a comment above one says about how it is run.

A comment `<!-- test: … -->` right above a block holds settings, written as a shell would read them:

| setting | meaning |
|---|---|
| `http://…=FAULT` | from here on, this address is answered by the fault server: `honest`, or the name of a fault |
| `put=NAME,…` | from here on, these files are there; `stages.FILES` knows them |
| `env=NAME` | from here on, this variable holds a made-up key |
| `exit=1` or `exit=1,0` | the exit code of each of the block's commands, or of one after the other; 0 unless said |
| `file=NAME` | save the block under this name; a later command has to use it |
| `add` | add the block to `providers.yaml` |
| `stage=NAME` | run the Python block on this stage (`stages.STAGES`) |
| `background` | the block's first command runs until the block with `output=background`, or the page's end |
| `output` | the block is what the commands before printed, or with `output=background` the program there |
| `output-of=COMMAND` | the block is part of what this command prints; with `gaps` lines may be left out |
| `is=KIND` | the YAML block is a `workflow` or a `pre-commit` file |
| `schema=FILE` | the JSON block is valid by this schema |
| `not-run=WHY` | the block cannot be run here; its options are checked all the same |
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT: Final = Path(__file__).parents[2]
LASTING: Final = frozenset(("put", "env"))
OF_A_BLOCK: Final = frozenset(
    ("exit", "file", "add", "stage", "background", "output", "output-of", "gaps", "is", "schema", "not-run")
)
_COMMENT: Final = re.compile(r"\s*<!--\s*test:\s*(.*?)\s*-->\s*", re.DOTALL)


class Wrong(Exception):
    """A page says something that does not hold; the message says what."""


@dataclass(frozen=True, slots=True)
class Block:
    """A code block.

    Attributes:
        page: path of its page, relative to the repository.
        line: its first line in the page, from 1.
        kind: the word after the fence; `sh` for an indented block, "" for a fence without a word.
        text: what stands in it.
        lasting: settings that hold from here on, to the end of the page.
        settings: settings for this block.
    """

    page: str
    line: int
    kind: str
    text: str
    lasting: Mapping[str, str]
    settings: Mapping[str, str]

    @property
    def first(self) -> str:
        """The first line, by which tests name a block."""
        return self.text.split("\n", 1)[0].strip()


def tokens(text: str) -> list[Token]:
    """A page as markdown-it reads it."""
    return MarkdownIt("commonmark").enable("table").parse(text)


def blocks(page: str, text: str, elsewhere: Mapping[str, str] | None = None) -> list[Block]:
    """Every code block of a page.

    Args:
        page: its path.
        text: its Markdown.
        elsewhere: settings by the beginning of a block, for a page without comments.

    Raises:
        Wrong: a comment that stands above no block, or a setting that nobody knows.
    """
    found: list[Block] = []
    said: str | None = None
    left = dict(elsewhere or {})
    for token in tokens(text):
        if token.type == "html_block" and (comment := _COMMENT.fullmatch(token.content)):
            if said is not None:
                raise Wrong(f"{page}: two comments follow each other: {said!r}")
            said = comment[1]
        elif token.type in ("fence", "code_block"):
            line = (token.map or [0])[0] + 1
            kind = token.info.strip() if token.type == "fence" else "sh"
            text_of = token.content.rstrip("\n")
            mine = [start for start in left if text_of.lstrip().startswith(start)]
            settings = left.pop(mine[0]) if said is None and mine else said
            found.append(Block(page, line, kind, text_of, *_settings(f"{page}:{line}", settings or "")))
            said = None
        elif said is not None and token.nesting >= 0 and token.type not in ("list_item_open",):
            raise Wrong(f"{page}: no code block follows the comment {said!r}")
    if said is not None or left:
        raise Wrong(f"{page}: no code block is there for {said or list(left)}")
    return found


def _settings(where: str, text: str) -> tuple[dict[str, str], dict[str, str]]:
    lasting: dict[str, str] = {}
    mine: dict[str, str] = {}
    for word in shlex.split(text):
        # an address may hold no `=`: what stands behind the last one is the fault
        name, _, value = word.rpartition("=") if word.startswith("http") else word.partition("=")
        if name in LASTING or word.startswith("http"):
            lasting[name] = value
        elif name in OF_A_BLOCK:
            mine[name] = value
        else:
            raise Wrong(f"{where}: nobody knows the setting {word!r}")
    return lasting, mine

"""Every code block of README and docs/*.md is run, or checked as far as it can be."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Block, Wrong, blocks
from tests.docs.elsewhere import NOT_RUN, SETTINGS
from tests.docs.play import play
from tests.docs.world import World

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


def blocks_of(page: str) -> list[Block]:
    return blocks(page, (ROOT / page).read_text(encoding="utf-8"), SETTINGS.get(page))


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_the_page_holds(page: str, tmp_path: Path) -> None:
    found = blocks_of(page)
    if shutil.which("curl") is None and any("curl " in block.text for block in found):
        pytest.skip("the page uses curl, which is not here")
    outcomes, wrong = [], []
    with closing(World(tmp_path)) as world:
        for block in found:
            try:
                outcomes.append(play(block, world))
            except Wrong as error:
                wrong.append(f"{page}:{block.line}: {error}")
    assert not wrong, "\n\n".join(wrong)
    assert len(outcomes) == len(found)
    assert [block.first for block in found if "file" in block.settings and not tried(block, found)] == []


def tried(saved: Block, page: list[Block]) -> bool:
    """Whether another block names the file that one is saved as, or imports or selects it by its stem."""
    stem = Path(saved.settings["file"]).stem
    names = {saved.settings["file"], stem, stem.replace("_", "-")}
    return any(
        re.search(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])", b.text) for b in page if b is not saved
    )


def test_the_blocks_that_are_not_run_are_these() -> None:
    found = [(page, block.first) for page in PAGES for block in blocks_of(page) if "not-run" in block.settings]
    assert len(found) == len(NOT_RUN)
    for page, start in NOT_RUN:
        assert [first for where, first in found if where == page and first.startswith(start)], (page, start)


@pytest.mark.parametrize("page", PAGES)
def test_no_block_is_overlooked(page: str) -> None:
    fences = re.findall(r"^ *```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    with_words = [block for block in blocks_of(page) if block.text]
    assert len(fences) % 2 == 0
    assert len(with_words) >= len(fences) // 2

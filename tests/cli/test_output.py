"""Output that cannot be written is one sentence, whichever command writes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.importers.examples import STREAM

FULL = Path("/dev/full")


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `conformance …` with redirections."""
    command = f'"{sys.executable}" -m conformance {line}'
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with a stream."""
    (tmp_path / "a.sse").write_bytes(STREAM)
    return tmp_path


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "line", ["inspect a.sse", "inspect --format json a.sse", "inspect --diff a.sse a.sse", "explain index-missing"]
)
def test_a_full_disk(line: str, folder: Path) -> None:
    done = shell(f"{line} > /dev/full", folder)
    assert done.returncode == 4
    assert done.stderr == (
        "the output: cannot be written (No space left on device); make room, or write somewhere else\n"
    )


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_not_even_the_sentence_can_be_written(folder: Path) -> None:
    assert shell("inspect none.sse 2> /dev/full", folder).returncode == 4


def test_no_output_at_all(folder: Path) -> None:
    done = shell("inspect a.sse >&-", folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_that_is_not_utf_8(folder: Path) -> None:
    (folder / "a.sse").write_bytes(STREAM.replace(b"Paris", "東京".encode()))
    done = shell("inspect a.sse", folder)
    assert "東京" in done.stdout
    (folder / "run.py").write_text("import conformance.cli\nconformance.cli.main(['inspect', 'a.sse'])\n")
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    plain = subprocess.run(
        [sys.executable, "run.py"], cwd=folder, capture_output=True, env=environment, timeout=60, check=False
    )
    assert plain.returncode == 0
    assert b"\\u6771\\u4eac" in plain.stdout

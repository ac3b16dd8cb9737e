"""Folders: which files are read, in which order, and that none of them is fatal."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from conformance.errors import InputError
from conformance.importers import files, load
from tests.importers.examples import STREAM


def made(folder: Path, *names: str) -> None:
    """Streams under these names."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(STREAM)


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    made(tmp_path, "b.sse", "a/z.json", "a/b/c", "c", ".hidden", ".git/x.json", "README.md", "LICENSE", "x.py", "a.gz")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert [str(p.relative_to(tmp_path)) for p in files(tmp_path)] == ["a/b/c", "a/z.json", "a.gz", "b.sse", "c"]


def test_a_file_is_itself_whatever_it_is_called(tmp_path: Path) -> None:
    made(tmp_path, ".hidden.py")
    assert list(files(tmp_path / ".hidden.py")) == [tmp_path / ".hidden.py"]


def test_nothing_to_read_is_a_sentence(tmp_path: Path) -> None:
    made(tmp_path, "README.md")
    with pytest.raises(InputError, match="no file in this folder can hold an exchange"):
        list(files(tmp_path))
    with pytest.raises(InputError, match="there is no such file"):
        list(files(tmp_path / "none"))


def test_a_folder_gives_all_that_can_be_read_and_names_the_rest(tmp_path: Path) -> None:
    made(tmp_path, "a.sse", "c.sse")
    (tmp_path / "b.txt").write_text("just some words")
    (tmp_path / "d.yaml").write_text("interactions: [")
    exchanges = load(tmp_path)
    assert [next(exchanges).source, next(exchanges).source] == [f"{tmp_path}/a.sse#0", f"{tmp_path}/c.sse#0"]
    with pytest.raises(InputError) as raised:
        next(exchanges)
    first, second = str(raised.value).splitlines()
    assert first == f"{tmp_path}/b.txt: holds no exchange in any known format"
    assert second.startswith(f"{tmp_path}/d.yaml is not YAML")


def test_links_that_lead_nowhere_are_passed_over(tmp_path: Path) -> None:
    made(tmp_path, "a.sse")
    (tmp_path / "b").symlink_to(tmp_path / "c")
    (tmp_path / "c").symlink_to(tmp_path / "b")
    assert list(files(tmp_path)) == [tmp_path / "a.sse"]
    with pytest.raises(InputError, match="cannot be read"):
        list(load(tmp_path / "b"))


def test_a_device_without_end_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("conformance.importers.load"), "MAX_FILE", 1 << 20)
    with pytest.raises(InputError, match="/dev/zero: there are more than 1 MiB; split it"):
        list(load("/dev/zero"))

"""Files are written as a whole, the same record gives the same bytes, and links find the cassettes."""

import os
from pathlib import Path

import pytest

from conformance.errors import ConfigError
from conformance.report import FORMATS, build, write, write_all
from conformance.report.files import base_for
from tests.report.examples import exchange, finding, nasty, record

BAD = record(exchange("acme", "single_call", "stream", finding()))


def test_all_files_are_written(tmp_path: Path) -> None:
    paths = write_all(BAD, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["quirks.md", "quirks.html", "quirks.json", "junit.xml"]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(p.name for p in paths)
    assert all(path.read_text(encoding="utf-8").endswith("\n") for path in paths)


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    for only in (BAD, nasty()):
        first = [path.read_bytes() for path in write_all(only, tmp_path / "a")]
        assert first == [path.read_bytes() for path in write_all(only, tmp_path / "b")]


def test_only_the_format_that_was_asked_for(tmp_path: Path) -> None:
    assert write(build(BAD), tmp_path, "json") == [tmp_path / "quirks.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["quirks.json"]


def test_no_file_tells_about_this_machine(tmp_path: Path) -> None:
    for path in write_all(BAD, tmp_path):
        assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_links_lead_to_the_nearest_cassettes_above(tmp_path: Path) -> None:
    cassette = tmp_path / "cassettes" / "acme" / "single_call.stream.yaml"
    cassette.parent.mkdir(parents=True)
    cassette.touch()
    write_all(BAD, tmp_path / "runs" / "latest")
    text = (tmp_path / "runs" / "latest" / "quirks.md").read_text(encoding="utf-8")
    assert "](../../cassettes/acme/single_call.stream.yaml)" in text


@pytest.mark.parametrize("evidence", [None, {"cassette": "cassettes/nowhere.yaml", "interaction": 0}])
def test_where_no_cassettes_are_links_are_those_of_the_published_table(tmp_path: Path, evidence: object) -> None:
    assert base_for(build(record(exchange(evidence=evidence))), tmp_path) == "../"


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"quirks\.md: cannot write it \(.+\); choose another folder with -o"):
        write_all(BAD, tmp_path / "file")


@pytest.mark.skipif(os.name == "nt", reason="a folder in the way is refused differently")
def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    (tmp_path / "quirks.md").mkdir()
    with pytest.raises(ConfigError):
        write_all(BAD, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["quirks.md"]


def test_every_format_has_a_file_of_its_own() -> None:
    assert len({name for name, _ in FORMATS.values()}) == len(FORMATS)

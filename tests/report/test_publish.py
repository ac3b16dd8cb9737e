"""Several files are written into a folder that may hold older ones of ours, or files of somebody else's."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from conformance.cli import call
from conformance.errors import ConfigError
from conformance.report import files
from conformance.report.publish import publish

DATA = Path(__file__).parent / "data"
LIST = "assets/SHA256SUMS"


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_files_are_written_with_a_list_of_their_checksums(tmp_path: Path) -> None:
    written = publish(tmp_path / "site", {"index.html": b"one", "quirks/a.html": b"two"}, LIST)
    assert names(tmp_path / "site") == {"index.html", "quirks/a.html", "assets/SHA256SUMS"}
    assert set(written) == {tmp_path / "site" / name for name in names(tmp_path / "site")}
    assert (tmp_path / "site" / "assets" / "SHA256SUMS").read_text() == (
        f"{hashlib.sha256(b'one').hexdigest()}  index.html\n{hashlib.sha256(b'two').hexdigest()}  quirks/a.html\n"
    )


def test_pages_that_are_no_longer_written_go(tmp_path: Path) -> None:
    publish(tmp_path, {"index.html": b"one", "evidence/a/b.html": b"two", "evidence/c.html": b"three"}, LIST)
    publish(tmp_path, {"index.html": b"new", "evidence/c.html": b"three"}, LIST)
    assert names(tmp_path) == {"index.html", "evidence/c.html", "assets/SHA256SUMS"}
    assert (tmp_path / "index.html").read_bytes() == b"new"
    assert not (tmp_path / "evidence" / "a").exists()


def test_what_somebody_else_wrote_stays(tmp_path: Path) -> None:
    (tmp_path / "quirks").mkdir()
    (tmp_path / "quirks" / "mine.html").write_text("mine")
    (tmp_path / "CNAME").write_text("example.org")
    publish(tmp_path, {"quirks/ours.html": b"ours"}, LIST)
    publish(tmp_path, {"index.html": b"one"}, LIST)
    assert names(tmp_path) == {"quirks/mine.html", "CNAME", "index.html", "assets/SHA256SUMS"}


def test_a_page_of_ours_that_somebody_changed_stays(tmp_path: Path) -> None:
    publish(tmp_path, {"index.html": b"one", "quirks/a.html": b"two"}, LIST)
    (tmp_path / "quirks" / "a.html").write_text("edited")
    publish(tmp_path, {"index.html": b"one"}, LIST)
    assert (tmp_path / "quirks" / "a.html").read_text() == "edited"


def test_what_somebody_added_to_a_page_of_ours_is_not_lost(tmp_path: Path) -> None:
    publish(tmp_path, {"index.html": b"one", "quirks/a.html": b"two"}, LIST)
    with (tmp_path / "quirks" / "a.html").open("a") as stream:
        stream.write(" and mine")
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    with pytest.raises(ConfigError, match=r"quirks/a\.html: it is there already, and was changed since it was written"):
        publish(tmp_path, {"index.html": b"new", "quirks/a.html": b"new"}, LIST)
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before
    (tmp_path / "quirks" / "a.html").unlink()
    publish(tmp_path, {"index.html": b"new", "quirks/a.html": b"new"}, LIST)
    assert (tmp_path / "quirks" / "a.html").read_text() == "new"


def test_after_an_interruption_both_states_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = files.write

    def interrupted(path: Path, content: str | bytes) -> Path:
        if path.name == "b.html":
            raise KeyboardInterrupt
        return write(path, content)

    publish(tmp_path, {"a.html": b"one", "b.html": b"one", "c.html": b"one"}, LIST)
    with monkeypatch.context() as patched:
        patched.setattr(files, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            publish(tmp_path, {"a.html": b"two", "b.html": b"two"}, LIST)
    publish(tmp_path, {"a.html": b"three", "b.html": b"three"}, LIST)
    assert names(tmp_path) == {"a.html", "b.html", LIST}
    assert (tmp_path / "b.html").read_text() == "three"
    assert len((tmp_path / LIST).read_text().splitlines()) == 2


def test_a_file_of_somebody_elses_in_the_way_is_one_sentence_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(ConfigError, match=r"index\.html: it is there already.*choose another folder with -o"):
        publish(tmp_path, {"quirks/a.html": b"two", "index.html": b"one"}, LIST)
    assert names(tmp_path) == {"index.html"}
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_file_that_is_what_we_would_write_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("one")
    publish(tmp_path, {"index.html": b"one"}, LIST)
    assert names(tmp_path) == {"index.html", "assets/SHA256SUMS"}


@pytest.mark.parametrize("name", ["../outside.html", "/outside.html", "a/../../outside.html"])
def test_a_list_that_names_files_elsewhere_removes_none(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text("theirs")
    folder = tmp_path / "site" / "assets"
    folder.mkdir(parents=True)
    checksum = hashlib.sha256(b"theirs").hexdigest()
    absolute = str(outside) if name.startswith("/") else name
    (folder / "SHA256SUMS").write_text(f"{checksum}  {absolute}\nnonsense\n\x00\n")
    publish(tmp_path / "site", {"index.html": b"one"}, LIST)
    assert outside.read_text() == "theirs"


def test_a_link_to_somewhere_else_is_not_followed(tmp_path: Path) -> None:
    publish(tmp_path / "site", {"index.html": b"one", "quirks/a.html": b"two"}, LIST)
    outside = tmp_path / "outside.html"
    outside.write_bytes(b"two")
    (tmp_path / "site" / "quirks" / "a.html").unlink()
    (tmp_path / "site" / "quirks" / "a.html").symlink_to(outside)
    publish(tmp_path / "site", {"index.html": b"one"}, LIST)
    assert outside.read_bytes() == b"two"


def test_the_command_says_where_to_begin(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = call(["report", str(DATA / "zeta.jsonl"), "-f", "html", "-o", str(tmp_path / "site")])
    out, err = capsys.readouterr()
    assert (code, out) == (0, f"{tmp_path / 'site' / 'index.html'}\n")
    assert "the cassettes are not at hand" in err
    assert err.count("\n") == 1
    assert {"index.html", "providers/zeta.html", "quirks/index-missing.html"} <= names(tmp_path / "site")


def test_the_same_record_gives_the_same_site(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("a", "b"):
        call(["report", str(DATA / "acme.jsonl"), "-f", "html", "-o", str(tmp_path / name)])
    capsys.readouterr()
    assert names(tmp_path / "a") == names(tmp_path / "b")
    for name in names(tmp_path / "a"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_a_page_in_the_way_is_exit_code_four(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    assert call(["report", str(DATA / "acme.jsonl"), "-f", "html", "-o", str(tmp_path)]) == 4
    assert "it is there already" in capsys.readouterr().err
    assert names(tmp_path) == {"index.html"}


def test_what_is_written_with_another_list_stays(tmp_path: Path) -> None:
    publish(tmp_path, {"one.md": b"one"}, "ones.sha256")
    publish(tmp_path, {"two.md": b"two"}, "twos.sha256")
    assert publish(tmp_path, {}, "ones.sha256") == [tmp_path / "ones.sha256"]
    assert names(tmp_path) == {"two.md", "ones.sha256", "twos.sha256"}


def test_nothing_to_write_makes_no_folder(tmp_path: Path) -> None:
    assert publish(tmp_path / "none", {}, LIST) == []
    assert not (tmp_path / "none").exists()


def test_files_can_be_written_one_after_the_other(tmp_path: Path) -> None:
    publish(tmp_path, {"diff.md": b"one"}, "diff.sha256", clear=False)
    publish(tmp_path, {"diff.json": b"two"}, "diff.sha256", clear=False)
    publish(tmp_path, {"diff.md": b"new"}, "diff.sha256", clear=False)
    assert names(tmp_path) == {"diff.md", "diff.json", "diff.sha256"}


def test_badges_are_replaced_and_those_of_others_are_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    badges = tmp_path / "badges"
    assert call(["report", str(DATA / "acme.jsonl"), "-f", "badges", "-o", str(badges)]) in (0, 1)
    assert (badges / "acme.json").is_file()
    assert call(["report", str(DATA / "zeta.jsonl"), "-f", "badges", "-o", str(badges)]) == 0
    assert names(badges) == {"all.json", "zeta.json", "badges.sha256"}, "a provider that is no more has no badge"
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "all.json").write_text("mine")
    assert call(["report", str(DATA / "zeta.jsonl"), "-f", "badges", "-o", str(theirs)]) == 4
    assert "all.json: it is there already" in capsys.readouterr().err
    assert (names(theirs), (theirs / "all.json").read_text()) == ({"all.json"}, "mine")

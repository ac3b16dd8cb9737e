"""A recording replaces an older one only once it is complete."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conformance.errors import CassetteError, NotRun
from conformance.transport import Store, read_cassette
from tests.transport import server
from tests.transport.asking import BODY, ask, record, replay
from tests.transport.server import serving

OTHER: dict[str, Any] = {**BODY, "n": 1}


def bodies(path: Path) -> list[bytes]:
    return [exchange.body for exchange in read_cassette(path)]


def test_recording_again_replaces_everything(path: Path) -> None:
    record(path, server.sized(b"old"), bodies=(BODY, OTHER))
    record(path, server.sized(b"new"))
    assert bodies(path) == [b"new"]


def test_a_recording_that_fails_leaves_the_old_one(path: Path) -> None:
    record(path, server.sized(b"old"))
    before = path.read_bytes()
    with pytest.raises(NotRun):
        record(path, server.sized(b"new"), server.raw(), bodies=(BODY, OTHER))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_after_a_failure_nothing_more_is_recorded(path: Path) -> None:
    with serving(server.sized(b"1"), server.raw(), server.sized(b"3")) as local, Store.open(path, "record") as store:
        ask(local.url, store=store)
        with pytest.raises(NotRun):
            ask(local.url, store=store)
        assert ask(local.url, store=store).body == b"3"
    assert not path.exists()


def test_an_interrupted_recording_leaves_the_old_one(path: Path) -> None:
    def interrupted() -> None:
        with serving(server.sized(b"new")) as local, Store.open(path, "record") as store:
            ask(local.url, store=store)
            raise KeyboardInterrupt

    record(path, server.sized(b"old"))
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert bodies(path) == [b"old"]


def test_a_recording_without_a_request_leaves_the_old_one(path: Path) -> None:
    record(path, server.sized(b"old"))
    record(path, server.sized(b"new"), bodies=())
    assert bodies(path) == [b"old"]


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let the system refuse to write more than this into any file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_leaves_the_old_one(path: Path) -> None:
    record(path, server.sized(b"old"))
    before = path.read_bytes()
    with files_up_to(4096), pytest.raises(CassetteError) as caught:
        record(path, server.sized(b"x" * 10_000))
    assert str(path) in str(caught.value)
    assert "File too large" in str(caught.value)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CassetteError, match="cannot be written") as caught:
        record(tmp_path / "file" / "x.yaml", server.stream)
    assert "\n" not in str(caught.value)


def test_permissions_of_the_old_file_are_kept(path: Path) -> None:
    record(path, server.stream)
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o640)
    record(path, server.stream)
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("mode", "existing", "expected"),
    [
        ("once", False, b"live"),
        ("once", True, b"old"),
        ("new_episodes", False, b"live"),
        ("new_episodes", True, b"old"),
        ("none", True, b"old"),
        ("all", False, b"live"),
        ("all", True, b"live"),
    ],
)
def test_vcrpy_modes_keep_their_meaning(path: Path, mode: str, existing: bool, expected: bytes) -> None:
    if existing:
        record(path, server.sized(b"old"))
    with serving(server.sized(b"live")) as local, Store.open(path, mode) as store:
        assert ask(local.url, store=store).body == expected
    assert bodies(path) == [expected]


def test_new_episodes_adds_what_is_new(path: Path) -> None:
    record(path, server.sized(b"old"))
    record(path, server.sized(b"new"), mode="new_episodes", bodies=(BODY, OTHER))
    assert [exchange.body for exchange in replay(path, BODY, OTHER)] == [b"old", b"new"]


def test_all_keeps_what_it_does_not_ask_again(path: Path) -> None:
    record(path, server.sized(b"old"), bodies=(BODY, OTHER))
    record(path, server.sized(b"new"), mode="all")
    assert [exchange.body for exchange in replay(path, BODY, OTHER)] == [b"new", b"old"]

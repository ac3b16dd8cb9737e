"""A cassette that is not what was recorded is named in one sentence, and never played or overwritten by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.errors import CassetteCorrupt
from conformance.transport import Store, read_cassette
from conformance.transport.cassette_file import seal
from conformance.transport.cassettes import exchanges_of
from tests.transport import server
from tests.transport.asking import NOWHERE, ask, record, replay

SEAL = re.compile(rb"# sha256 of all lines above: [0-9a-f]{64}\n\Z")


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new)

    return change


def resealed(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """A change by somebody who mends the checksum of the file as well."""
    return lambda data: seal(SEAL.sub(b"", change(data)).decode())


CHANGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "is empty"),
    "blank": (lambda _: b"\n \n", "is empty"),
    "body": (replaced(b"[DONE]", b"[DONF]"), "its checksum does not fit"),
    "header": (replaced(b"text/event-stream", b"text/event-strean"), "its checksum does not fit"),
    "status": (replaced(b"code: 200", b"code: 201"), "its checksum does not fit"),
    "cut short": (lambda data: data[: len(data) // 2], "its last line, the checksum, is missing or damaged"),
    "seal gone": (lambda data: SEAL.sub(b"", data), "its last line, the checksum, is missing or damaged"),
    "seal cut": (lambda data: data[:-2], "its last line, the checksum, is missing or damaged"),
    "seal word": (replaced(b"# sha256", b"# sha255"), "its last line, the checksum, is missing or damaged"),
    "text added": (lambda data: data + b"\n", "its last line, the checksum, is missing or damaged"),
    "body, resealed": (resealed(replaced(b"[DONE]", b"[DONF]")), "the response body is not the one"),
    "request, resealed": (resealed(replaced(b'"model":"m"', b'"model":"n"')), "the request body is not the one"),
    "pieces, resealed": (resealed(lambda d: re.sub(rb"pieces: .*", b"pieces: [[1.0, 3]]", d)), "do not add up"),
    "pieces gone": (resealed(lambda d: re.sub(rb" *pieces: .*\n", b"", d)), "lacks a part of x-conformance"),
    "end unknown": (resealed(replaced(b"kind: end", b"kind: ned")), "names no known end of a body"),
    "status gone": (resealed(replaced(b"code: 200", b"cide: 200")), "without status code"),
    "not YAML": (lambda _: b'a: "b\n', "is not YAML: "),
    "not a cassette": (lambda _: b"- 1\n", "is not a vcrpy cassette"),
    "no interactions": (lambda _: b"version: 1\n", "is not a vcrpy cassette"),
    "interactions of no kind": (lambda _: b"interactions: [1]\nversion: 1\n", "is not a vcrpy cassette"),
    "empty list": (lambda _: b"interactions: []\nversion: 1\n", "holds no interaction"),
    "not UTF-8": (lambda _: b"version: 1\nx: \xff\n", "is not UTF-8 (line 2)"),
    "foreign tag": (lambda _: b"interactions: !!python/object:os.system {}\n", "is not a vcrpy cassette"),
    "deep": (lambda _: b"[" * 100_000, "is not "),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A cassette as it was recorded."""
    path = tmp_path_factory.mktemp("cassettes") / "x.yaml"
    record(path, server.stream)
    return path.read_bytes()


def use(path: Path, mode: str) -> None:
    with Store.open(path, mode) as store:
        ask(NOWHERE, store=store)


@pytest.mark.parametrize(("change", "sentence"), CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("mode", ["none", "once", "new_episodes", "all"])
def test_it_is_an_error_in_every_mode(
    tmp_path: Path, whole: bytes, change: Callable[[bytes], bytes], sentence: str, mode: str
) -> None:
    path = tmp_path / "x.yaml"
    damaged = change(whole)
    path.write_bytes(damaged)
    with pytest.raises(CassetteCorrupt) as caught:  # and not NotRun: the server is not asked
        use(path, mode)
    text = str(caught.value)
    assert text.startswith(f"{path} ")
    assert sentence in text
    assert "conformance run --provider local --scenario single_call --mode stream --record" in text
    assert "\n" not in text
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "empty list"])
def test_reading_it_is_an_error_too(tmp_path: Path, whole: bytes, name: str) -> None:
    change, sentence = CHANGES[name]
    path = tmp_path / "x.yaml"
    path.write_bytes(change(whole))
    with pytest.raises(CassetteCorrupt, match=re.escape(sentence)) as caught:
        read_cassette(path)
    assert "\n" not in str(caught.value)


def test_any_changed_byte_is_noticed(whole: bytes) -> None:
    for place in range(len(whole)):
        with pytest.raises(CassetteCorrupt):
            exchanges_of(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :], "x")


def test_any_missing_byte_is_noticed(whole: bytes) -> None:
    for place in range(len(whole)):
        with pytest.raises(CassetteCorrupt):
            exchanges_of(whole[:place] + whole[place + 1 :], "x")


def test_line_ends_changed_by_version_control_are_no_damage(path: Path) -> None:
    record(path, server.stream)
    (before,) = replay(path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert replay(path) == [before]


def test_recording_everything_again_is_the_way_out(path: Path) -> None:
    record(path, server.stream)
    path.write_bytes(b"")
    record(path, server.sized(b"new"))
    assert [exchange.body for exchange in read_cassette(path)] == [b"new"]


def test_a_file_that_cannot_be_read_is_named(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(CassetteCorrupt, match="cannot be read: Is a directory"):
        read_cassette(path)
    with pytest.raises(CassetteCorrupt, match="cannot be read: Is a directory"):
        replay(path)


def test_a_cassette_of_somebody_else_does_not_stand_for_ours(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(re.sub(rb"    x-conformance:\n(?:      .*\n)+?    body", b"    body", SEAL.sub(b"", whole)))
    with pytest.raises(CassetteCorrupt, match="was not recorded by conformance"):
        use(path, "none")
    (exchange,) = read_cassette(path)
    assert exchange.body == server.STREAM
    assert exchange.pieces == ()

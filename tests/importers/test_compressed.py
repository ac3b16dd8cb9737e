"""Compressed files: what can be unpacked is read, whatever comes after it, and a damage is one sentence."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from conformance.importers.compressed import Unpacked, unpack
from tests.importers.examples import CAPTURE, outcome

COMPRESS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "zstd": zstandard.compress}
forms = pytest.mark.parametrize("form", COMPRESS)


def captures(many: int) -> bytes:
    """Captures on lines, each with something that does not compress."""
    noise = random.Random(1)
    return b"".join(json.dumps({**CAPTURE, "note": noise.randbytes(600).hex()}).encode() + b"\n" for _ in range(many))


@given(st.sampled_from(sorted(COMPRESS)), st.lists(st.binary(max_size=3000), min_size=1, max_size=4))
def test_what_was_compressed_in_parts_comes_back_whole(form: str, parts: list[bytes]) -> None:
    assert unpack(b"".join(map(COMPRESS[form], parts))) == (b"".join(parts), None)


@given(st.sampled_from(sorted(COMPRESS)), st.data())
def test_a_file_that_was_cut_gives_its_beginning_and_says_so(form: str, data: st.DataObject) -> None:
    content = captures(20)
    whole = COMPRESS[form](content)
    plain, damage = unpack(whole[: data.draw(st.integers(4, len(whole) - 1))])
    assert content.startswith(plain)
    assert str(damage) == "ends before its end"


@given(st.sampled_from(sorted(COMPRESS)), st.data())
def test_no_damage_is_more_than_an_end(form: str, data: st.DataObject) -> None:
    whole = bytearray(COMPRESS[form](captures(3)))
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    raw = Unpacked(io.BytesIO(whole))
    raw.buffered().read()
    assert raw.damage is None or str(raw.damage)


def test_of_gzip_every_byte_before_the_damage_is_kept() -> None:
    first, second = captures(40), captures(40)
    begun = gzip.compress(first)
    # The second member has a block of a type that does not exist.
    plain, damage = unpack(begun + gzip.compress(second)[:10] + b"\xff" * 50)
    assert plain == first
    assert str(damage) == "is damaged"


@forms
def test_what_follows_the_end_is_said_and_all_before_it_is_read(form: str) -> None:
    found, problem = outcome(COMPRESS[form](captures(5)) + b"garbage after the end")
    assert len(found) == 5
    assert problem.startswith("file: the compressed file is followed by something else, after ")
    assert "\n" not in problem


@forms
def test_whole_lines_before_a_cut_are_read(form: str) -> None:
    content = captures(300)  # several blocks of Zstandard
    whole = COMPRESS[form](content)
    cut = whole[: len(whole) * 3 // 4]
    found, problem = outcome(cut)
    plain, _ = unpack(cut)
    assert len(found) == plain.count(b"\n") > 100
    assert "ends before its end" in problem
    assert "\n" not in problem


def test_zeros_that_fill_up_a_block_are_no_damage() -> None:
    assert unpack(gzip.compress(b"content") + b"\0" * 100_000) == (b"content", None)


def test_a_frame_without_content_is_passed_over() -> None:
    skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc"
    assert unpack(zstandard.compress(b"a") + skippable + zstandard.compress(b"b")) == (b"ab", None)


@forms
def test_a_checksum_that_does_not_match_is_said(form: str) -> None:
    content = captures(2)
    whole = (
        gzip.compress(content) if form == "gzip" else zstandard.ZstdCompressor(write_checksum=True).compress(content)
    )
    at = -8 if form == "gzip" else -4
    changed = whole[:at] + bytes([whole[at] ^ 1]) + (whole[at + 1 :])
    found, problem = outcome(changed)
    assert len(found) == 2
    assert "does not match its checksum" in problem


@forms
def test_unpacking_stops_at_the_limit(form: str) -> None:
    plain, damage = unpack(COMPRESS[form](b"\0" * 5_000_000), limit=1 << 20)
    assert len(plain) == 1 << 20
    assert str(damage) == "is too large unpacked (limit 1 MiB)"


@forms
def test_nothing_compressed_is_an_empty_file(form: str) -> None:
    assert outcome(COMPRESS[form](b""))[1].startswith("file: the file is empty")

"""Compressed files, gzip and Zstandard: all that can be unpacked before a damage, and then what the damage is."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Final, cast

import zstandard

from conformance.wire.body import MAX_DECODED

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_SKIPPABLE: Final = b"\x2a\x4d\x18"
"""How a Zstandard frame without content begins, after its first byte."""
_READ: Final = 1 << 16
_ROOM: Final = 1 << 20
_HEADER: Final = 18
"""Bytes of the longest header of a Zstandard frame."""


class Damage(Exception):
    """Why no more can be unpacked, as what a sentence says about the file.

    Attributes:
        whole: what was unpacked is complete; something else follows it.
    """

    def __init__(self, why: str, whole: bool = False) -> None:
        super().__init__(why)
        self.whole = whole


class Unpacked(io.RawIOBase):
    """The content of a compressed file. A damage ends it like the end of the file.

    Attributes:
        damage: what ended it; None at a regular end, and before the end.
    """

    def __init__(self, packed: BinaryIO, head: bytes = b"") -> None:
        """`packed` is at the beginning of the file, or behind its `head`."""
        self.damage: Damage | None = None
        self._pieces = _pieces(_Ahead(packed, head))
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill a buffer as far as one step of unpacking does."""
        room = memoryview(buffer).cast("B")
        while not self._piece:
            try:
                self._piece = memoryview(next(self._pieces))
            except StopIteration:
                return 0
            except Damage as damage:
                self.damage = damage
                return 0
        size = min(len(room), len(self._piece))
        room[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        return size

    def buffered(self) -> BinaryIO:
        """The same, to be read by lines and in blocks."""
        return cast("BinaryIO", io.BufferedReader(self, _ROOM))


class _Ahead:
    """A file of which more was read than is used."""

    def __init__(self, file: BinaryIO, ahead: bytes) -> None:
        self._file = file
        self._ahead = ahead

    def some(self) -> bytes:
        """What comes next, as much as is at hand; empty at the end."""
        found, self._ahead = self._ahead or self._file.read(_READ), b""
        return found

    def back(self, data: bytes) -> None:
        """Give back what was not used."""
        self._ahead = data + self._ahead

    def peek(self, size: int) -> bytes:
        """The next bytes, fewer at the end; they stay."""
        if len(self._ahead) < size:
            self._ahead += self._file.read(max(size - len(self._ahead), _READ))
        return self._ahead[:size]

    def take(self, size: int) -> bytes:
        """The next bytes, fewer at the end."""
        found = self.peek(size)
        self._ahead = self._ahead[size:]
        return found


def is_compressed(data: bytes) -> bool:
    """Whether a file that begins with these four bytes (or more) is compressed."""
    return data.startswith((GZIP, ZSTD))


def sentence(name: str, size: int, damage: Damage, *, kept: bool) -> str:
    """Where, what and what to do; `size`: bytes that could be unpacked, `kept`: exchanges are read from them."""
    then = "what came before is read" if kept else "fetch it again, or unpack it yourself"
    return f"{name}: the compressed file {damage}, after {size} bytes unpacked; {then}"


def unpack(data: bytes, limit: int = MAX_DECODED) -> tuple[bytes, Damage | None]:
    """What a compressed file unpacks to, `limit` bytes at most, and why that is not all."""
    raw = Unpacked(io.BytesIO(data))
    plain = raw.buffered().read(limit + 1)
    if len(plain) > limit:
        return plain[:limit], Damage(f"is too large unpacked (limit {limit >> 20} MiB)")
    return plain, raw.damage


def _pieces(packed: _Ahead) -> Iterator[bytes]:
    """The content, piece by piece.

    Raises:
        Damage: after all that could be unpacked.
    """
    zipped = packed.peek(4).startswith(GZIP)
    while next_four := packed.peek(4):
        if zipped and next_four.startswith(GZIP):
            yield from _member(packed)
            _pass_over_padding(packed)
        elif not zipped and next_four[1:] == _SKIPPABLE:
            _pass_over_frame(packed)
        elif not zipped and next_four == ZSTD:
            yield from _frame(packed)
        else:
            raise Damage("is followed by something else", whole=True)


def _member(packed: _Ahead) -> Iterator[bytes]:
    """One member of a gzip file."""
    member = zlib.decompressobj(31)
    while not member.eof:
        rest = packed.some()
        if not rest:
            yield member.flush()
            if not member.eof:
                raise Damage("ends before its end")
            return
        before = member.copy()
        try:
            yield member.decompress(rest, _ROOM)
        except zlib.error as problem:
            yield from _up_to_the_damage(before, rest)
            raise _damage(problem) from None
        packed.back(member.unused_data if member.eof else member.unconsumed_tail)


def _up_to_the_damage(member: zlib._Decompress, rest: bytes) -> Iterator[bytes]:
    """Byte by byte: zlib keeps to itself what it unpacked in the same step."""
    for at in range(len(rest)):
        try:
            yield member.decompress(rest[at : at + 1])
        except zlib.error:
            return


def _pass_over_padding(packed: _Ahead) -> None:
    """Some media fill up their last block with zeros."""
    while rest := packed.some():
        if rest := rest.lstrip(b"\0"):
            packed.back(rest)
            return


def _pass_over_frame(packed: _Ahead) -> None:
    """One frame without content."""
    left = int.from_bytes(packed.take(8)[4:], "little")
    while left:
        passed = len(packed.take(min(left, _ROOM)))
        if not passed:
            raise Damage("ends before its end")
        left -= passed


def _frame(packed: _Ahead) -> Iterator[bytes]:
    """One frame of a Zstandard file, a block at a time: the decoder keeps to itself what it unpacked in a step that
    ends with an error, and a block is 128 KiB at most.
    """
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        for part in _parts(packed):
            yield frame.decompress(part)
    except zstandard.ZstdError as problem:
        raise _damage(problem) from None
    if not frame.eof:
        raise Damage("ends before its end")


def _parts(packed: _Ahead) -> Iterator[bytes]:
    """The header of a frame, its blocks and its checksum (RFC 8878, section 3.1.1).

    Raises:
        zstandard.ZstdError: the header is none.
    """
    start = packed.peek(_HEADER)
    try:
        checked = zstandard.get_frame_parameters(start).has_checksum
    except zstandard.ZstdError:
        if len(start) < _HEADER:
            return  # it ends in the header
        raise
    yield packed.take(zstandard.frame_header_size(start))
    last = False
    while not last and len(block := packed.take(3)) == 3:
        said = int.from_bytes(block, "little")
        last, run, size = bool(said & 1), (said >> 1) & 3 == 1, said >> 3
        yield block + packed.take(1 if run else size)
    if last and checked:
        yield packed.take(4)


def _damage(problem: Exception) -> Damage:
    checked = re.search("checksum|(?:data|length) check", str(problem)) is not None
    return Damage("does not match its checksum" if checked else "is damaged")

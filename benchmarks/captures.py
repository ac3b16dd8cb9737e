"""Invented captures of 2 KB for the audit, as many as wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from streams import DONE, REQUEST, complete_answer, event, opening, piece

PROVIDERS: Final = 8
PIECE: Final = 10_000
"""Lines written at a time, so that generating them takes no more memory than auditing them."""
ID: Final = "call_000000000"


def write(path: Path, exchanges: int) -> None:
    """Write a file of JSON Lines, a capture a line; every call has an id of its own.

    Args:
        path: the file, overwritten.
        exchanges: how many lines.
    """
    lines = [line.encode() for line in _lines()]
    with path.open("wb") as file:
        for start in range(0, exchanges, PIECE):
            numbers = range(start, min(start + PIECE, exchanges))
            file.write(b"".join(lines[n % len(lines)].replace(ID.encode(), b"call_%09d" % n) for n in numbers))


def _lines() -> Iterator[str]:
    """Every way of answering, for every provider; a request, labels and 2 KB of body each."""
    for provider in range(PROVIDERS):
        for body in _bodies():
            stream = body.startswith(b"data:")
            capture = {
                "provider": f"provider-{provider}",
                "model": "some-model",
                "stream": stream,
                "request": REQUEST | {"stream": stream},
                "status": 200,
                "response_headers": {"content-type": "text/event-stream" if stream else "application/json"},
                "response_body": body.decode(),
            }
            yield json.dumps(capture, separators=(",", ":")) + "\n"


def _bodies() -> Iterator[bytes]:
    """An honest stream, one without index, one with empty ids, one that is cut, one of text, and a complete answer."""
    yield _stream()
    yield _stream(drop="index")
    yield _stream(id="")
    yield _stream()[:-500]
    yield b"".join([*(event({"role": "assistant", "content": f"word{n} "}) for n in range(6)), event({}, "stop"), DONE])
    yield complete_answer(140)


def _stream(drop: str = "", **more: Any) -> bytes:
    """A call in four deltas, whose continuations lack one field or carry more."""
    out = [event({"role": "assistant", "content": None, "tool_calls": [opening()]})]
    for number in range(4):
        entry = {"index": 0, **more, "function": {"arguments": piece(number, 4)}}
        entry.pop(drop, None)
        out.append(event({"tool_calls": [entry]}))
    return b"".join([*out, event({}, "tool_calls"), DONE])

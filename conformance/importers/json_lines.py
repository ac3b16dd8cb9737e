"""JSON Lines, or an array: chunks of one stream, whole answers, or captures. Framing is gone and not judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from conformance.errors import InputError
from conformance.importers import capture
from conformance.importers.common import decoded, encoded, every
from conformance.model import Exchange, Fidelity


def is_lines(text: bytes) -> bool:
    """Whether the first line is a JSON object of its own and there are more."""
    first, newline, _ = text.partition(b"\n")
    if not newline:
        return False
    try:
        return isinstance(decoded(first), dict)
    except ValueError:
        return False


def is_chunk(item: Any) -> bool:
    """Whether a decoded JSON value is one chunk of a stream."""
    return isinstance(item, dict) and item.get("object") == "chat.completion.chunk"


def is_array(document: Any) -> bool:
    """Whether a JSON document is an array of what can stand on lines."""
    return isinstance(document, list) and any(map(_known, document))


def of_lines(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchanges of JSON Lines; see `_exchanges`."""
    lines = [line for line in map(bytes.strip, text.splitlines()) if line]
    return _exchanges(lines, [_or_none(line) for line in lines], name, Fidelity(framing=False, headers=False))


def of_array(items: Sequence[Any], name: str) -> Iterator[Exchange]:
    """The exchanges of an array; its JSON is written anew, so the text is not judged."""
    fidelity = Fidelity(framing=False, text=False, headers=False)
    return _exchanges([encoded(item) for item in items], items, name, fidelity)


def _exchanges(lines: Sequence[bytes], documents: Sequence[Any], name: str, fidelity: Fidelity) -> Iterator[Exchange]:
    """Captures and whole answers are exchanges of their own; anything else is the chunks of one stream.

    A line that is not JSON stays in the stream as it is: reading it says so.

    Raises:
        InputError: no line is anything known, or (after those that can be read) a line among captures is none.
    """
    if any(map(capture.is_capture, documents)):
        readers: list[Callable[[], Exchange]] = [
            partial(capture.exchange, document, name, position) for position, document in enumerate(documents)
        ]
        yield from every(readers)
    elif documents and all(map(_is_answer, documents)):
        for position, line in enumerate(lines):
            yield Exchange(source=f"{name}#{position}", body=line, status=None, fidelity=fidelity)
    elif any(map(_known, documents)):
        body = b"".join(b"data: " + line + b"\n\n" for line in lines)
        yield Exchange(source=f"{name}#0", body=body, status=None, fidelity=fidelity)
    else:
        raise InputError(f"{name}: JSON Lines, but no line is a chunk, an answer or a capture; give one a line")


def _is_answer(item: Any) -> bool:
    if not isinstance(item, dict) or item.get("object") == "chat.completion.chunk":
        return False
    choices = item.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and isinstance(first.get("message"), dict) and "delta" not in first


def _known(item: Any) -> bool:
    return isinstance(item, dict) and (
        capture.is_capture(item) or is_chunk(item) or "choices" in item or bool(item.get("error"))
    )


def _or_none(line: bytes) -> Any:
    try:
        return decoded(line)
    except ValueError:
        return None

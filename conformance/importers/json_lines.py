"""JSON Lines, or an array: chunks of streams, whole answers, captures, entries of logs. Framing is gone, not judged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers import dumped, otel, per_line
from conformance.importers.common import decoded, encoded, every
from conformance.model import Exchange, Fidelity

_SPACE: Final = re.compile(r"\s*")
_BRACKET: Final = re.compile(rb"^[{\[][ \t]*\r?$", re.MULTILINE)
_OF_LINES: Final = Fidelity(framing=False, headers=False)
_OF_ARRAY: Final = Fidelity(framing=False, text=False, headers=False)


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
    return isinstance(document, list) and any(map(is_known, document))


def is_printed(text: bytes) -> bool:
    """Whether some JSON in it has lines of its own for its brackets, as no JSON Lines have."""
    return _BRACKET.search(text) is not None


def concatenated(text: bytes) -> tuple[list[Any], bool]:
    """The JSON documents that stand one after another, as console exporters print them, and whether more follows.

    What follows is no JSON, or is cut.
    """
    decoder, found, at = json.JSONDecoder(), [], 0
    try:
        whole = text.decode("utf-8")
        while at < len(whole):
            document, at = decoder.raw_decode(whole, at)
            found.append(document)
            space = _SPACE.match(whole, at)
            at = len(whole) if space is None else space.end()
    except (ValueError, RecursionError):
        return found, True
    return found, False


def of_lines(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchanges of JSON Lines, numbered by line.

    Raises:
        InputError: no line is anything known, or (after those that can be read) some cannot be read.
    """
    first = next(_lines(text), (0, b""))[1]
    if per_line.is_exchange(
        first
    ):  # nothing need be known of other lines, so that a large log is never decoded at once
        return _some(every(partial(per_line.exchange, line, name, number) for number, line in _lines(text)), name)
    numbered = list(_lines(text))
    return _exchanges([line for _, line in numbered], [_or_none(line) for _, line in numbered], name, _OF_LINES)


def of_array(items: Sequence[Any], name: str) -> Iterator[Exchange]:
    """The exchanges of an array; its JSON is written anew, so the text is not judged."""
    return _exchanges(None, items, name, _OF_ARRAY)


def _lines(text: bytes) -> Iterator[tuple[int, bytes]]:
    at = number = 0
    while at < len(text):
        end = text.find(b"\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        if line:
            yield number, line
        at, number = end + 1, number + 1


def _exchanges(
    lines: Sequence[bytes] | None, documents: Sequence[Any], name: str, fidelity: Fidelity
) -> Iterator[Exchange]:
    """Captures, entries of logs and whole answers are exchanges of their own; anything else is chunks.

    A line that is not JSON stays in the stream as it is: reading it says so.

    Raises:
        InputError: no line is anything known, or (after those that can be read) a line among captures is none.
    """
    if any(map(otel.is_record, documents)):
        yield from otel.exchanges(documents, name)
    elif any(map(per_line.is_record, documents)) or _are_answers(documents):
        texts = [None] * len(documents) if lines is None else lines
        readers = [
            partial(per_line.of_document, document, name, position, text)
            for position, (document, text) in enumerate(zip(documents, texts, strict=True))
        ]
        yield from _some(every(readers), name)
    elif any(map(is_known, documents)):
        yield from _of_chunks(lines, documents, name, fidelity)
    else:
        raise InputError(f"{name}: JSON Lines, but no line is a chunk, an answer, a capture or a log entry known here")


def _are_answers(documents: Sequence[Any]) -> bool:
    return bool(documents) and all(per_line.is_answer(one) or per_line.is_failure(one) for one in documents)


def _of_chunks(
    lines: Sequence[bytes] | None, documents: Sequence[Any], name: str, fidelity: Fidelity
) -> Iterator[Exchange]:
    made = dumped.is_dump(documents)
    if made:
        fidelity = replace(fidelity, presence=False, text=False)
    texts: list[bytes] = []
    for position, document in enumerate(documents):
        if lines is not None and (document is None or not made):
            texts.append(lines[position])
        else:
            texts.append(encoded(dumped.without_nulls(document) if made else document))
    for position, stream in enumerate(_streams(texts, documents)):
        body = b"".join(b"data: " + text + b"\n\n" for text in stream)
        yield Exchange(source=f"{name}#{position}", body=body, status=None, fidelity=fidelity)


def _some(exchanges: Iterator[Exchange], name: str) -> Iterator[Exchange]:
    """The exchanges, if there are any.

    Raises:
        InputError: there are none.
    """
    found = False
    for exchange in exchanges:
        found = True
        yield exchange
    if not found:
        raise InputError(f"{name}: a log, but no entry of it is about a chat completion; give one that is")


def _streams(lines: Sequence[bytes], documents: Sequence[Any]) -> list[list[bytes]]:
    """Lines by stream. Chunks of several are told apart by `id`, if each id ends with a finish reason of its own.

    A stream whose id changes under way does not, and stays one.
    """
    streams: dict[str, list[bytes]] = {}
    finished: set[str] = set()
    for line, document in zip(lines, documents, strict=True):
        own = document.get("id") if is_chunk(document) else None
        if not isinstance(own, str) or not own:
            return [list(lines)]
        streams.setdefault(own, []).append(line)
        choices = document.get("choices")
        if any(isinstance(c, dict) and c.get("finish_reason") for c in (choices if isinstance(choices, list) else ())):
            finished.add(own)
    return list(streams.values()) if len(finished) == len(streams) else [list(lines)]


def is_known(item: Any) -> bool:
    """Whether a decoded JSON value is one of those that can stand on lines."""
    return isinstance(item, dict) and (
        per_line.is_record(item)
        or otel.is_record(item)
        or is_chunk(item)
        or "choices" in item
        or bool(item.get("error"))
    )


def _or_none(line: bytes) -> Any:
    try:
        return decoded(line)
    except ValueError:
        return None

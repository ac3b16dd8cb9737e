"""Framing of server-sent events, as the WHATWG HTML standard's event stream section parses them.

https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
The one difference is deliberate: the standard drops a last block that no blank line ends; here it is an event like the
others, with a fact that says so, since dropping it would hide what the server sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from conformance.wire.facts import Fact, Marks

BOM: Final = b"\xef\xbb\xbf"
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")


def events(body: bytes, facts: Marks) -> Iterator[tuple[int, bytes, str, bool]]:
    """Split a body into the events that carry data.

    Args:
        body: the decoded response body.
        facts: receives the framing facts.

    Yields:
        Offset of the event's first data line in `body`, its data, its `event:` name (`""` if none), and whether a blank
        line ended it. Events without any data line are not dispatched, as in the standard.
    """
    start = 0
    if body.startswith(BOM):
        facts.note(Fact.BOM, 0)
        start = len(BOM)
    if b"\r" in body:
        yield from _any_line_end(body, start, facts)
        return
    if body:
        facts.note(Fact.LINE_END, 0, spelling="lf")
    number = 0
    blocks = body[start:].split(b"\n\n") if start else body.split(b"\n\n")
    last = len(blocks) - 1
    offset = start
    for position, block in enumerate(blocks):
        ended = position < last
        if block.startswith(b"data: ") and b"\n" not in block:
            yield offset, block[6:], "", ended
            number += 1
        elif block:
            lines = []
            at = offset
            for line in block.split(b"\n"):
                lines.append((at, line))
                at += len(line) + 1
            event = _event(lines, number, facts)
            if event is not None:
                yield *event, ended
                number += 1
        offset += len(block) + 2


def _any_line_end(body: bytes, start: int, facts: Marks) -> Iterator[tuple[int, bytes, str, bool]]:
    """The same for bodies with CR, CRLF or mixed line ends."""
    lines: list[tuple[int, bytes]] = []
    at = start
    number = 0
    kinds = {b"\n": "lf", b"\r": "cr", b"\r\n": "crlf"}
    seen: set[bytes] = set()
    for match in _LINE_END.finditer(body, start):
        end = match.group()
        if end not in seen:
            seen.add(end)
            facts.note(Fact.LINE_END, number, spelling=kinds[end])
        if match.start() == at:
            if lines:
                event = _event(lines, number, facts)
                if event is not None:
                    yield *event, True
                    number += 1
                lines = []
        else:
            lines.append((at, body[at : match.start()]))
        at = match.end()
    if at < len(body):
        lines.append((at, body[at:]))
    if lines:
        event = _event(lines, number, facts)
        if event is not None:
            yield *event, False


def _event(lines: list[tuple[int, bytes]], number: int, facts: Marks) -> tuple[int, bytes, str] | None:
    """One block of lines: its data, or None if it has no data line."""
    data: list[bytes] = []
    first = -1
    name = ""
    for offset, line in lines:
        if not line:
            continue
        field, colon, value = line.partition(b":")
        if not field:
            facts.note(Fact.COMMENT, number, sample=line[:80].decode("utf-8", "replace"))
            continue
        if value.startswith(b" "):
            value = value[1:]
            spaced = True
        else:
            spaced = False
        if field == b"data":
            if not data:
                first = offset
            if colon and value and not spaced:
                facts.note(Fact.DATA_WITHOUT_SPACE, number)
            data.append(value)
        elif field == b"event":
            name = value.decode("utf-8", "replace")
            facts.note(Fact.EVENT_NAMED, number, spelling=name[:80] or "empty", sample=name[:80])
        elif field == b"id":
            facts.note(Fact.EVENT_ID, number)
        elif field == b"retry":
            facts.note(Fact.EVENT_RETRY, number)
        else:
            facts.note(Fact.LINE_UNKNOWN, number, sample=line[:80].decode("utf-8", "replace"))
    if not data:
        return None
    if len(data) > 1:
        facts.note(Fact.DATA_MULTILINE, number)
    return first, b"\n".join(data), name

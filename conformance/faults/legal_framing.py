"""Legal variations of framing and encoding."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from conformance.faults.catalogue import Wire, plant
from conformance.model import Mode


def _on_bytes(old: bytes, new: bytes) -> Callable[[Wire, Mode], Wire]:
    return lambda wire, _: replace(wire, body=wire.body.replace(old, new))


def _escaped(wire: Wire, mode: Mode) -> Wire:
    if mode == "complete":
        return replace(wire, body=json.dumps(json.loads(wire.body.replace(b"Paris", "Zürich".encode()))).encode())
    return replace(wire, body=wire.body.replace(b"P", b"\\u0050"))


for _name, _title, _shows, _old, _new in (
    ("crlf", "lines end with CRLF", "line-ends-other", b"\n", b"\r\n"),
    ("cr", "lines end with CR", "line-ends-other", b"\n", b"\r"),
    ("no-space", "there is no space after `data:`", "data-without-space", b"data: ", b"data:"),
    ("multi-line-data", "data stands on several lines", "data-multiline", b',"choices"', b',\ndata: "choices"'),
    ("empty-data", "events without data stand between the others", "data-empty", b"\n\n", b"\n\ndata:\n\n"),
    ("comments", "comment lines stand between events", "comment", b"\n\n", b"\n\n: ping\n\n"),
    ("named-events", "events are named", "event-named", b"data: {", b"event: chunk\ndata: {"),
    ("done-unterminated", "`[DONE]` lacks its blank line", "done-unterminated", b"data: [DONE]\n\n", b"data: [DONE]"),
):
    plant(_name, _title, _shows, legal=True, stream=list, wire=_on_bytes(_old, _new))
plant("escapes", "characters are written as \\u escapes", legal=True, stream=list, wire=_escaped)
plant(
    "byte-order-mark",
    "the body starts with a byte order mark",
    "bom",
    legal=True,
    stream=list,
    wire=lambda w, _: replace(w, body=b"\xef\xbb\xbf" + w.body),
)
plant(
    "leading-space",
    "white space comes before the JSON body",
    legal=True,
    complete=dict,
    wire=lambda w, _: replace(w, body=b"\n   " + w.body),
)

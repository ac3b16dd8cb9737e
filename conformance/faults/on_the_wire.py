"""Faults of framing, encoding and transport: what no chunk knows of itself."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace

from conformance.faults.catalogue import Left, Wire, plant
from conformance.faults.edit import event
from conformance.model import Mode

_DONE = b"data: [DONE]\n\n"


def _without_done(wire: Wire) -> Wire:
    return replace(wire, body=wire.body.replace(_DONE, b""))


plant(
    "done-missing", "the stream ends without `[DONE]`", "done-missing", stream=list, wire=lambda w, _: _without_done(w)
)
plant(
    "done-twice",
    "`[DONE]` comes twice",
    "done-repeated",
    stream=list,
    wire=lambda w, _: replace(w, body=w.body + _DONE),
)
plant(
    "data-after-done",
    "a chunk follows `[DONE]`",
    "data-after-done",
    stream=list,
    wire=lambda w, _: replace(w, body=w.body + w.body.split(b"\n\n")[0] + b"\n\n"),
)


def _half(wire: Wire, mode: Mode) -> Wire:
    if mode == "complete":
        return replace(wire, body=wire.body[: len(wire.body) // 2], cut=True)
    events = wire.body.split(b"\n\n")
    return replace(wire, body=b"\n\n".join(events[: len(events) // 2]) + b"\n\n", cut=True)


def _quiet_end(wire: Wire, _: Mode) -> Wire:
    events = wire.body.split(b"\n\n")
    return replace(wire, body=b"\n\n".join(events[:-3]) + b"\n\n")


plant("cut", "the connection closes in the middle", "connection-cut", wire=_half, left="unusable")
plant(
    "stops-early",
    "the stream ends politely before its finish reason",
    "connection-cut",
    stream=list,
    wire=_quiet_end,
    left="unusable",
)


def _inserted(data: bytes, position: int = 2) -> Callable[[Wire, Mode], Wire]:
    def change(wire: Wire, _: Mode) -> Wire:
        events = wire.body.split(b"\n\n")
        return replace(wire, body=b"\n\n".join([*events[:position], data, *events[position:]]))

    return change


def _plant_stream(name: str, title: str, shows: str, data: bytes, left: Left = "all") -> None:
    plant(name, title, shows, stream=list, wire=_inserted(data), left=left)


_plant_stream("event-not-json", "an event is not JSON", "event-not-json", b"data: ping")
_plant_stream("comment-as-data", "a comment is wrapped as data", "event-not-json", b"data: : keep-alive")
_plant_stream("event-null", "an event is `null`", "event-not-object", b"data: null")
_plant_stream("line-without-field", "a line is no field", "line-unknown", b'{"note":"no field"}')
_plant_stream(
    "error-mid-stream",
    "an error comes in mid-stream",
    "error-mid-stream",
    b'data: {"error":{"message":"upstream closed","code":502}}',
    "unusable",
)
_plant_stream(
    "error-named-event",
    "an event named `error` comes in mid-stream",
    "error-mid-stream",
    b'event: error\ndata: {"message":"upstream closed"}',
    "unusable",
)


def _error_ends(wire: Wire, _: Mode) -> Wire:
    said = wire.body.split(b"\n\n")[:3]
    return replace(
        wire, body=b"\n\n".join(said) + b"\n\n" + event({"error": {"message": "upstream closed", "code": 502}})
    )


plant(
    "error-ends-stream",
    "an error ends the stream in the middle of a call",
    "error-mid-stream",
    stream=list,
    wire=_error_ends,
    left="unusable",
)


def _error_first(wire: Wire, _: Mode) -> Wire:
    return replace(wire, body=event({"error": {"message": "tools[0] is not a schema", "code": 400}}))


def _error_body(wire: Wire, _: Mode) -> Wire:
    return replace(wire, body=json.dumps({"error": {"message": "upstream overloaded", "code": 502}}).encode())


plant(
    "error-first", "a 200 stream holds only an error", "error-first-event", stream=list, wire=_error_first, left="none"
)
plant("error-body", "a 200 body holds an error", "error-in-200-body", complete=dict, wire=_error_body, left="none")


def _typed(media: str) -> Callable[[Wire, Mode], Wire]:
    return lambda wire, _: replace(wire, headers={**wire.headers, "content-type": media})


plant(
    "content-type-json",
    "a stream is labelled as JSON",
    "content-type-wrong",
    stream=list,
    wire=_typed("application/json"),
)
plant(
    "content-type-text",
    "a JSON body is labelled as text",
    "content-type-wrong",
    complete=dict,
    wire=_typed("text/plain"),
)
plant(
    "json-for-stream", "a stream is asked for, JSON comes", "json-body-on-stream-request", stream=list, mode="complete"
)
plant("stream-for-json", "JSON is asked for, a stream comes", "sse-on-complete-request", complete=dict, mode="stream")
plant(
    "html-body",
    "a proxy's HTML page comes with 200",
    "body-not-json",
    wire=lambda _w, _m: Wire(b"<html><body>Bad gateway</body></html>", 200, {"content-type": "text/html"}),
    left="none",
)
plant(
    "compressed-undeclared",
    "the body is compressed without a word",
    "encoding-undeclared",
    wire=lambda w, _: replace(w, body=gzip.compress(w.body, mtime=0)),
)
plant(
    "encoding-false",
    "the body claims to be compressed",
    "encoding-undeclared",
    wire=lambda w, _: replace(w, headers={**w.headers, "content-encoding": "gzip"}),
)
plant(
    "invalid-utf8",
    "a character is cut in half",
    "invalid-utf8",
    left="none",
    wire=lambda w, _: replace(w, body=w.body.replace(b"ris", b"\xc3s")),
)
plant(
    "last-event-unterminated",
    "the last event lacks its blank line",
    "last-event-unterminated",
    stream=list,
    wire=lambda w, _: replace(w, body=_without_done(w).body.rstrip(b"\n")),
)
plant(
    "json-nan",
    "a chunk holds NaN",
    "json-oddities",
    wire=lambda w, _: replace(w, body=w.body.replace(b'"created":', b'"cost":NaN,"created":', 1)),
)
plant(
    "json-key-twice",
    "a document holds one key twice",
    "json-oddities",
    wire=lambda w, _: replace(w, body=w.body.replace(b'"created":', b'"created":1,"created":', 1)),
)
plant(
    "server-error",
    "the server fails with 500",
    "server-error",
    wire=lambda _w, _m: Wire(b"Internal Server Error", 500, {"content-type": "text/plain"}),
    left="none",
)


def _own_id(_wire: Wire, _mode: Mode) -> Wire:
    error = {"error": {"message": "messages[1].tool_calls[0].id: invalid tool_call_id", "code": 400}}
    return Wire(json.dumps(error).encode(), 400, {"content-type": "application/json"})


plant(
    "own-id-rejected",
    "a history with its own ids is rejected",
    "own-id-rejected",
    ask="history",
    wire=_own_id,
    left="none",
)


_DEEP = b'data: {"choices":[],"x":' + b"[" * 1000 + b"]" * 1000 + b"}\n\n"
plant(
    "too-deep",
    "an event is nested in a thousand levels",
    "json-beyond-limits",
    stream=list,
    wire=lambda w, _: replace(w, body=w.body.replace(_DONE, _DEEP + _DONE)),
    left="unusable",
)

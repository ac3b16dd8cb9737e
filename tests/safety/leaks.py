"""Secrets, servers that give them away in every way, and a search that finds what is left of them."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import urllib.parse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Any, Final

from tests.safety import answers
from tests.safety.answers import chunk, events
from tests.transport import server
from tests.transport.server import Answer

KEY: Final = "Zq8vWm3nXb7LkT2hRf5yPd9cJ4sG6a"
HEADER: Final = "hJ4w/Nx6+Ku1Se8/Gm3tVb9"
QUERY: Final = "Bv7Cz2Ty5Hn8Lq4Ww1Xr6Df3"
SECRETS: Final = (KEY, HEADER, QUERY)
ALL: Final = " ".join(SECRETS)


def spelt(text: str, size: int = 3) -> list[str]:
    """The text in pieces."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def _argued(index: int, piece: str, **more: Any) -> dict[str, Any]:
    return chunk({"tool_calls": [{"index": index, **more, "function": {"arguments": piece}}]})


def _opened(index: int) -> dict[str, Any]:
    return chunk({"tool_calls": [{"index": index, **answers.CALL, "id": f"call_{index}"}]})


def _calls(*texts: str, size: int = 3) -> list[bytes]:
    """Several calls whose argument texts come piece by piece, in turn."""
    pieces = [spelt(text, size) for text in texts]
    mixed = [
        _argued(index, own[number])
        for number in range(max(map(len, pieces)))
        for index, own in enumerate(pieces)
        if number < len(own)
    ]
    return events(*(_opened(index) for index in range(len(texts))), *mixed, chunk({}, "tool_calls"))


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(char):04x}" for char in text)


def _base64(text: str) -> str:
    return base64.b64encode(f"user:{text}".encode()).decode()


def _in_reads(data: bytes) -> Answer:
    """A body in chunks of seven bytes, which no key fits into."""
    return answers.stream(data[at : at + 7] for at in range(0, len(data), 7))


def _cut(*parts: bytes) -> Answer:
    return server.raw(server.CHUNKED, *map(server.chunk, parts))


def _likely(piece: str) -> dict[str, Any]:
    """A chunk whose log probabilities spell its text out twice more."""
    token = {"token": piece, "logprob": -1, "bytes": list(piece.encode())}
    whole = chunk({"content": piece})
    whole["choices"][0]["logprobs"] = {"content": [token]}
    return whole


_SAID: Final = ("content", "reasoning_content", "reasoning", "refusal", "made_up")
_MESSAGE: Final = {"role": "assistant", "content": ALL, KEY: [{QUERY: HEADER}]}
_COMPLETE: Final = json.dumps(
    {
        "id": KEY,
        "model": f"model-{KEY}",
        "system_fingerprint": HEADER,
        "choices": [{"index": 0, "finish_reason": "stop", "message": _MESSAGE}],
    }
)

LEAKS: Final[dict[str, Answer]] = {
    "error": answers.error(
        "422 Unprocessable", f"no such key: {ALL}", f"X-Echo: {KEY}", f"X-Said: Bearer {HEADER}",
        f"Set-Cookie: sid={KEY}; Path=/", f"Location: https://h.example/?q={QUERY}",
        f"Www-Authenticate: Bearer r={KEY}",
    ),
    "reason of the status line": answers.body(b"{}", f"400 {KEY}"),
    "error page": answers.body(f"<html>{html.escape(ALL)}</html>".encode(), "500 Oops", "Content-Type: text/html"),
    "error event": answers.stream([f"event: error\ndata: {json.dumps({'message': ALL})}\n\n".encode()]),
    "comments and fields": answers.stream(
        [f": {KEY}\nid: {HEADER}\nevent: {QUERY}\nretry: {KEY}\n{KEY}\n\n".encode(), *answers.GOOD]
    ),
    "the whole answer": answers.body(_COMPLETE.encode(), "200 OK", "Content-Type: application/json"),
    "JSON in JSON": answers.body(json.dumps({"error": json.dumps(json.dumps({"x": ALL}))}).encode(), "400 Bad"),
    "network reads": _in_reads(b"".join(events(chunk({"content": ALL}, "stop")))),
    **{
        f"pieces of {name}": answers.stream(events(*(chunk({name: piece}) for piece in spelt(ALL, size))))
        for name, size in zip(_SAID, cycle((3, 1, 5)), strict=False)
    },
    "two texts in turn": answers.stream(
        events(*(chunk({"content": piece, "reasoning": piece}) for piece in spelt(ALL)), chunk({}, "stop"))
    ),
    "arguments of one call": answers.stream(_calls(json.dumps({"city": ALL}))),
    "arguments of three calls in turn": answers.stream(_calls(*(json.dumps({"city": one}) for one in SECRETS), size=2)),
    "escapes, torn": answers.stream(_calls(f'{{"city": "{_escaped(KEY)}{_escaped(HEADER)}"}}', size=4)),
    "first letter escaped": answers.stream(_calls(f'{{"city": "{_escaped(KEY[0])}{KEY[1:]}"}}', size=5)),
    "escapes on the wire": answers.stream(
        f'data: {{"choices":[{{"index":0,"delta":{{"content":"{_escaped(piece)}"}}}}]}}\n\n'.encode()
        for piece in spelt(ALL)
    ),
    "base64": answers.stream(events(*(chunk({"content": piece}) for piece in spelt(" ".join(map(_base64, SECRETS)))))),
    "percent": answers.stream(
        events(*(chunk({"content": piece}) for piece in spelt(urllib.parse.quote(HEADER, safe="") + "&" + KEY)))
    ),
    "growing snapshots": answers.stream(
        events(_opened(0), *(_argued(0, json.dumps({"city": ALL})[:end]) for end in range(4, len(ALL) + 15, 3)),
               chunk({}, "tool_calls"))
    ),
    "log probabilities": answers.stream(events(*map(_likely, spelt(KEY)))),
    "cut in the middle": _cut(*(events(*(chunk({"content": piece}) for piece in spelt(KEY[:20])))[:-1])),
    "how it begins and ends": answers.error("400 Bad", f"wrong: {KEY[:10]}****{KEY[-9:]}, {QUERY[4:14]}"),
    "compressed": answers.body(
        gzip.compress(b"".join(_calls(json.dumps({"city": ALL})))), "200 OK", "Content-Encoding: gzip"
    ),
    "compressed, not declared": answers.body(gzip.compress(json.dumps({"error": ALL}).encode()), "400 Bad"),
    "bomb": answers.body(gzip.compress(b": \n" * (4 << 20) + ALL.encode()), "200 OK", "Content-Encoding: gzip"),
    "names and ids": answers.stream(
        events(
            chunk({"tool_calls": [{"index": 0, "id": f"call_{KEY}", "type": HEADER, "function": {"name": QUERY}}]}),
            chunk({}, KEY),
            {"model": KEY, "id": HEADER, "object": QUERY, "usage": {KEY: 1}, "choices": []},
        )
    ),
}  # fmt: skip

REFUSALS: Final[dict[str, Answer]] = {
    "echo": lambda connection: connection.sendall(f"POST {KEY} {HEADER} {QUERY}\r\n\r\n".encode()),
    "redirect": answers.body(b"", "307 Temporary", f"Location: https://elsewhere.example/{KEY}?key={QUERY}&x={HEADER}"),
    "401": answers.error("401 Unauthorized", f"Incorrect API key provided: {ALL}"),
    "503": answers.error("503 Unavailable", f"no room for {ALL}", "Retry-After: 0"),
}


def left(data: bytes) -> set[str]:
    """Parts of 8 characters of a secret that data still tells: plainly, escaped, encoded, or in pieces."""
    text = data.decode("utf-8", "replace")
    seen = "\n".join((text, *_decoded(text), *_put_together(text)))
    return {part for part in _PARTS if part in seen}


def _parts(value: str) -> Iterator[str]:
    return (value[at : at + 8] for at in range(len(value) - 7))


def _coded(value: str) -> Iterator[str]:
    """What a value leaves in base64 at each alignment, without the characters that share bits with their neighbours."""
    for offset in range(3):
        coded = base64.b64encode(b"\0" * offset + value.encode()).decode()
        yield coded[-(-offset * 8 // 6) : (offset + len(value)) * 8 // 6]


_PARTS: Final = {part for one in SECRETS for form in (one, *_coded(one)) for part in _parts(form)}


def _decoded(text: str) -> Iterator[str]:
    for _ in range(3):
        text = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
        text = urllib.parse.unquote(html.unescape(text)).replace("\\/", "/")
        yield text


def _put_together(text: str) -> Iterator[str]:
    """The strings of the JSON documents in a text, joined by the place at which they stand in each, and by its name."""
    joined: dict[object, list[str]] = defaultdict(list)
    for line in text.splitlines():
        document = line[max(line.find("{"), 0) :].strip()
        try:
            value = json.loads(document)
        except ValueError:
            continue
        for place, said in _strings(value, ()):
            joined[place].append(said)
            joined[place[-1:]].append(said)
            if "{" in said:
                yield from _put_together(said)
    for pieces in joined.values():
        whole = "".join(pieces)
        yield whole
        yield from _decoded(whole)


def _strings(value: Any, place: tuple[object, ...]) -> Iterable[tuple[tuple[object, ...], str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        # calls that come in turn are told apart by their index
        own = (*place, value["index"]) if isinstance(value.get("index"), int) else place
        for key, inner in value.items():
            yield from _strings(inner, (*own, key))
    elif isinstance(value, list):
        if value and all(isinstance(one, int) and 32 <= one < 127 for one in value):
            yield place, bytes(value).decode()
        for inner in value:
            yield from _strings(inner, place)

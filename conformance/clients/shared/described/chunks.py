"""The chunks of a streamed answer, for clients that are an accumulator and nothing else."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any


class Fields(SimpleNamespace):
    """A JSON object whose fields are attributes; one that did not come is None."""

    def __getattr__(self, _: str) -> None:
        return None


class StreamError(Exception):
    """The server told of an error in the stream."""


def events(case: Mapping[str, Any]) -> Iterator[str]:
    """Ask for a stream and yield the data of its events, up to `[DONE]`.

    Raises:
        urllib.error.HTTPError: a status of 400 or more.
        http.client.IncompleteRead: the connection was closed in mid-answer.
        UnicodeDecodeError: it is not UTF-8.
    """
    body = json.dumps({**case["request"], "stream": True}).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {case['api_key']}"}
    request = urllib.request.Request(f"{case['base_url']}/chat/completions", body, headers)
    with urllib.request.urlopen(request, timeout=case["timeout"]) as response:
        text = response.read().decode("utf-8-sig")
    yield from data_of(text)


def data_of(text: str) -> Iterator[str]:
    """The data of the events of a stream, up to `[DONE]`; an event without its blank line is none."""
    data: list[str] = []
    for line in re.split(r"\r\n|\n|\r", text)[:-1]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            if (event := "\n".join(data)) == "[DONE]":
                return
            yield event
            data = []


def chunks(case: Mapping[str, Any], decode: Callable[[str], Any] | None = None) -> Iterator[Any]:
    """The chunks of a stream, decoded; by default every object is `Fields`, as a client library would give it.

    Raises:
        ValueError: an event is no JSON.
        StreamError: a chunk is an error.
    """
    for event in events(case):
        if decode is not None:
            yield decode(event)
            continue
        chunk = json.loads(event, object_hook=lambda pairs: Fields(**pairs))
        if chunk.error:
            raise StreamError(getattr(chunk.error, "message", None) or str(chunk.error))
        yield chunk

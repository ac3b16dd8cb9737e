"""A provider that does what a test wants, a tap in front of it, and a client that reports exactly what it got."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from conformance.tap.address import Upstream
from conformance.tap.passed import Glimpse, Judged, Settings
from conformance.tap.server import Tap
from tests.transport.server import Answer, Server, stream

KEY: Final = "sk-live-0123456789abcdef"
PATIENCE: Final = 60.0
"""Seconds after which a test that waits for something has failed."""
TOOLS: Final[list[dict[str, Any]]] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]
BODY: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [{"role": "user", "content": "get_weather of Paris?"}],
    "tools": TOOLS,
    "stream": True,
}


class Provider(Server):
    """Answers every connection, each in a thread of its own, with `answer`, which may be changed between requests."""

    def __init__(self) -> None:
        self.answer: Answer = stream
        super().__init__(lambda connection: self.answer(connection))

    def take(self, connection: socket.socket) -> None:
        """Answer a connection while the next ones are accepted."""
        threading.Thread(target=super().take, args=(connection,), daemon=True).start()


class Tapped:
    """A tap and what it tells.

    Attributes:
        tap: itself.
        glimpses: what was said of answers that were still coming.
    """

    def __init__(self, url: str, **options: Any) -> None:
        upstream = Upstream.parse(url)
        self._judged: queue.SimpleQueue[Judged] = queue.SimpleQueue()
        self.glimpses: queue.SimpleQueue[Glimpse] = queue.SimpleQueue()
        settings = Settings(upstream.base_url, options.pop("provider", "made-up"), options.pop("save", None), "t")
        self.tap = Tap(upstream, settings, self._hear, **options)

    @property
    def url(self) -> str:
        """Base URL for clients."""
        return self.tap.url

    def judged(self) -> Judged:
        """What came of the next exchange."""
        return self._judged.get(timeout=PATIENCE)

    def _hear(self, event: Glimpse | Judged) -> None:
        if isinstance(event, Judged):
            self._judged.put(event)
        else:
            self.glimpses.put(event)


@contextlib.contextmanager
def tapping(url: str, **options: Any) -> Iterator[Tapped]:
    """A tap for the time of a block."""
    tapped = Tapped(url, **options)
    with tapped.tap:
        yield tapped


@dataclass(frozen=True, slots=True)
class Got:
    """What a client got; `cut` if the body broke off."""

    status: int
    headers: httpx2.Headers
    body: bytes
    cut: bool


def ask(
    url: str,
    body: Mapping[str, Any] | bytes | Iterable[bytes] | None = BODY,
    *,
    method: str = "POST",
    headers: Mapping[str, str] | None = None,
) -> Got:
    """Send one request to a whole address."""
    content = json.dumps(body).encode() if isinstance(body, Mapping) else body
    given = {"content-type": "application/json", "accept-encoding": "identity", **(headers or {})}
    received = bytearray()
    cut = False
    with (
        httpx2.Client(trust_env=False, timeout=PATIENCE) as client,
        client.stream(method, url, content=content, headers=given) as response,
    ):
        try:
            for part in response.iter_raw():
                received += part
        except httpx2.TransportError:
            cut = True
    return Got(response.status_code, response.headers, bytes(received), cut)


def chat(tapped: Tapped, body: Mapping[str, Any] = BODY, **headers: str) -> Got:
    """Ask for a chat completion through a tap."""
    return ask(f"{tapped.url}/chat/completions", body, headers={n.replace("_", "-"): v for n, v in headers.items()})

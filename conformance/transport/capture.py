"""Take one response off the network, undecoded, with the arrival of each piece, within limits.

This sits beneath the openai client, which reads and decodes error bodies, and above httpx2's own transports, so that
proxies and certificates are handled as in any other use of httpx2.
"""

from __future__ import annotations

import contextlib
import ipaddress
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import httpx2

from conformance.model import End, EndKind, Piece
from conformance.transport.endpoint import Endpoint
from conformance.transport.failures import no_response
from conformance.transport.heard import Heard
from conformance.transport.received import Received
from conformance.wire.redact import Redactor

_KINDS: Final[tuple[tuple[type[httpx2.TransportError], EndKind], ...]] = (
    (httpx2.TimeoutException, "timeout"),
    (httpx2.NetworkError, "reset"),
    (httpx2.ProtocolError, "early-end"),
)


def fetch(request: httpx2.Request, endpoint: Endpoint, redactor: Redactor) -> Received:
    """Send a request and take the whole response, whatever its status and however it ends.

    Redirects are not followed: the key must not travel.

    Args:
        request: what to send.
        endpoint: the limits.
        redactor: for what an error quotes; the response is as it came.

    Raises:
        NotRun: nothing that is an HTTP response came back.
        ConfigError: the request cannot be sent at all.
    """
    recorded_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    total = max(endpoint.total, endpoint.timeout)
    watchdog = _Watchdog(total, Heard(redactor.text))
    request.extensions = {
        **request.extensions,
        "timeout": {
            "connect": endpoint.connect,
            "read": endpoint.timeout,
            "write": endpoint.timeout,
            "pool": endpoint.connect,
        },
        "trace": watchdog.trace,
    }
    client = _client(is_loopback(request.url.host))
    start = time.monotonic()
    with watchdog:
        try:
            response = client.send(request, stream=True)
        except (httpx2.HTTPError, httpx2.InvalidURL, RuntimeError) as problem:
            raise no_response(problem, request.url, endpoint, watchdog.heard, timed_out=watchdog.fired) from None
        try:
            body, pieces, ended = _drain(response, start, watchdog, total, endpoint.max_bytes)
        finally:
            response.close()
    return Received(
        status=response.status_code,
        reason=response.reason_phrase,
        headers=tuple((name.lower(), value) for name, value in response.headers.multi_items()),
        body=body,
        pieces=pieces,
        ended=ended,
        recorded_at=recorded_at,
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def ending(problem: httpx2.TransportError) -> End:
    """How a body ended that was broken off."""
    kind: EndKind = next((kind for known, kind in _KINDS if isinstance(problem, known)), "early-end")
    message = str(problem)
    return End(kind, f"httpx2.{type(problem).__name__}{f': {message}' if message else ''}")


def _drain(
    response: httpx2.Response, start: float, watchdog: _Watchdog, total: float, max_bytes: int
) -> tuple[bytes, tuple[Piece, ...], End]:
    body = bytearray()
    pieces: list[Piece] = []
    ended = End()
    try:
        for part in response.iter_raw():
            at_ms = round((time.monotonic() - start) * 1000, 1)
            room = max_bytes - len(body)
            if taken := part[:room]:
                body += taken
                pieces.append(Piece(at_ms, len(taken)))
            if len(part) > room:
                return bytes(body), tuple(pieces), End("limit", f"more than {max_bytes} bytes")
    except httpx2.TransportError as problem:
        ended = ending(problem)
    if watchdog.fired:
        # a shut-down socket can look like a regular end: where the end of the connection is the end of the body
        ended = End("limit", f"longer than {total:.3g} s")
    return bytes(body), tuple(pieces), ended


class _Watchdog:
    """Shut the connection down when the time for the whole exchange is over.

    A read timeout alone never fires on a server that sends a byte now and then. The socket is learnt from httpcore2's
    trace extension.

    Attributes:
        fired: whether the time was over.
        heard: what the server sent first.
    """

    def __init__(self, seconds: float, heard: Heard) -> None:
        self._timer = threading.Timer(seconds, self._fire)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._stream: Any = None
        self.fired = False
        self.heard = heard

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith((".connect_tcp.complete", ".start_tls.complete", ".connect_unix_socket.complete")):
            self.heard.listen(info["return_value"])
            with self._lock:
                self._stream = info["return_value"]
                if self.fired:
                    self._shut_down()

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._stream = None

    def _fire(self) -> None:
        with self._lock:
            self.fired = True
            self._shut_down()

    def _shut_down(self) -> None:
        socket = self._stream.get_extra_info("socket") if self._stream is not None else None
        if socket is not None:
            with contextlib.suppress(OSError):  # closed already
                socket.shutdown(2)


@lru_cache(maxsize=2)
def _client(loopback: bool) -> httpx2.Client:
    # One for all exchanges, because its TLS context is expensive. Connections are not kept: one that the server closed
    # in between would look like a fault of the next answer. This machine is never asked through a proxy.
    return httpx2.Client(
        trust_env=not loopback, follow_redirects=False, limits=httpx2.Limits(max_keepalive_connections=0)
    )

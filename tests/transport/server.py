"""A server that answers in exactly the bytes, and with exactly the misbehaviour, that a test wants."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator

Answer = Callable[[socket.socket], None]


class Server:
    """Answers each connection with the next answer; the last one repeats.

    Args:
        answers: in order.
        host: address on the loopback interface.

    Attributes:
        url: base URL.
        port: on the loopback interface.
        requests: every request received, head and body.
    """

    def __init__(self, *answers: Answer, host: str = "127.0.0.1") -> None:
        self._answers = list(answers)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, 0), family=family, backlog=128)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self.port}/v1"
        self.requests: list[bytes] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; a client that still waits is cut off."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.take(connection)

    def take(self, connection: socket.socket) -> None:
        """Answer a connection before the next one is accepted."""
        with connection, contextlib.suppress(OSError):
            self.requests.append(_request(connection))
            answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            answer(connection)


@contextlib.contextmanager
def serving(*answers: Answer, host: str = "127.0.0.1") -> Iterator[Server]:
    """A server for the time of a block."""
    server = Server(*answers, host=host)
    try:
        yield server
    finally:
        server.close()


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    while len(body) < int(length[1] if length else 0):
        body += _more(connection)
    return head + b"\r\n\r\n" + body


def _more(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise OSError("the client went away")
    return data


def raw(*parts: bytes) -> Answer:
    """These bytes, then a regular close."""

    def answer(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)

    return answer


def head(status: str = "200 OK", *fields: str) -> bytes:
    """Status line and header fields."""
    return "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", *fields)).encode() + b"\r\n"


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body; an empty one ends it."""
    return b"%x\r\n%s\r\n" % (len(data), data)


CHUNKED = head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")
EVENTS = (b'data: {"choices":[{"index":0,"delta":{"content":"h\xc3\xa9"}}]}\n\n', b"data: [DONE]\n\n")
STREAM = b"".join(EVENTS)


def sized(body: bytes, status: str = "200 OK", *fields: str) -> Answer:
    """A body with its length."""
    return raw(head(status, "Content-Type: application/json", f"Content-Length: {len(body)}", *fields) + body)


stream = raw(CHUNKED, *(chunk(event) for event in EVENTS), chunk(b""))


def reset(connection: socket.socket) -> None:
    """Two events, then a reset."""
    connection.sendall(CHUNKED + b"".join(chunk(event) for event in EVENTS))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


early_chunked = raw(CHUNKED, *(chunk(event) for event in EVENTS))
early_sized = raw(head("200 OK", "Content-Type: text/event-stream", f"Content-Length: {len(STREAM) + 9}") + STREAM)


def silent(connection: socket.socket) -> None:
    """Nothing at all, until the client goes away."""
    connection.recv(1)


def greeting(data: bytes) -> Answer:
    """These bytes, and then nothing, until the client goes away."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(data)
        connection.recv(1)

    return answer


def stalled(connection: socket.socket) -> None:
    """Two events, then nothing."""
    connection.sendall(CHUNKED + b"".join(chunk(event) for event in EVENTS))
    connection.recv(1)


def trickle(connection: socket.socket, data: bytes) -> None:
    """These bytes now and then, until the client goes away."""
    connection.settimeout(0.02)
    while True:
        with contextlib.suppress(TimeoutError):
            if not connection.recv(1):
                return
        connection.sendall(data)


def dripping(connection: socket.socket) -> None:
    """Two events, then a comment now and then, for ever."""
    connection.sendall(CHUNKED + b"".join(chunk(event) for event in EVENTS))
    trickle(connection, chunk(b": wait\n\n"))


def trickling_head(connection: socket.socket) -> None:
    """A status line, then header fields for ever."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    trickle(connection, b"X-Wait: 1\r\n")


def endless(connection: socket.socket) -> None:
    """A body that never ends, as fast as it is taken."""
    connection.sendall(CHUNKED)
    while True:
        connection.sendall(chunk(b": " + b"x" * 4094))

"""Fixed bytes on loopback: `/<case>/v1/chat/completions` answers with the case's response, whatever was asked.

Who goes on from that answer, as an agent does with the results of its tools, is given an honest text, so that it comes
to its end; what it made of the first answer is what counts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from conformance.faults.catalogue import Wire
from conformance.faults.respond import respond

_MOST: Final = 4 * 1024 * 1024
_PATIENCE: Final = 30.0
"""Seconds after which a request that does not come to its end is given up."""


class CaseServer:
    """Serves cases to one client, and notes what it asked.

    Args:
        cases: responses by name of the case.
    """

    def __init__(self, cases: Mapping[str, Wire]) -> None:
        self._asked: dict[str, list[str]] = {}
        self._first: dict[str, Any] = {}
        handler = type("Handler", (_Handler,), {"cases": cases, "note": self._note, "goes_on": self._goes_on})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True

    def url_of(self, case: str) -> str:
        """The base URL of a case."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{case}/v1"

    def asked(self, case: str) -> Sequence[str]:
        """For each request of a case, in order; asking forgets.

        Returns:
            The mode asked for; `elsewhere` if it went to another path, `further` if it went on from the first answer.
        """
        self._first.pop(case, None)
        return self._asked.pop(case, [])

    def _goes_on(self, case: str, request: Mapping[str, Any]) -> bool:
        """Whether other messages are sent than first; the same once more are a second try."""
        messages = request.get("messages")
        return bool(self._first.setdefault(case, messages) != messages)

    def _note(self, case: str, what: str) -> None:
        self._asked.setdefault(case, []).append(what)

    def __enter__(self) -> CaseServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    cases: Mapping[str, Wire] = {}

    @staticmethod
    def note(case: str, what: str) -> None:
        """Take down a request."""

    @staticmethod
    def goes_on(case: str, request: Mapping[str, Any]) -> bool:
        """Whether it goes on from an answer."""
        raise NotImplementedError

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        """There is nothing to get."""
        self._elsewhere()

    def do_POST(self) -> None:
        """Answer `…/chat/completions`."""
        request = _request(self._body())
        case, _, rest = self.path.partition("?")[0].lstrip("/").partition("/")
        if case not in self.cases or rest != "v1/chat/completions":
            self._elsewhere()
            return
        if self.goes_on(case, request):
            self.note(case, "further")
            self._send(_text(request))
        else:
            self.note(case, "stream" if request.get("stream") else "complete")
            self._send(self.cases[case])

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            return b"".join(self._chunks())
        length = self.headers.get("content-length", "")
        return self.rfile.read(min(int(length), _MOST)) if length.isdecimal() else b""

    def _chunks(self) -> Iterable[bytes]:
        left = _MOST
        while left > 0:
            try:
                size = int(self.rfile.readline(20).partition(b";")[0], 16)
            except ValueError:
                return
            if size <= 0:
                return
            yield self.rfile.read(min(size, left))
            self.rfile.readline(4)
            left -= size

    def _elsewhere(self) -> None:
        self.note(self.path.split("/")[1] if "/" in self.path else "", "elsewhere")
        error = {"error": {"message": f"only POST …/v1/chat/completions is served, not {self.path}", "code": 404}}
        self._send(Wire(json.dumps(error).encode(), 404, {"content-type": "application/json"}))

    def _send(self, wire: Wire) -> None:
        """Head and body in one piece, and the connection closed: what a client does must not hang on chance."""
        length = len(wire.body) + (64 if wire.cut else 0)
        headers = {**wire.headers, "content-length": str(length), "connection": "close"}
        head = f"HTTP/1.1 {wire.status} {HTTPStatus(wire.status).phrase}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.wfile.write(head.encode("latin-1") + b"\r\n" + wire.body)
        self.close_connection = True


def _request(body: bytes) -> dict[str, Any]:
    """What was asked; nothing, if it is no JSON object."""
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return request if isinstance(request, dict) else {}


def _text(request: Mapping[str, Any]) -> Wire:
    """An honest text, in the mode asked for."""
    return respond({key: request[key] for key in ("model", "stream", "stream_options") if key in request})

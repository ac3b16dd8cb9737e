"""The fault server on loopback: `/v1/…` answers with the chosen fault, `/<fault>/v1/…` with that one."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from conformance.errors import ConfigError
from conformance.faults.catalogue import FAULTS, Fault
from conformance.faults.respond import respond

_MOST = 32 * 1024 * 1024


class FaultServer:
    """Serves made-up answers.

    Args:
        fault: planted in every answer under `/v1`; None for honest ones.
        port: 0 for a free one.

    Raises:
        ConfigError: the port is taken.
    """

    def __init__(self, fault: Fault | None = None, port: int = 0) -> None:
        handler = type("Handler", (_Handler,), {"fault": fault})
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        except OSError as error:
            raise ConfigError(f"port {port} cannot be used ({error.strerror}); choose another with --port") from None
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    @property
    def url(self) -> str:
        """The base URL of the chosen fault."""
        return f"http://127.0.0.1:{self.port}/v1"

    def url_of(self, fault: Fault) -> str:
        """The base URL under which a fault is planted, whatever was chosen."""
        return f"http://127.0.0.1:{self.port}/{fault.name}/v1"

    def serve(self) -> None:
        """Serve until interrupted."""
        self._server.serve_forever()

    def __enter__(self) -> FaultServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fault: Fault | None = None

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: what is asked and answered is the client's business."""

    def do_GET(self) -> None:
        """Answer `/v1/models`."""
        model = {"id": "made-up-1", "object": "model", "created": 1, "owned_by": "nobody"}
        self._send(200, json.dumps({"object": "list", "data": [model]}).encode(), {"content-type": "application/json"})

    def do_POST(self) -> None:
        """Answer `…/chat/completions`."""
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(min(length, _MOST))
        path = self.path.partition("?")[0]
        prefix, _, rest = path.lstrip("/").partition("/")
        fault = self.fault if prefix == "v1" else FAULTS.get(prefix)
        if prefix != "v1" and fault is None:
            self._refuse(404, f"no fault is called {prefix!r}")
            return
        if not (rest if prefix == "v1" else rest.partition("/")[2]).endswith("chat/completions"):
            self._refuse(404, f"{path} is not served; ask …/v1/chat/completions")
            return
        try:
            request = json.loads(raw)
        except ValueError:
            request = None
        if not isinstance(request, dict):
            self._refuse(400, "the request body is not a JSON object")
            return
        wire = respond(request, fault)
        self._send(wire.status, wire.body, dict(wire.headers), cut=wire.cut)

    def _refuse(self, status: int, message: str) -> None:
        body = json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": status}}).encode()
        self._send(status, body, {"content-type": "application/json"})

    def _send(self, status: int, body: bytes, headers: dict[str, str], *, cut: bool = False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body) + (64 if cut else 0)))
        self.send_header("x-made-up", "conformance fault server")
        self.end_headers()
        self.wfile.write(body)
        if cut:
            self.close_connection = True

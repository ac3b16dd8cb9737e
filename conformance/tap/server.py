"""The tap as a whole: listens, forwards, watches."""

from __future__ import annotations

import asyncio
import socket
import threading
from types import TracebackType
from typing import Final

import uvicorn

from conformance.errors import ConfigError
from conformance.tap.address import Upstream
from conformance.tap.forward import Forwarder, client_for
from conformance.tap.headers import Fields, Secrets
from conformance.tap.passed import Settings
from conformance.tap.recording import Budget, Recording
from conformance.tap.worker import Tell, Worker

_KEEP_ALIVE: Final = 600
_HEAD: Final = 1 << 20


class Tap:
    """A tap, as a context manager: it listens inside the block, and everything that passed is judged at its end.

    Args:
        upstream: where requests go.
        settings: how exchanges are judged and kept.
        tell: is told what came of each, in a thread of the tap's.
        host: loopback address to listen on.
        port: 0 for a free one.
        budget: memory for copies.
        stopped: set if the tap ends by itself.

    Attributes:
        port: in use.

    Raises:
        ConfigError: the port is taken, or is the provider's.
    """

    def __init__(
        self,
        upstream: Upstream,
        settings: Settings,
        tell: Tell,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        budget: Budget | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        self._upstream = upstream
        self._host = host
        if port and upstream.is_at(port):
            raise ConfigError(f"--upstream: is the tap's own address (port {port}); give the provider's")
        self._socket = _listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._stopped = stopped or threading.Event()
        self._worker = Worker(settings, tell)
        self._watch = _Watch(self._worker, budget or Budget())
        self._thread = threading.Thread(target=self._run, name="tap", daemon=True)
        self._server: uvicorn.Server | None = None
        self._leave = False
        self._problem: BaseException | None = None

    @property
    def origin(self) -> str:
        """Where it listens."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}"

    @property
    def url(self) -> str:
        """The base URL to give to clients."""
        return self.origin + self._upstream.client_path

    def __enter__(self) -> Tap:
        try:
            self._worker.start()
            self._thread.start()
        except BaseException:
            self._worker.kill()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self._leave = True
        if self._server is not None:
            self._server.should_exit = True
        try:
            self._thread.join()
            self._worker.close()
        finally:  # also after a second interrupt: a process that is left would be waited for
            self._worker.kill()
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as problem:
            self._problem = problem
        finally:
            self._socket.close()
            self._stopped.set()

    async def _serve(self) -> None:
        async with client_for(self._upstream) as client:
            config = uvicorn.Config(
                Forwarder(self._upstream, client, self._watch),
                interface="asgi3",
                http="h11",
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                timeout_keep_alive=_KEEP_ALIVE,
                timeout_graceful_shutdown=0,
                h11_max_incomplete_event_size=_HEAD,
            )
            self._server = uvicorn.Server(config)
            self._server.should_exit = self._leave
            await self._server.serve(sockets=[self._socket])


class _Watch:
    """Numbers what passes and hands copies over; lives in the thread that forwards."""

    def __init__(self, worker: Worker, budget: Budget) -> None:
        self._worker = worker
        self._budget = budget
        self._secrets = Secrets()
        self._number = 0

    def begin(self, method: str, target: bytes, fields: Fields) -> Recording:
        self._number += 1
        path, _, query = target.partition(b"?")
        return Recording(
            self._number,
            method,
            target.decode("latin-1"),
            fields,
            chat=method == "POST" and path.endswith(b"/chat/completions"),
            budget=self._budget,
            secrets=self._secrets.learn(fields, query),
        )

    def look(self, recording: Recording) -> None:
        self._worker.look(recording)

    def done(self, recording: Recording) -> None:
        self._worker.done(recording)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise ConfigError(f"port {port} cannot be used ({error.strerror}); choose another with --port") from None

"""The proxy: an ASGI application that passes requests and answers on, piece by piece as they come.

Bodies are never decoded, and pieces neither joined nor held back. An answer that is cut is cut for the client as well,
and a client that goes away ends the request to the provider. Only where there is no answer at all does the tap speak
for itself: HTTP 502 with an error object in OpenAI's form that says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, Final, Protocol

import httpx2

from conformance.errors import NotRun
from conformance.model import End
from conformance.tap.address import Upstream
from conformance.tap.headers import Fields, to_client, to_provider
from conformance.tap.recording import Recording
from conformance.transport.capture import ending, is_loopback
from conformance.transport.endpoint import Endpoint
from conformance.transport.failures import no_response

CONNECT: Final = 30.0
"""Seconds until the connection to the provider stands. After that nothing is timed: how long to wait is the client's
business."""
MARK: Final = "x-conformance-tap"
"""Header of an answer that is the tap's own; its value is the reason."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Watch(Protocol):
    """Who keeps copies of what passes; none of its methods may wait."""

    def begin(self, method: str, target: bytes, fields: Fields) -> Recording:
        """A request came."""
        ...

    def look(self, recording: Recording) -> None:
        """Enough came to be worth a look."""
        ...

    def done(self, recording: Recording) -> None:
        """The exchange is over."""
        ...


class Cut(Exception):
    """Raised at the server that runs the application, which then drops the connection, as the provider did."""


class _Gone(Exception):
    """The client went away while it sent its request."""


def client_for(upstream: Upstream) -> httpx2.AsyncClient:
    """The client that asks the provider.

    Connections are not kept: one that the provider closed in between would look like a fault of its next answer. This
    machine is never asked through a proxy.
    """
    return httpx2.AsyncClient(
        trust_env=not is_loopback(upstream.url.host),
        follow_redirects=False,
        timeout=httpx2.Timeout(None, connect=CONNECT),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0),
    )


class Forwarder:
    """The application.

    Args:
        upstream: where requests go.
        client: asks there.
        watch: is shown what passes.
    """

    def __init__(self, upstream: Upstream, client: httpx2.AsyncClient, watch: Watch) -> None:
        self._upstream = upstream
        self._client = client
        self._watch = watch

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass one request on.

        Raises:
            Cut: the answer was cut.
        """
        target = self._upstream.target(scope["raw_path"], scope["query_string"])
        fields = to_provider(scope["headers"])
        recording = self._watch.begin(scope["method"], target, fields)
        uploaded = asyncio.Event()
        passing = asyncio.create_task(self._pass(scope, target, fields, receive, send, recording, uploaded))
        leaving = asyncio.create_task(_disconnect(receive, uploaded))
        ended = End("client-closed", "the tap was ended")
        try:
            await asyncio.wait((passing, leaving), return_when=asyncio.FIRST_COMPLETED)
            ended = passing.result() if passing.done() else End("client-closed", "the client went away")
        except Exception as problem:
            recording.fail(f"internal error: {type(problem).__name__} while passing it on", ours=True)
            raise
        finally:
            try:
                await _stop(passing, leaving)
            finally:  # cancelled a second time when the tap ends
                recording.end(ended)
                self._watch.done(recording)
        if ended.cut:
            raise Cut

    async def _pass(
        self,
        scope: Message,
        target: bytes,
        fields: Fields,
        receive: Receive,
        send: Send,
        recording: Recording,
        uploaded: asyncio.Event,
    ) -> End:
        if not scope["raw_path"].startswith(b"/"):
            uploaded.set()
            await self._refuse(send, recording, "no-proxy", _NO_PROXY, status=400)
            return End()
        content = _body(receive, recording, uploaded) if _has_body(scope["headers"]) else None
        if content is None:
            uploaded.set()
        request = self._request(scope["method"], target, fields, content)
        try:
            response = await self._client.send(request, stream=True)
        except _Gone:
            return End("client-closed", "the client went away while it sent its request")
        except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
            endpoint = Endpoint(self._upstream.base_url, connect=CONNECT)
            why = no_response(problem, self._upstream.url, endpoint, timed_out=False)
            reason = why.reason if isinstance(why, NotRun) else "unsendable"
            fix = f"; {why.fix}" if isinstance(why, NotRun) and why.fix else ""
            await self._refuse(send, recording, reason, f"{why}{fix}")
            return End()
        try:
            return await self._answer(response, send, recording)
        finally:
            await response.aclose()

    def _request(
        self, method: str, target: bytes, fields: Fields, content: AsyncIterator[bytes] | None
    ) -> httpx2.Request:
        # Built here and not by the client, which would add fields of its own.
        url = self._upstream.url
        with contextlib.suppress(httpx2.InvalidURL):
            url = url.copy_with(raw_path=target)
        # a parsed address is written in one way of several; the provider gets the client's
        exact = {} if url.raw_path == target else {"target": target}
        return httpx2.Request(method, url, headers=list(fields), content=content, extensions=exact)

    async def _answer(self, response: httpx2.Response, send: Send, recording: Recording) -> End:
        status = response.status_code
        if not 200 <= status <= 599:
            await self._refuse(
                send, recording, "status", f"the provider answered HTTP {status}, which cannot be passed on"
            )
            return End()
        fields = tuple(response.headers.raw)
        recording.answered(status, response.reason_phrase, fields)
        await send({"type": "http.response.start", "status": status, "headers": to_client(fields)})
        try:
            async for part in response.aiter_raw():
                if recording.took(part):
                    self._watch.look(recording)
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except httpx2.TransportError as problem:
            return ending(problem)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return End()

    async def _refuse(self, send: Send, recording: Recording, reason: str, why: str, status: int = 502) -> None:
        recording.fail(why)
        message = f"conformance tap: {why}. This answer is the tap's, not the provider's."
        body = json.dumps({"error": {"message": message, "type": "tap_error", "param": None, "code": reason}}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (MARK.encode(), reason.encode()),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


_NO_PROXY: Final = "the tap is no HTTP proxy; point the client's base URL at it instead"


def _has_body(fields: Fields) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0") != b"")
        for name, value in fields
    )


async def _body(receive: Receive, recording: Recording, uploaded: asyncio.Event) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        if data := message.get("body", b""):
            recording.sent(data)
            yield data
        more = message.get("more_body", False)
    uploaded.set()


async def _disconnect(receive: Receive, uploaded: asyncio.Event) -> None:
    """Return when the client has gone; before its request is sent, whoever sends that will notice."""
    await uploaded.wait()
    while (await receive())["type"] != "http.disconnect":
        pass


async def _stop(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

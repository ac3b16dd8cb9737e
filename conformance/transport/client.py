"""One exchange through the real openai client, with the response's bytes as they came."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import httpx2
import openai

from conformance.errors import NotRun
from conformance.model import Exchange, Mode
from conformance.transport.capture import fetch
from conformance.transport.endpoint import Endpoint, absolute
from conformance.transport.interaction import Labels, joined
from conformance.transport.privacy import recorded_request, redacted, redactor_for
from conformance.transport.quiet import quiet
from conformance.transport.received import Received
from conformance.wire.redact import Redactor

if TYPE_CHECKING:
    from conformance.transport.store import Store

_NO_KEY: Final = "none"


def send(
    endpoint: Endpoint,
    body: Mapping[str, Any],
    *,
    mode: Mode,
    source: str,
    provider: str,
    model: str,
    scenario: str,
    store: Store | None,
    headers: Mapping[str, str] | None = None,
) -> Exchange:
    """Send one chat completion request and take its answer.

    Args:
        endpoint: where to.
        body: the request's JSON body, sent as it is.
        mode: what the request asks for.
        source, provider, model, scenario: labels of the exchange.
        store: plays and records; None = plain live.
        headers: for this request alone.

    Raises:
        NotRun: there is no response.
        CassetteError: the store has none that may stand for one.
        ConfigError: the endpoint cannot be asked at all.
    """
    session = _session(
        endpoint.base_url,
        endpoint.api_key,
        endpoint.key_header,
        tuple(endpoint.headers.items()),
        tuple(endpoint.query.items()),
        endpoint.timeout,
        endpoint.public_url,
        endpoint.secrets,
    )
    call = _Call(endpoint, session.redactor, Labels(provider, model, scenario, mode), store)
    token = _CALL.set(call)
    try:
        with quiet():
            _ask(session.client, endpoint, body, headers or {})
    except openai.APIStatusError:
        pass  # the status is in the exchange
    except UnicodeEncodeError:
        raise NotRun(
            "unsendable", "the openai client cannot encode the request: it holds half a surrogate pair"
        ) from None
    except Exception:
        if call.problem is None:
            raise
    finally:
        _CALL.reset(token)
    if call.problem is not None:
        raise call.problem from None
    assert call.received is not None
    answer = call.received
    return Exchange(
        source=source,
        body=answer.body,
        status=answer.status,
        headers=joined(answer.headers),
        request=body if call.sent is None else json.loads(call.sent),
        asked_mode=mode,
        provider=provider,
        model=model,
        scenario=scenario,
        ended=answer.ended,
        pieces=answer.pieces,
        recorded_at=answer.recorded_at,
    )


@dataclass(slots=True)
class _Call:
    """What the transport beneath the client is told, and tells back.

    Attributes:
        sent: the request body, if redaction changed it.
    """

    endpoint: Endpoint
    redactor: Redactor
    labels: Labels
    store: Store | None
    received: Received | None = None
    sent: bytes | None = None
    problem: Exception | None = None

    def take(self, request: httpx2.Request) -> Received:
        public = recorded_request(request, self.endpoint, self.labels.provider, self.redactor, own=True)
        if public.body != request.content:
            self.sent = public.body
        if self.store is None:
            return self._fetch(request)
        return self.store.take(public, self.labels, lambda: self._fetch(request))

    def _fetch(self, request: httpx2.Request) -> Received:
        return redacted(fetch(request, self.endpoint, self.redactor), self.redactor, self.endpoint.max_bytes)


_CALL: Final[ContextVar[_Call]] = ContextVar("call")


class _Tap(httpx2.BaseTransport):
    """Take the bytes before the client reads, decodes or drops them."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        call = _CALL.get()
        try:
            call.received = call.take(request)
        except Exception as problem:
            call.problem = problem
            raise
        # The client learns the status alone. It would read an error's body, stop at the first byte it cannot decode,
        # and send cookies back in the next exchange.
        return httpx2.Response(call.received.status, stream=httpx2.ByteStream(b""))


def _ask(client: openai.OpenAI, endpoint: Endpoint, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
    extra: dict[str, Any] = {"Accept-Encoding": "identity", **headers}
    if endpoint.api_key is None or endpoint.key_header is not None:
        extra["Authorization"] = openai.Omit()
    # extra_body goes over what the client makes of its arguments, so that the dict is sent as it is.
    with client.chat.completions.with_streaming_response.create(
        messages=body.get("messages", openai.omit),
        model=body.get("model", openai.omit),
        stream=body.get("stream", openai.omit),
        extra_headers=extra,
        extra_body=dict(body),
    ):
        pass


@dataclass(frozen=True, slots=True)
class _Session:
    client: openai.OpenAI
    redactor: Redactor


@lru_cache(maxsize=32)
def _session(
    base_url: str,
    api_key: str | None,
    key_header: str | None,
    headers: tuple[tuple[str, str], ...],
    query: tuple[tuple[str, str], ...],
    timeout: float,
    public_url: str | None,
    secrets: tuple[str, ...],
) -> _Session:
    """What the exchanges with one endpoint share; client and patterns are expensive to build."""
    endpoint = Endpoint(base_url, api_key, dict(headers), dict(query), public_url=public_url, secrets=secrets)
    fixed = dict(headers)
    if key_header is not None and api_key is not None:
        fixed[key_header] = api_key
    with _without_openai_variables():
        client = openai.OpenAI(
            base_url=absolute(base_url),
            api_key=api_key or _NO_KEY,
            default_headers=fixed,
            default_query=dict(query),
            timeout=timeout,
            max_retries=0,
            http_client=httpx2.Client(transport=_Tap(), trust_env=False),
        )
    return _Session(client, redactor_for(endpoint))


_ENVIRONMENT: Final = threading.Lock()


@contextlib.contextmanager
def _without_openai_variables() -> Iterator[None]:
    """Keep the client from taking organization, headers or keys meant for OpenAI to another provider."""
    with _ENVIRONMENT:
        hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("OPENAI_")}
        try:
            yield
        finally:
            os.environ.update(hidden)

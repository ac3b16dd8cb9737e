"""One exchange through the real openai client, with the response's bytes as they came."""

from __future__ import annotations

import contextlib
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
from conformance.transport.endpoint import Endpoint
from conformance.transport.received import Received

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
    call = _Call(endpoint)
    token = _CALL.set(call)
    try:
        _ask(endpoint, body, headers or {})
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
        request=body,
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
    """What the transport beneath the client is told, and tells back."""

    endpoint: Endpoint
    received: Received | None = None
    problem: Exception | None = None


_CALL: Final[ContextVar[_Call]] = ContextVar("call")


class _Tap(httpx2.BaseTransport):
    """Take the bytes before the client reads, decodes or drops them."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        call = _CALL.get()
        try:
            call.received = fetch(request, call.endpoint)
        except Exception as problem:
            call.problem = problem
            raise
        # The client learns the status alone. It would read an error's body, stop at the first byte it cannot decode,
        # and send cookies back in the next exchange.
        return httpx2.Response(call.received.status, stream=httpx2.ByteStream(b""))


def joined(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Header fields as a mapping; values of a repeated name are joined as RFC 9110 §5.3 does."""
    together: dict[str, str] = {}
    for name, value in headers:
        together[name] = f"{together[name]}, {value}" if name in together else value
    return together


def _ask(endpoint: Endpoint, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
    client = _client(
        endpoint.base_url,
        endpoint.api_key,
        endpoint.key_header,
        tuple(endpoint.headers.items()),
        tuple(endpoint.query.items()),
        endpoint.timeout,
    )
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


@lru_cache(maxsize=32)
def _client(
    base_url: str,
    api_key: str | None,
    key_header: str | None,
    headers: tuple[tuple[str, str], ...],
    query: tuple[tuple[str, str], ...],
    timeout: float,
) -> openai.OpenAI:
    fixed = dict(headers)
    if key_header is not None and api_key is not None:
        fixed[key_header] = api_key
    with _without_openai_variables():
        return openai.OpenAI(
            base_url=base_url,
            api_key=api_key or _NO_KEY,
            default_headers=fixed,
            default_query=dict(query),
            timeout=timeout,
            max_retries=0,
            http_client=httpx2.Client(transport=_Tap(), trust_env=False),
        )


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

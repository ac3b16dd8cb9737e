"""What of an exchange may reach the disk: the redactor of an endpoint, and request and response in their public form.

A request is recorded under the endpoint's public URL, so that a cassette reads the same whoever recorded it. Of its
headers, those that only describe the machine or the connection are left out (`host`, `connection`, `content-length`,
and the client's telemetry `x-stainless-*`: operating system, architecture, Python version); credentials are masked.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import httpx2
from vcr.request import Request

from conformance.errors import NotRun
from conformance.model import End
from conformance.transport.endpoint import Endpoint, absolute
from conformance.transport.interaction import joined
from conformance.transport.received import Received
from conformance.wire.body import decode_body
from conformance.wire.facts import Marks
from conformance.wire.redact import Redactor, is_private, is_private_parameter

_UNTOLD: Final = frozenset(("host", "connection", "content-length"))
_TELEMETRY: Final = "x-stainless-"
_INTERNAL: Final = (".local", ".localhost", ".internal", ".intranet", ".lan", ".home", ".home.arpa", ".corp")


def redactor_for(endpoint: Endpoint) -> Redactor:
    """Knows an endpoint's credentials and, where its address is not public, that."""
    secrets = [endpoint.api_key or "", *endpoint.secrets]
    secrets += (value for name, value in endpoint.headers.items() if is_private(name))
    secrets += (value for name, value in endpoint.query.items() if is_private_parameter(name))
    return Redactor(secrets, _addresses(endpoint))


def recorded_request(request: httpx2.Request, endpoint: Endpoint, provider: str, redactor: Redactor) -> Request:
    """A request as a cassette holds it."""
    headers = redactor.headers(
        (name, value)
        for name, value in request.headers.multi_items()
        if name not in _UNTOLD and not name.startswith(_TELEMETRY)
    )
    return Request(
        request.method,
        redactor.url(str(_public(request.url, endpoint, provider))),
        redactor.body(request.read()),
        joined(headers),
    )


def redacted(received: Received, redactor: Redactor) -> Received:
    """A response as a cassette holds it, every length kept.

    Raises:
        NotRun: a compressed body repeats a secret; to change it would change its length.
    """
    body = redactor.body(received.body)
    decoded = decode_body(body, joined(received.headers), Marks())
    if decoded != body and redactor.holds(decoded):
        raise NotRun(
            "secret",
            "the compressed answer repeats a key or a private address",
            "ask for it with Accept-Encoding: identity",
        )
    return replace(
        received,
        reason=redactor.text(received.reason),
        headers=redactor.headers(received.headers),
        body=body,
        ended=End(received.ended.kind, redactor.text(received.ended.detail)),
    )


def _public(url: httpx2.URL, endpoint: Endpoint, provider: str) -> httpx2.URL:
    base = httpx2.URL(absolute(endpoint.base_url))
    if endpoint.public_url is not None:
        public = httpx2.URL(absolute(endpoint.public_url))
        rest = url.path.removeprefix(base.path.rstrip("/"))
        return public.copy_with(path=public.path.rstrip("/") + rest, query=url.query or None)
    if is_internal(base.host):
        return url.copy_with(host=f"{provider or 'provider'}.invalid", port=None)
    return url


def _addresses(endpoint: Endpoint) -> Iterator[str]:
    base = httpx2.URL(absolute(endpoint.base_url))
    host = f"[{base.host}]" if ":" in base.host else base.host
    if endpoint.public_url is None:
        if not is_internal(base.host):
            return
    elif (public := httpx2.URL(absolute(endpoint.public_url))) and (public.host, public.port) == (base.host, base.port):
        return
    elif public.host == base.host:
        yield f"{host}:{base.port}"
        return
    if base.port is not None:
        yield f"{host}:{base.port}"
    if "." in host or host.startswith("["):
        yield host  # a name without a dot may be any word


def is_internal(host: str) -> bool:
    """Whether a host is an address, or a name that no public server has."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_INTERNAL)
    return True

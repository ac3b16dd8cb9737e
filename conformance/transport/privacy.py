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
from conformance.providers.secrets import issued
from conformance.transport.endpoint import Endpoint, absolute
from conformance.transport.interaction import joined
from conformance.transport.received import Received
from conformance.wire.body import MAX_DECODED, decode_body
from conformance.wire.facts import Marks
from conformance.wire.redact import Redactor, bare, is_private, is_private_parameter

_UNTOLD: Final = frozenset(("host", "connection", "content-length"))
_TELEMETRY: Final = "x-stainless-"
_INTERNAL: Final = (".local", ".localhost", ".internal", ".intranet", ".lan", ".home", ".home.arpa", ".corp")


def redactor_for(endpoint: Endpoint) -> Redactor:
    """Knows an endpoint's credentials, the forms of issued keys and, where its address is not public, that."""
    named = [value for name, value in endpoint.headers.items() if is_private(name)]
    named += (value for name, value in endpoint.query.items() if is_private_parameter(name))
    keys = [endpoint.api_key or "", *map(bare, named), *named]
    return Redactor(endpoint.secrets, _addresses(endpoint), keys=keys, forms=issued)


def recorded_request(
    request: httpx2.Request, endpoint: Endpoint, provider: str, redactor: Redactor, *, own: bool = False
) -> Request:
    """A request as a cassette holds it.

    Args:
        request: as it is sent.
        endpoint: where to.
        provider: whose address stands for one that is not public.
        redactor: knows what to take out.
        own: a scenario made it, and a replay makes it again: where part of a key stands in it, that is chance.
    """
    headers = redactor.headers(
        (name, value)
        for name, value in request.headers.multi_items()
        if name not in _UNTOLD and not name.startswith(_TELEMETRY)
    )
    return Request(
        request.method,
        redactor.url(str(_public(request.url, endpoint, provider))),
        redactor.body(request.read(), whole=own),
        joined(headers),
    )


def redacted(received: Received, redactor: Redactor, max_bytes: int = MAX_DECODED) -> Received:
    """A response as a cassette holds it, every length kept.

    A compressed body that grows beyond the limit is not kept: nobody can say what is in it, and it would harm whoever
    opens the file.

    Args:
        received: as it came.
        redactor: knows what to take out.
        max_bytes: that a compressed body may decode to.

    Raises:
        NotRun: a compressed body repeats a secret; to change it would change its length.
    """
    plain = replace(
        received,
        reason=redactor.text(received.reason),
        headers=redactor.headers(received.headers),
        ended=End(received.ended.kind, redactor.text(received.ended.detail)),
    )
    decoded = decode_body(received.body, joined(received.headers), Marks(), max_bytes)
    if decoded == received.body:
        return replace(plain, body=redactor.said(received.body))
    if len(decoded) > max_bytes:
        detail = f"{len(received.body)} compressed bytes decode to more than {max_bytes}; they are not kept"
        return replace(plain, body=b"", pieces=(), ended=End("limit", detail))
    if redactor.said(decoded) != decoded:
        raise NotRun(
            "secret",
            "the compressed answer repeats a key or a private address",
            "ask for it with Accept-Encoding: identity",
        )
    return plain


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

"""Why there was no response at all, as one sentence that names the server and the step that helps."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Final

import httpx2

from conformance.errors import ConfigError, ConformanceError, NotRun
from conformance.transport.endpoint import Endpoint
from conformance.transport.heard import NOTHING, SPEAKS_TLS, Heard

_CHECK: Final = "check scheme, port and path of the address"
_WAIT: Final = "raise --timeout (or the provider's 'timeout'), or look at the server"


def no_response(
    problem: Exception,
    url: httpx2.URL,
    endpoint: Endpoint,
    heard: Heard = NOTHING,
    *,
    timed_out: bool,
) -> ConformanceError:
    """The error to raise for an exchange that failed before its response headers.

    Args:
        problem: what httpx2 raised.
        url: of the request.
        endpoint: with the limits that were set.
        heard: what the server sent.
        timed_out: whether the time for the whole exchange was over.
    """
    where = place(url)
    if isinstance(problem, (httpx2.UnsupportedProtocol, httpx2.InvalidURL, httpx2.LocalProtocolError)):
        # Not the library's message: it repeats header values.
        return ConfigError(f"{where}: the address, a header or the key cannot be sent over HTTP; check them")
    if protocol := heard.protocol:
        fix = "begin the address with https://" if protocol == SPEAKS_TLS else _CHECK
        return NotRun("not-http", f"{where} {protocol}", fix)
    if timed_out:
        seconds = max(endpoint.total, endpoint.timeout)
        what = "gave no complete answer head" if heard.data else "sent nothing"
        return NotRun("timeout", f"{where} {what} within {seconds:.3g} s", _WAIT)
    if isinstance(problem, httpx2.ConnectTimeout):
        return NotRun(
            "timeout",
            f"{where} did not accept a connection within {endpoint.connect:.3g} s",
            "check address and network",
        )
    if isinstance(problem, httpx2.TimeoutException):
        return NotRun(
            "timeout", f"{where} sent nothing{' more' if heard.data else ''} for {endpoint.timeout:.3g} s", _WAIT
        )
    if isinstance(problem, httpx2.ProxyError):
        return NotRun("unreachable", f"the proxy refused to connect to {where}", "check HTTPS_PROXY and NO_PROXY")
    if isinstance(problem, RuntimeError):
        if "Network is disabled" not in str(problem):
            raise problem
        return NotRun("blocked", f"{where} is not asked: --block-network is on", "run without --block-network")
    if isinstance(problem, httpx2.ConnectError):
        return _not_connected(problem, where)
    if isinstance(problem, httpx2.ProtocolError) and "disconnected" not in str(problem):
        # h11 says so; everything else that it says is about the grammar
        what = "too long" if str(problem).startswith("Receive buffer too long") else "not HTTP/1.1"
        return NotRun("not-http", f"{where} sends a head that is {what}", "look at the server, or the gateway")
    how = "in the middle of the answer's head" if heard.data else "without an answer"
    return NotRun("no-response", f"{where} closed the connection {how}", "look at the server's log")


def place(url: httpx2.URL) -> str:
    """`host:port` of an address."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{host}:{url.port or (443 if url.scheme == 'https' else 80)}"


def _not_connected(problem: Exception, where: str) -> NotRun:
    for cause in _causes(problem):
        if isinstance(cause, ssl.SSLError):
            return NotRun(
                "unreachable",
                f"TLS with {where} failed: {cause.reason or 'unknown reason'}",
                "check scheme and port of the address, and the certificates this machine trusts",
            )
        if isinstance(cause, socket.gaierror):
            return NotRun("unreachable", f"the name of {where} is not known here", "check the address and the network")
        if isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED:
            return NotRun("refused", f"connection refused by {where}", "start the server, or check the address")
        if isinstance(cause, OSError) and cause.strerror:
            return NotRun(
                "unreachable", f"{where} is unreachable: {cause.strerror}", "check the address and the network"
            )
    return NotRun("unreachable", f"{where} is unreachable", "check the address and the network")


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    while problem is not None:
        yield problem
        problem = problem.__cause__ or problem.__context__

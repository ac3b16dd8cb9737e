"""Where requests go: the provider's base URL, how a path is joined to it, and where the tap may listen."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import httpx2

from conformance.errors import ConfigError
from conformance.providers.urls import problem
from conformance.run.plan import LOCAL
from conformance.transport.capture import is_loopback
from conformance.transport.privacy import is_internal

_DEFAULT_PATH: Final = "/v1"


@dataclass(frozen=True, slots=True)
class Upstream:
    """A provider's base URL.

    Attributes:
        base_url: as given, without a slash at its end.
        path: its path, `""` if it has none.
    """

    base_url: str
    path: str

    @classmethod
    def parse(cls, text: str) -> Upstream:
        """Read `--upstream`.

        Raises:
            ConfigError: it is no http or https address, or holds more than an address; what it holds is not repeated.
        """
        text = text.strip()
        if "@" in text.partition("://")[2].partition("/")[0]:
            raise ConfigError("--upstream: holds a user name or a password; let the client send the key")
        if "?" in text:
            raise ConfigError("--upstream: holds a query; let the client send its parameters")
        if wrong := problem(text):
            raise ConfigError(f"--upstream: {wrong}")
        base = text.rstrip("/")
        try:
            httpx2.URL(base)
        except httpx2.InvalidURL:
            raise ConfigError("--upstream: is not a valid address") from None
        return cls(base, urlsplit(base).path)

    @property
    def url(self) -> httpx2.URL:
        """The same, parsed."""
        return httpx2.URL(self.base_url)

    @property
    def label(self) -> str:
        """What to call the provider: its host, or a word where the host is nobody's business."""
        return LOCAL if is_internal(self.url.host) else self.url.host

    def is_at(self, port: int) -> bool:
        """Whether it is on this machine, at this port."""
        return is_loopback(self.url.host) and (self.url.port or 80) == port

    @property
    def client_path(self) -> str:
        """The path of the base URL that a client of the tap uses."""
        return self.path or _DEFAULT_PATH

    def target(self, path: bytes, query: bytes) -> bytes:
        """The request target at the provider, as bytes, so that nothing in it is written anew.

        The path is joined to that of the base URL; what both have in common at the seam counts once: with
        `https://host/api/v1`, `/api/v1/models`, `/v1/models` and `/models` are the same.

        Args:
            path: as the client sent it; begins with a slash.
            query: without the question mark.
        """
        base = self.path.encode("ascii", "ignore")
        steps = base.split(b"/")[1:] if base else []
        seam = next(
            (start for start in range(len(steps)) if (path + b"/").startswith(b"/" + b"/".join(steps[start:]) + b"/")),
            len(steps),
        )
        joined = b"".join(b"/" + step for step in steps[:seam]) + path
        return joined + (b"?" + query if query else b"")


def loopback(host: str) -> str:
    """The address to listen on.

    Raises:
        ConfigError: it is not on this machine; a tap passes keys, so nobody else may reach it.
    """
    address = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        if ipaddress.ip_address(address).is_loopback:
            return address
    except ValueError:
        pass
    raise ConfigError(f"--host {host}: not a loopback address; the tap passes keys on, so use 127.0.0.1 or ::1")

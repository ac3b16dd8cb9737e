"""What came before there was a response, and which protocol that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from conformance.text import visible

SPEAKS_TLS: Final = "speaks TLS"
_KEPT: Final = 512
_SHOWN: Final = 80
_TLS: Final = (b"\x15\x03", b"\x16\x03")
_PROTOCOLS: Final = (
    (b"SSH-", "SSH"),
    (b"220 ", "SMTP or FTP"),
    (b"220-", "SMTP or FTP"),
    (b"* OK", "IMAP"),
    (b"-ERR", "Redis or POP3"),
    (b"RFB ", "VNC"),
)


class Heard:
    """The first bytes that a server sends.

    Args:
        hide: takes secrets out of what is quoted of them.

    Attributes:
        data: so far.
    """

    def __init__(self, hide: Callable[[str], str] = str) -> None:
        self.data = b""
        self._hide = hide

    def listen(self, stream: Any) -> None:
        """Hear what is read from a network stream (of httpcore2) from now on; of one under TLS, what it decrypts."""
        self.data = b""
        read = stream.read

        def heard(max_bytes: int, timeout: float | None = None) -> bytes:
            data: bytes = read(max_bytes, timeout)
            if len(self.data) < _KEPT:
                self.data += data[: _KEPT - len(self.data)]
            return data

        stream.read = heard

    @property
    def protocol(self) -> str:
        """What the server speaks instead of HTTP, as the rest of "it …"; `""` if it speaks HTTP, or nothing."""
        if b"HTTP/".startswith(self.data[:5]):
            return ""
        if self.data.startswith(_TLS):
            return SPEAKS_TLS
        if self.data[3:5] == b"\x04\x00" and self.data[:1] == b"\0":
            return "speaks HTTP/2 without TLS, as gRPC does"
        said = visible(self._hide(self.data.decode("utf-8", "replace")).partition("\n")[0].rstrip(), _SHOWN)
        name = next((name for start, name in _PROTOCOLS if self.data.startswith(start)), "")
        return f"speaks {name}: it says '{said}'" if name else f"does not speak HTTP: it says '{said}'"


NOTHING: Final = Heard()
"""Of a server that was not listened to."""

"""What `curl -v … 2>&1` prints: the body, with curl's own lines (`* `, `> `, `< `, progress) in between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from conformance.errors import InputError
from conformance.importers import http_response
from conformance.importers.common import honest, moment
from conformance.importers.interaction import headers_of
from conformance.model import End, EndKind, Exchange

_STAMP: Final = rb"(?:\d\d:\d\d:\d\d\.\d+ )?(?:\[\d+-\d+\] )?"  # --trace-time, --trace-ids
_BEGINS: Final = re.compile(_STAMP + rb"(?:[*<>] |[{}] \[\d+ bytes data\]|Note: |Warning: |curl: )|\s*% Total ")
_HEADS: Final = re.compile(rb"^" + _STAMP + rb"(?:< HTTP/\d|> [A-Z]+ \S+ HTTP/\d)|^curl: \(\d+\)", re.MULTILINE)
_METER: Final = re.compile(
    rb"^ *% Total [^\n]*\n(?: +Dload [^\n]*\n)?"
    rb"|\r *\d+(?: +[\d.]+[kMGTP]?| +\d+){5}(?: +[\d.]+[kMGTP]?){2}(?: +(?:[\d:]{7,8}|--:--:--|\d+d \d\dh|\d+d)){3}"
    rb" +[\d.]+[kMGTP]?(?:\r?\n)?",
    re.MULTILINE,
)
_LINE: Final = re.compile(
    rb"^" + _STAMP + rb"(?:(?P<mark>[*<>]) (?P<text>[^\n]*)|[{}] \[\d+ bytes data\][^\n]*)(?:\n|\Z)"
    # What was glued to a line of the body: no JSON ends like that, for a quote would have to follow.
    rb"|(?:^|(?P<amid>))(?:[{}] \[\d+ bytes data\]|\* (?:Connection #\d+ to host|Closing connection|[Tt]ransfer closed|"
    rb"OpenSSL SSL_read|Recv failure|Operation timed out|HTTP/2 stream)[^\n\"]*|curl: \((?P<code>\d+)\) [^\n\"]*)"
    rb"(?:\n|\Z)",
    re.MULTILINE,
)
_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})")
_ENDS: Final[Mapping[int, EndKind]] = {18: "early-end", 28: "timeout", 55: "reset", 56: "reset", 92: "reset"}
"""Exit codes of curl that tell how a body ended."""


@dataclass(slots=True)
class _Seen:
    """What curl's own lines say; `several`: a response begins after the body of another one."""

    status: int | None = None
    head: list[str] = field(default_factory=list)
    ended: End = field(default_factory=End)
    interrupted: bool = False
    several: bool = False
    _bodied: bool = False
    _last: int = 0

    def take(self, match: re.Match[bytes]) -> bytes:
        """Note one line of curl's; nothing stays of it."""
        self.interrupted = self.interrupted or match["amid"] is not None
        between = match.string[self._last : match.start()].strip()
        self._bodied = self._bodied or (self.status is not None and bool(between))
        self._last = match.end()
        text = (match["text"] or b"").rstrip(b"\r")
        if match["mark"] == b"<":
            status = _STATUS.match(text)
            if status is not None:
                self.several = self.several or (self.status is not None and self._bodied)
                self.status, self.head = int(status[1]), []
            else:
                self.head.append(text.decode("latin-1"))
        if match["code"] is not None and int(match["code"]) in _ENDS:
            said = match[0].strip().decode("utf-8", "replace")
            self.ended = End(_ENDS[int(match["code"])], said)
        return b""


def is_verbose(text: bytes) -> bool:
    """Whether a text begins as curl's verbose output does, and names a request or a response."""
    return _BEGINS.match(text) is not None and _HEADS.search(text) is not None


def exchanges(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchange of the last response; 1xx answers and redirects before it are passed over.

    curl writes its lines to standard error whenever it likes. Where one stands in the middle of a line of the body, the
    body is put together again, but its framing is not judged.

    Raises:
        InputError: there is no response in it, or there are several with a body.
    """
    seen = _Seen()
    plain, torn = _without_meter(text)
    body = _LINE.sub(seen.take, plain)
    if seen.status is None:
        raise InputError(f"{name}: curl got no response; give the output of a request that was answered")
    if seen.several:
        raise InputError(f"{name}: holds several outputs of curl -v; give each a file of its own")
    exchange = _exchange(seen, body, name)
    if torn or seen.interrupted:
        exchange = replace(exchange, fidelity=replace(exchange.fidelity, framing=False))
    yield replace(exchange, ended=seen.ended) if seen.ended.cut else exchange


def _exchange(seen: _Seen, body: bytes, name: str) -> Exchange:
    if http_response.is_response(body):  # -i, so that the head stands in the output as well
        return next(http_response.exchanges(body, name))
    headers = headers_of(seen.head)
    return Exchange(
        source=f"{name}#0",
        body=body,
        status=seen.status,
        headers=honest(headers, body),
        recorded_at=moment(headers.get("date")),
    )


def _without_meter(text: bytes) -> tuple[bytes, bool]:
    """The text without the progress meter, and whether that stood in the middle of a line."""
    torn = False
    last = 0
    for match in _METER.finditer(text):
        start = match.start()
        torn = torn or (start not in (0, last) and text[start - 1 : start] != b"\n")
        last = match.end()
    return _METER.sub(b"", text), torn

"""Replace keys and addresses in bytes, headers and URLs by placeholders of the same length.

This is the only change ever made to evidence (DESIGN §4.9). Lengths are kept, so that byte offsets, piece sizes and
`content-length` stay true and a replay is judged on the very bytes that the live run was judged on. Everything here is
idempotent.

A value is looked for as it is, percent-encoded, escaped as in JSON (also twice, as inside `arguments`), and in base64
at each of the three alignments it can have there. Of keys, parts of 8 characters are looked for as well, and in the
answers of models what many pieces spell out together (`said`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import accumulate
from typing import Final

from conformance.wire.parts import Parts
from conformance.wire.pieces import Pieces, joins

MIN_SECRET: Final = 8
"""Shorter values ("none", "EMPTY", "ollama") are what people enter for a server that wants no key; they are words."""

# not a letter first, so that nothing takes "Bearer *RED…" for a key
_PLACEHOLDER: Final = "*REDACTED"
_PLACEHOLDERS: Final = _PLACEHOLDER.encode() * 100
_STAND_INS: Final = {2: "×", 3: "※", 4: "\U0001d431"}
"""For characters outside ASCII, by their length in UTF-8."""

_HEADERS: Final = frozenset(
    (
        "authorization",
        "proxy-authorization",
        "authentication-info",
        "cookie",
        "cookie2",
        "set-cookie",
        "set-cookie2",
        "openai-organization",
        "openai-project",
        "x-organization-id",
        "x-account-id",
        "from",
        "x-user",
        "x-forwarded-user",
        "forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-server",
        "x-real-ip",
        "x-client-ip",
        "cf-connecting-ip",
        "true-client-ip",
        "x-served-by",
        "x-backend",
        "x-backend-server",
        "x-upstream",
        "x-upstream-host",
    )
)
_HEADER_ENDS: Final = (
    "apikey",
    "-key",
    "-token",
    "-secret",
    "-password",
    "-credential",
    "-signature",
    "-user-id",
    "-user-name",
    "-user-email",
    "-api-base",
    "-upstream-address",
    "-upstream-addr",
    "-upstream-url",
)
_PARAMETER: Final = re.compile(r"(?i)(?:[\w.~%-]*(?:key|token|secret|password|credential|signature)|sig|auth|code)")
_PARAMETERS: Final = re.compile(rf"([?&]{_PARAMETER.pattern.replace('(?i)', '')}=)([^&#]+)", re.IGNORECASE)
_SCHEME: Final = re.compile(r"(?i)(?:bearer|basic|digest|token|key|apikey)[ ]+")


class Redactor:
    """Knows what must not reach the disk.

    Args:
        secrets: values that must not be told; those under 8 characters are ignored (their headers are masked all the
            same).
        addresses: host names, addresses, or either with a port; matched in any case.
        keys: secrets of which no part may be told either.
        forms: says where a text holds a secret that its form gives away.
    """

    def __init__(
        self,
        secrets: Iterable[str] = (),
        addresses: Iterable[str] = (),
        *,
        keys: Iterable[str] = (),
        forms: Callable[[str], Iterable[tuple[int, int]]] | None = None,
    ) -> None:
        told = set(_real(keys))
        values = told.union(_real(secrets))
        branches = [branch for text in _longest_first(values) for branch in _branches(text, any_case=False)]
        branches += [branch for text in _longest_first(set(addresses)) for branch in _branches(text, any_case=True)]
        self._pattern = re.compile(b"|".join(branches), re.DOTALL) if branches else None
        self._parts = Parts(form.encode("utf-8", "surrogateescape") for key in sorted(told) for form in _whole(key))
        self._forms = forms
        self._knows_secrets = bool(values) or forms is not None

    def spans(self, data: bytes, *, whole: bool = False) -> Iterator[tuple[int, int]]:
        """Where there is something to replace, in order and without overlap; `whole`: parts of keys may stay."""
        found = [match.span() for match in self._pattern.finditer(data)] if self._pattern is not None else []
        told = () if whole else self._parts.spans(data)
        parts = [(start, end) for start, end in told if data[start:end] not in _PLACEHOLDERS]
        # one character a byte, so that positions are those of the bytes
        formed = () if self._forms is None else self._forms(data.decode("latin-1"))
        yield from merged([*found, *parts, *formed])

    def holds(self, data: bytes) -> bool:
        """Whether there is something to replace."""
        return next(self.spans(data), None) is not None

    def body(self, data: bytes, *, whole: bool = False) -> bytes:
        """The bytes with every secret and address replaced, as long as before.

        Args:
            data: any bytes.
            whole: only keys that stand there whole; for what nobody but us wrote, where a part of one is chance.
        """
        out: bytearray | None = None
        for start, end in self.spans(data, whole=whole):
            out = bytearray(data) if out is None else out
            out[start:end] = placeholder(end - start).encode()
        return data if out is None else bytes(out)

    def said(self, data: bytes) -> bytes:
        """The same for the body of an answer, and for what its pieces spell out together.

        Args:
            data: after content decoding.
        """
        if not self._knows_secrets:
            return self.body(data)
        # first what is put together: of a key that lost its middle, the ends would stay
        pieces = Pieces(data, joins)
        texts = pieces.masked(self._masked)
        if any(text != span.text for text, span in zip(texts, pieces.spans, strict=True)):
            pieces.settle_bytes(texts)
            data = pieces.written(texts)
        return self.body(data)

    def within(self, text: str) -> Iterator[tuple[int, int]]:
        """Where there is something to replace in a text, as positions of characters."""
        raw = text.encode("utf-8", "surrogatepass")
        found = self.spans(raw)
        if len(raw) == len(text):
            yield from found
            return
        position = {0: 0, **{at: n for n, at in enumerate(accumulate(map(_size, text)), 1)}}
        for start, end in found:
            if start in position and end in position:
                yield position[start], position[end]

    def _masked(self, text: str, _ends: Collection[int]) -> str:
        if len(text) < MIN_SECRET:
            return text
        out: list[str] = []
        last = 0
        for start, end in self.within(text):
            out += (text[last:start], hidden(text[start:end]))
            last = end
        return "".join((*out, text[last:])) if out else text

    def text(self, text: str) -> str:
        """The same for text, as long as before in UTF-8."""
        raw = text.encode("utf-8", "surrogateescape")
        return self.body(raw).decode("utf-8", "surrogateescape")

    def url(self, url: str) -> str:
        """A URL with credentials in its query masked by name, and everything known replaced."""
        return self.text(_PARAMETERS.sub(lambda found: found[1] + placeholder(len(found[2])), url))

    def headers(self, headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Header fields, names in lower case; those that carry credentials or upstream addresses are masked by name."""
        return tuple((name.lower(), self._field(name.lower(), value)) for name, value in headers)

    def _field(self, name: str, value: str) -> str:
        if is_private(name):
            return mask(value)
        return self.url(value) if name in ("location", "content-location") else self.text(value)


def is_private(name: str) -> bool:
    """Whether a header of this name carries a credential, an account or an upstream address."""
    name = name.lower()
    return name in _HEADERS or name.endswith(_HEADER_ENDS)


def is_private_parameter(name: str) -> bool:
    """Whether a query parameter of this name carries a credential."""
    return _PARAMETER.fullmatch(name) is not None


def bare(value: str) -> str:
    """A header value without its authentication scheme."""
    return _SCHEME.sub("", value, count=1) if _SCHEME.match(value) else value


def mask(value: str) -> str:
    """A header value with everything replaced but the authentication scheme, as long as before."""
    scheme = _SCHEME.match(value)
    kept = scheme.end() if scheme else 0
    return value[:kept] + placeholder(len(value.encode("utf-8", "surrogateescape")) - kept)


def placeholder(length: int) -> str:
    """Text of that length that stands for what was there."""
    return (_PLACEHOLDER * (length // len(_PLACEHOLDER) + 1))[:length]


def hidden(text: str) -> str:
    """What stands for a text, character for character as long in UTF-8."""
    stand_in = placeholder(len(text))
    if text.isascii():
        return stand_in
    return "".join(char if old.isascii() else _STAND_INS[_size(old)] for old, char in zip(text, stand_in, strict=True))


def merged(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same places in order, those that overlap as one."""
    last: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if last is not None and start < last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last


def is_placeholder(text: str) -> bool:
    """Whether text is nothing but a placeholder."""
    return text != "" and text == placeholder(len(text))


def _real(values: Iterable[str]) -> Iterator[str]:
    return (text for text in values if len(text) >= MIN_SECRET and not is_placeholder(text))


def _longest_first(values: Iterable[str]) -> list[str]:
    # Where one value holds another, the alternation must try the longer one first.
    return sorted((value for value in values if value), key=lambda value: (-len(value), value))


def _branches(text: str, *, any_case: bool) -> Iterator[bytes]:
    """Patterns for one value. Each begins with one literal byte: that is what makes the search fast."""
    after = rb"(?![0-9])" if any_case and text[-1].isdigit() else b""
    for form in _whole(text):
        cased = any_case and form is text
        first, *rest = (_forms(char, cased) for char in form)
        tail = b"".join(b"(?:" + b"|".join(forms) + b")" for forms in rest)
        for head in first:
            # 110.0.0.1 is not 10.0.0.1
            before = rb"(?<![0-9]" + head + b")" if cased and head.isdigit() else b""
            yield head + before + tail + after


def _whole(text: str) -> Iterator[str]:
    """A value as it is, and in base64."""
    yield text
    yield from _base64(text.encode("utf-8", "surrogateescape"))


def _forms(char: str, any_case: bool) -> list[bytes]:
    """How one character can be written in a body, a URL or a header, as patterns."""
    raw = char.encode("utf-8", "surrogateescape")
    forms = [re.escape(raw)]
    if any_case and char.lower() != char.upper():
        forms = [re.escape(c.encode()) for c in dict.fromkeys((char.lower(), char.upper()))]
    forms.append(b"".join(rb"%(?:25)*" + _hex(f"{byte:02x}") for byte in raw))
    units = char.encode("utf-16-be", "surrogatepass")
    forms.append(b"".join(rb"\\\\*u" + _hex(units[i : i + 2].hex()) for i in range(0, len(units), 2)))
    if char in '"\\/':
        # In JSON an escape, in JSON within JSON several.
        forms.append(rb"\\\\*" + re.escape(raw))
    return forms


def _size(char: str) -> int:
    return len(char.encode("utf-8", "surrogatepass"))


def _hex(digits: str) -> bytes:
    return "".join(f"[{d}{d.upper()}]" if d.isalpha() else d for d in digits).encode()


def _base64(raw: bytes) -> Iterator[str]:
    """The characters a value leaves in base64 whatever stands around it, for each alignment and both alphabets."""
    seen: set[str] = set()
    for offset in range(3):
        coded = base64.b64encode(b"\0" * offset + raw).decode().rstrip("=")
        first = -(-offset * 8 // 6)  # characters that share bits with what stands before
        last = (offset + len(raw)) * 8 // 6  # and after
        core = coded[first:last]
        if len(core) >= MIN_SECRET:
            seen |= {core, core.replace("+", "-").replace("/", "_")}
    yield from sorted(seen)

"""Replace keys and addresses in bytes, headers and URLs by placeholders of the same length.

This is the only change ever made to evidence (DESIGN §4.9). Lengths are kept, so that byte offsets, piece sizes and
`content-length` stay true and a replay is judged on the very bytes that the live run was judged on. Everything here is
idempotent. Standard library only.

A value is looked for as it is, percent-encoded, escaped as in JSON (also twice, as inside `arguments`), and in base64
at each of the three alignments it can have there.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from typing import Final

MIN_SECRET: Final = 8
"""Shorter values ("none", "EMPTY", "ollama") are what people enter for a server that wants no key; they are words."""

# not a letter first, so that nothing takes "Bearer *RED…" for a key
_PLACEHOLDER: Final = "*REDACTED"

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
        secrets: values of keys; those under 8 characters are ignored (their headers are masked all the same).
        addresses: host names, addresses, or either with a port; matched in any case.
    """

    def __init__(self, secrets: Iterable[str] = (), addresses: Iterable[str] = ()) -> None:
        values = {text for text in secrets if len(text) >= MIN_SECRET and not is_placeholder(text)}
        branches = [branch for text in _longest_first(values) for branch in _branches(text, any_case=False)]
        branches += [branch for text in _longest_first(set(addresses)) for branch in _branches(text, any_case=True)]
        self._pattern = re.compile(b"|".join(branches), re.DOTALL) if branches else None

    def spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where there is something to replace, in order and without overlap."""
        if self._pattern is not None:
            for match in self._pattern.finditer(data):
                yield match.span()

    def holds(self, data: bytes) -> bool:
        """Whether there is something to replace."""
        return next(self.spans(data), None) is not None

    def body(self, data: bytes) -> bytes:
        """The bytes with every secret and address replaced, as long as before."""
        out: bytearray | None = None
        for start, end in self.spans(data):
            out = bytearray(data) if out is None else out
            out[start:end] = placeholder(end - start).encode()
        return data if out is None else bytes(out)

    def text(self, text: str) -> str:
        """The same for text, as long as before in UTF-8."""
        raw = text.encode("utf-8", "surrogateescape")
        return self.body(raw).decode("utf-8", "surrogateescape")

    def url(self, url: str) -> str:
        """A URL with credentials in its query masked by name, and everything known replaced."""
        return self.text(_PARAMETERS.sub(lambda found: found[1] + placeholder(len(found[2])), url))

    def headers(self, headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Header fields, names in lower case; those that carry credentials or upstream addresses are masked by name."""
        return tuple((name.lower(), mask(value) if is_private(name) else self.text(value)) for name, value in headers)


def is_private(name: str) -> bool:
    """Whether a header of this name carries a credential, an account or an upstream address."""
    name = name.lower()
    return name in _HEADERS or name.endswith(_HEADER_ENDS)


def is_private_parameter(name: str) -> bool:
    """Whether a query parameter of this name carries a credential."""
    return _PARAMETER.fullmatch(name) is not None


def mask(value: str) -> str:
    """A header value with everything replaced but the authentication scheme, as long as before."""
    scheme = _SCHEME.match(value)
    kept = scheme.end() if scheme else 0
    return value[:kept] + placeholder(len(value.encode("utf-8", "surrogateescape")) - kept)


def placeholder(length: int) -> str:
    """Text of that length that stands for what was there."""
    return (_PLACEHOLDER * (length // len(_PLACEHOLDER) + 1))[:length]


def is_placeholder(text: str) -> bool:
    """Whether text is nothing but a placeholder."""
    return text != "" and text == placeholder(len(text))


def _longest_first(values: Iterable[str]) -> list[str]:
    # Where one value holds another, the alternation must try the longer one first.
    return sorted((value for value in values if value), key=lambda value: (-len(value), value))


def _branches(text: str, *, any_case: bool) -> Iterator[bytes]:
    """Patterns for one value. Each begins with one literal byte: that is what makes the search fast."""
    after = rb"(?![0-9])" if any_case and text[-1].isdigit() else b""
    for form in (text, *_base64(text.encode("utf-8", "surrogateescape"))):
        cased = any_case and form is text
        first, *rest = (_forms(char, cased) for char in form)
        tail = b"".join(b"(?:" + b"|".join(forms) + b")" for forms in rest)
        for head in first:
            # 110.0.0.1 is not 10.0.0.1
            before = rb"(?<![0-9]" + head + b")" if cased and head.isdigit() else b""
            yield head + before + tail + after


def _forms(char: str, any_case: bool) -> list[bytes]:
    """How one character can be written in a body, a URL or a header, as patterns."""
    raw = char.encode("utf-8", "surrogateescape")
    forms = [re.escape(raw)]
    if any_case and char.lower() != char.upper():
        forms = [re.escape(c.encode()) for c in dict.fromkeys((char.lower(), char.upper()))]
    forms.append(b"".join(rb"%(?:25)*" + _hex(f"{byte:02x}") for byte in raw))
    units = char.encode("utf-16-be", "surrogatepass")
    forms.append(b"".join(rb"\\+u" + _hex(units[i : i + 2].hex()) for i in range(0, len(units), 2)))
    if char in '"\\/':
        # In JSON an escape, in JSON within JSON several.
        forms.append(rb"\\+" + re.escape(raw))
    return forms


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

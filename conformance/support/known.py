"""What a secret looks like in text: the forms of issued keys, values under telling names, addresses, accounts.

An imported exchange does not say which key it was made with. Its own headers and the environment name some values; the
rest is known by its form. A key without a form of its own, in plain text and under no telling name, stays: say so to
whoever passes the file on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final

from conformance.providers.secrets import issued, without_escapes
from conformance.wire.redact import MIN_SECRET, is_placeholder, is_private

_SECRET: Final = r"passwords?|passwd|pwd|passphrase"
_NAME: Final = (
    r"(?:[\w.]*[_.-])?(?:api[_-]?key|(?:shared)?access[_-]?key|account[_-]?key|private[_-]?key|token|secret"
    rf"|{_SECRET}|authorization|credentials?)"
)
_PRIVATE: Final = re.compile(_NAME, re.IGNORECASE)
_ACCOUNT: Final = re.compile(
    r"user|end_user|safety_identifier|(?:user|customer|organi[sz]ation|org|account|workspace|tenant|project)[_-]?id"
    r"|organization|customer",
    re.IGNORECASE,
)
_VALUES: Final = (
    re.compile(rf"(?i)(?<![\w.-]){_NAME}\\*[\"']\s*[:=]\s*\\*[\"']([^\"'\\\s]{{{MIN_SECRET},}})"),
    re.compile(r"(?i)[?&][\w.~%-]*(?:key|token|secret|password|credential|signature|sig)=([^&#\s\"'\\<>]+)"),
    re.compile(r"(?i)(?<![a-z0-9])bearer\s+([\w.~+/=-]{16,})"),
    # basic characteristics are words
    re.compile(r"(?<![A-Za-z0-9])[Bb]asic\s+(?=[\w.~+/-]*(?:[0-9]|[a-z][A-Z]))([\w.~+/=-]{16,})"),
    re.compile(r"://[^/\s:@\"']{0,64}:([^/\s@\"']{1,256})@"),
    re.compile(rf"(?i)(?<![\w.-])(?:[\w.-]{{0,40}}[_.-])?(?:{_SECRET})=([^\s;\"'\\<>]{{3,256}}(?<![)\]]));"),
)
_MIXED: Final = re.compile(rf"(?i)(?<![\w.&?-]){_NAME}\s*[:=]\s*\\*[\"']?([^\s;,\"'\\<>()\[\]]{{6,}}+)(?![(\[])")
"""Without quotation marks words and code stand there as well: only what has digits and letters is a secret."""
_COOKIES: Final = re.compile(
    r"(?i)(?<![\w-])(?:set-)?cookie\\*[\"']?\s*[:=]\s*\\*[\"']?"
    r"([\w.$%!#~-]{1,64}=[^\s;,\"'\\]{4,}(?:;\s?[\w.$%!#~-]{1,64}=[^\s;,\"'\\]*)*)"
)
_WHOLE: Final = (
    re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])"),
    re.compile(r"(?<![A-Za-z0-9])(?:user|org|proj|acct|cus|team|wrkspc)[-_](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{16,}"),
    re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.+?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)", re.DOTALL),
)
_COOKIE: Final = re.compile(r"(?i)(?:^|[;,]\s*)(?!(?:expires|domain|path|max-age|samesite)=)[^=;,\s]+=([^;,\s]{8,})")
_VARIABLE: Final = re.compile(r"(?:.*_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD)")


def of_environment() -> Iterator[str]:
    """Values of environment variables that are named like keys."""
    for name, value in os.environ.items():
        if _VARIABLE.fullmatch(name) and len(value) >= MIN_SECRET:
            yield value


def of_headers(headers: Mapping[str, str]) -> Iterator[str]:
    """Values of private headers, and of the cookies in them."""
    for name, value in headers.items():
        if is_private(name):
            yield value
            yield from (match[1] for match in _COOKIE.finditer(value))


def keys_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the text holds a credential: such a value is then looked for everywhere else as well."""
    text = without_escapes(text)
    yield from issued(text)
    for pattern in (*_VALUES, _COOKIES):
        for match in pattern.finditer(text):
            if not is_placeholder(match.group(1)):
                yield match.span(1)
    for match in _MIXED.finditer(text):
        if any(map(str.isdigit, match.group(1))) and any(map(str.isalpha, match.group(1))):
            yield match.span(1)


def persons_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the text holds an e-mail address, an account's id or a private key."""
    text = without_escapes(text)
    for pattern in _WHOLE:
        for match in pattern.finditer(text):
            yield match.span()


def is_private_field(name: str) -> bool:
    """Whether a JSON member of this name holds a credential."""
    return _PRIVATE.fullmatch(name) is not None


def is_account_field(name: str) -> bool:
    """Whether a JSON member of this name says who asked."""
    return _ACCOUNT.fullmatch(name) is not None

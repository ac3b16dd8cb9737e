"""A recorded request as a command for a POSIX shell."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Final

from conformance.site.evidence_source import Sent
from conformance.text import visible
from conformance.wire.redact import is_private

KEY: Final = "API_KEY"
"""The variable that holds the key."""
LONGEST: Final = 16_000
"""Characters of a request body that a command holds; systems bound the length of an argument."""

_NAME: Final = re.compile(r"[a-z0-9-]+")
_TOLD: Final = frozenset(("host", "connection", "content-length", "user-agent", "accept-encoding"))
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")


def curl(sent: Sent) -> str:
    """The command that sends the same body to the same address, and shows the answer with its headers as it comes.

    Keys are not in a recording; they are taken from the variable `API_KEY`. Every other part is quoted, and nothing in
    the command is an invisible character: inside of the JSON body these are written as its escapes.

    Args:
        sent: the request.

    Returns:
        Several lines; empty if the body is no JSON, or too long for a command, or the address is not one of HTTP.
    """
    body = _body(sent.body)
    if not body or not sent.url.startswith(("http://", "https://")):
        return ""
    lines = [f"curl -isSN --url {_quoted(sent.url)}", *_headers(sent), f"--data-raw {shlex.quote(body)}"]
    return " \\\n  ".join(lines)


def _headers(sent: Sent) -> Iterator[str]:
    for name, value in sent.headers.items():
        if name in _TOLD or not _NAME.fullmatch(name):
            continue
        if is_private(name):
            scheme = "Bearer " if value.lower().startswith("bearer ") else ""
            yield f'-H "{name}: {scheme}${KEY}"'
        else:
            yield f"-H {_quoted(f'{name}: {value}')}"
    coding = sent.headers.get("accept-encoding", "identity")
    if coding != "identity":
        yield f"--compressed -H {_quoted(f'accept-encoding: {coding}')}"


def _body(data: bytes) -> str:
    """The body with every character visible, and otherwise as it is; empty if that cannot be."""
    try:
        text = data.decode("utf-8")
        json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if len(text) > LONGEST:
        return ""
    # in JSON, control characters stand between values only, and others in strings only
    return "".join(c if c.isprintable() else _escape(c) for c in _CONTROL.sub(" ", text))


def _escape(character: str) -> str:
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _quoted(text: str) -> str:
    return shlex.quote(visible(text, LONGEST))

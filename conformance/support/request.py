"""A request body with its text replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.support.body import is_private
from conformance.support.placeholders import Placeholders, is_prose, words
from conformance.support.secrets import Secrets
from conformance.wire.pieces import is_text
from conformance.wire.spans import Path, rewritten, spans

_LABELS: Final = ("metadata", "prompt_cache_key")
"""Top-level fields that the client's own people fill in, about whom or what they like."""
_DECLARATIONS: Final = ("tools", "functions", "response_format")


def texts(request: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every string value of a request with its place."""
    return ((path, value) for path, value in _all(request) if isinstance(value, str))


def keys(request: Mapping[str, Any]) -> Iterator[str]:
    """Every key in a request."""
    return (str(key) for _, value in _all(request) if isinstance(value, Mapping) for key in value)


def _all(request: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    stack: list[tuple[Path, Any]] = [((), request)]
    while stack:
        path, value = stack.pop()
        yield path, value
        if isinstance(value, Mapping):
            stack.extend(((*path, str(key)), inner) for key, inner in value.items())
        elif isinstance(value, list | tuple):
            stack.extend(((*path, n), inner) for n, inner in enumerate(value))


def vocabulary(request: Mapping[str, Any]) -> Iterator[str]:
    """The words the verdict may depend on: those of the declared tools, and the keys of arguments sent back."""
    yield from words(*(request.get(name) for name in _DECLARATIONS))
    for path, text in texts(request):
        if path[-1:] == ("arguments",) and text[:1] == "{":
            try:
                yield from words(json.loads(text), schema=False)
            except (ValueError, RecursionError):
                continue


def written(request: Mapping[str, Any]) -> Iterator[str]:
    """What people and models wrote in it."""
    return (text for path, text in texts(request) if _is_written(path))


def private(request: Mapping[str, Any]) -> Iterator[str]:
    """What stands under a name that says it is a credential or an account."""
    return (text for path, text in texts(request) if is_private(path))


def redacted(
    request: Mapping[str, Any], secrets: Secrets, placeholders: Placeholders | None
) -> tuple[dict[str, Any], int]:
    """The request without secrets.

    Args:
        request: the body as decoded.
        secrets: what goes in any case.
        placeholders: what writes placeholders for all other text; None leaves it.

    Returns:
        The request, and the number of strings a secret was taken out of.
    """
    masked = 0

    def walk(value: Any, path: Path) -> Any:
        nonlocal masked
        if isinstance(value, Mapping):
            return {secrets.masked(str(key)): walk(inner, (*path, str(key))) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [walk(inner, (*path, n)) for n, inner in enumerate(value)]
        if not isinstance(value, str):
            return value
        text = secrets.hidden(value) if is_told_of_client(path) else secrets.masked(value, (len(value),))
        masked += text != value
        if placeholders is None or not _is_written(path):
            return text
        return placeholders.masked(text, (len(text),), arguments=path[-1:] == ("arguments",))

    return walk(request, ()), masked


def redacted_bytes(data: bytes, secrets: Secrets) -> bytes:
    """The same for a request as sent: no byte moves, and text that is no JSON is gone through as well."""
    out = bytearray(data)
    for span in spans(data):
        if span.kind == "number":
            continue
        hide = span.kind == "string" and is_told_of_client(span.path)
        text = secrets.hidden(span.text) if hide else secrets.masked(span.text)
        out[span.start : span.end] = rewritten(data, span, text)
    return bytes(out)


def is_told_of_client(path: Path) -> bool:
    """Whether the string at a place in a request is a credential, or says who asked or for whom."""
    return is_private(path) or (bool(path) and path[0] in _LABELS)


def _is_written(path: Path) -> bool:
    """Whether a person or a model wrote the string at a place; declarations of tools stay but for their prose."""
    if path[:1] and path[0] in _DECLARATIONS:
        return any(is_prose(step) for step in path[-2:])
    return is_text(path) and path[-1:] != ("tool_choice",)

"""Rules for single fields of `providers.yaml`, each in the words that follow the field's name in a message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from difflib import get_close_matches
from typing import Any, Final, Literal

from conformance.providers import secrets, variables

RESERVED: Final = frozenset({"model", "messages", "stream", "tools", "tool_choice", "functions", "function_call"})
"""Request fields that the scenario sets; a provider must not change them, or the verdict is about another request."""

NAME: Final = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
"""What a provider may be called."""

VARIABLE: Final = r"^[A-Z][A-Z0-9_]*$"
"""What the variable of a key may be called."""

NOT_A_NAME: Final = (
    "must be the NAME of an environment variable (capital letters, digits, underscores), like ACME_API_KEY; "
    "never the key itself"
)
PASTED: Final = "looks like a key; write ${NAME} and put the key into the environment"

_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_IN_BODY: Final = "looks like a key; a key does not belong into the request body"
_TAKEN: Final = "is set by the scenario; leave it out"
_CLIENTS: Final = frozenset({"content-length", "content-type", "transfer-encoding"})
_CUT: Final = 80

Place = tuple[str | int, ...]


class Several(ValueError):
    """Mistakes found by one validator, each with its place below the field."""

    def __init__(self, parts: Collection[tuple[Place, str]]) -> None:
        super().__init__("; ".join(f"{'.'.join(map(str, path))} {text}".strip() for path, text in parts))
        self.parts = tuple(parts)


class Whole(ValueError):
    """A mistake of the mapping around the field rather than of the field."""


def raise_all(parts: Iterable[tuple[Place, str]]) -> None:
    """Raise `Several` unless there is nothing to raise."""
    if found := tuple(parts):
        raise Several(found)


def unknown(kind: str, value: str, known: Collection[str], *, limit: int = 40) -> str:
    """`no quirk is called 'x'; did you mean 'y'? Known: …`, for a name that is not in a list."""
    names = sorted(known)
    close = get_close_matches(value, names, n=1, cutoff=0.6)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    more = f", … ({len(names)} in all)" if len(names) > limit else ""
    listed = f" Known: {', '.join(names[:limit])}{more}" if names else " There are none"
    shown = value if len(value) <= _CUT else f"{value[: _CUT - 1]}…"
    return f"no {kind} is called {shown!r}{hint}{listed}"


def day(value: object) -> date:
    """A date object, or text in the one form that cannot be misread."""
    if type(value) is date:
        return value
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError("must be a date like 2026-11-30")


def verified(value: object) -> date | Literal["never"]:
    """A date, or the word for none."""
    if value == "never":
        return "never"
    try:
        return day(value)
    except ValueError:
        raise ValueError("must be 'never' or the date of a real run, like 2026-11-30") from None


def header_name(name: str) -> bool:
    """Whether this can be the name of a header (RFC 9110 §5.6.2)."""
    return bool(_HEADER.fullmatch(name))


def headers(value: Mapping[str, str], key_header: str | None) -> Iterator[tuple[Place, str]]:
    """What is wrong with headers.

    Args:
        value: name → text.
        key_header: the header that carries the provider's key; None = it has none.
    """
    times = Counter(name.lower() for name in value)
    for name, text in value.items():
        if not header_name(name):
            yield (name,), "is not the name of a header"
        elif times[name.lower()] > 1:
            yield (name,), "is given more than once (upper and lower case are the same header)"
        elif name.lower() in _CLIENTS:
            yield (name,), "is set by the client; leave it out"
        elif key_header is not None and name.lower() == key_header.lower():
            yield (name,), "carries the key of 'api_key_env' already; leave one of the two out"
        elif not text.isascii() or not text.isprintable():
            yield (name,), "holds a line break or a character that headers cannot carry"
        elif wrong := pasted(name, text):
            yield (name,), wrong


def pasted(name: str, text: str) -> str | None:
    """What is wrong with the text of a header or a query parameter that may carry a credential."""
    if wrong := variables.problem(text):
        return wrong
    open_credential = secrets.is_sensitive(name) and ("${" not in text or variables.defaults(text))
    return PASTED if secrets.is_issued(text) or secrets.is_random(text) or open_credential else None


def body(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse fields that the scenario sets, and keys."""
    taken = [((name,), _TAKEN) for name in value if name in RESERVED]
    raise_all([*taken, *((path, _IN_BODY) for path, text in _texts(value) if secrets.is_issued(text))])
    return value


def rename(value: Mapping[str, str]) -> Mapping[str, str]:
    """Refuse to rename what the scenario sets, or to rename to it."""
    raise_all(((name,), _TAKEN) for name, new in value.items() if name in RESERVED or new in RESERVED)
    return value


def _texts(value: object, path: Place = ()) -> Iterator[tuple[Place, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _texts(item, (*path, i))

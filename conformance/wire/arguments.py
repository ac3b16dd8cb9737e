"""What the argument text of a call is, once all of it has come (DESIGN §4.4 f). Standard library only.

Plain concatenation that parses to an object always wins. Only otherwise are the repairs tried that the protocol alone
justifies; none of them looks at what the arguments mean. Everything is decided at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from conformance.wire.limits import MAX_DIGITS, MAX_NESTING, nests_too_deeply
from conformance.wire.transcript import Repair


class Value(str):
    """Argument text that came as a JSON value instead of a string: its source text."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """Outcome of parsing argument text.

    Attributes:
        value: the decoded arguments if the text parses strictly (RFC 8259: no NaN, no raw control characters).
        error: "" for an object; else `not JSON: why`, `NaN`, `not an object: kind`, or `beyond limits: which`.
        lenient: what Python's lenient decoder makes of it, None if nothing.
        duplicate_key: a key that stands twice in one object, "" if none.
    """

    value: Any
    error: str
    lenient: Any
    duplicate_key: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The text to hand on, how it came about, and what it parses to."""

    text: str
    raw: str
    repair: Repair
    parsed: Parsed


class _NaN(ValueError):
    pass


def _no_constant(name: str) -> Any:
    raise _NaN(name)


_STRICT: Final = json.JSONDecoder(parse_constant=_no_constant)
_LENIENT: Final = json.JSONDecoder(strict=False)
_KINDS: Final = {list: "array", str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
_TOO_DEEP: Final = Parsed(None, f"beyond limits: more than {MAX_NESTING} levels of nesting", None)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parse(text: str) -> Parsed:
    """Parse argument text strictly; absent arguments (`""`) are `{}`."""
    if not text:
        return Parsed({}, "", {})
    try:
        value = _STRICT.decode(text)
    except _NaN:
        return Parsed(None, "NaN", _lenient(text))
    except RecursionError:
        return _TOO_DEEP
    except json.JSONDecodeError as error:
        return Parsed(None, f"not JSON: {error}", _lenient(text))
    except ValueError:  # an integer that Python does not convert
        return _with_long_integer(text)
    if not isinstance(value, dict):
        return Parsed(value, f"not an object: {_KINDS.get(type(value), 'value')}", value)
    if nests_too_deeply(text, value):
        return _TOO_DEEP
    return Parsed(value, "", value, _duplicate_key(text, value))


def _with_long_integer(text: str) -> Parsed:
    """What text with an integer beyond the limit is apart from it."""
    try:
        json.loads(text, parse_constant=_no_constant, parse_int=float)
    except _NaN:
        return Parsed(None, "NaN", None)
    except RecursionError:
        return _TOO_DEEP
    except ValueError as error:
        return Parsed(None, f"not JSON: {error}", None)
    return Parsed(None, f"beyond limits: an integer of more than {MAX_DIGITS:,} digits", None)


def _lenient(text: str) -> Any:
    try:
        return _LENIENT.decode(text)
    except (ValueError, RecursionError):
        return None


def _count_keys(value: Any) -> int:
    total = 0
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            total += len(item)
            stack.extend(v for v in item.values() if isinstance(v, dict | list))
        elif isinstance(item, list):
            stack.extend(v for v in item if isinstance(v, dict | list))
    return total


def _duplicate_key(text: str, value: Any) -> str:
    keys = _count_keys(value)
    colons = text.count('":')
    if colons <= keys or colons - text.count('\\":') <= keys:
        return ""
    twice = ""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        found: dict[str, Any] = {}
        for key, item in items:
            if key in found and not twice:
                twice = key
            found[key] = item
        return found

    json.loads(text, object_pairs_hook=pairs)
    return twice


class Depth:
    """Follows braces and strings through growing text, each character once; tells whether one object is complete."""

    __slots__ = ("_depth", "_escaped", "_in_string", "_objects", "_started")
    _TOKENS: Final = re.compile(r'[{}\[\]"\\]')

    def __init__(self) -> None:
        self._depth = 0
        self._objects = 0
        self._in_string = False
        self._escaped = False
        self._started = False

    def feed(self, text: str) -> None:
        """Take the next piece."""
        at = 0
        if self._escaped and text:
            at = 1
            self._escaped = False
        while (match := self._TOKENS.search(text, at)) is not None:
            token = match.group()
            at = match.end()
            if self._in_string:
                if token == '"':
                    self._in_string = False
                elif token == "\\":
                    if at >= len(text):
                        self._escaped = True
                        return
                    at += 1
            elif token == '"':
                self._in_string = True
            elif token in "{[":
                self._depth += 1
            elif token in "}]":
                self._depth -= 1
                if self._depth == 0:
                    self._objects += 1

    @property
    def one_complete(self) -> bool:
        """Exactly one object or array was opened and closed, and nothing is open."""
        return self._objects == 1 and self._depth == 0 and not self._in_string


def join(pieces: Sequence[str]) -> str:
    """Plain concatenation; halves of a surrogate pair that came in two pieces become one character."""
    text = "".join(pieces)
    if not text.isascii() and _SURROGATE.search(text):
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text


def resolve(pieces: Sequence[str]) -> Resolved:
    """Make the argument text out of the pieces of one call.

    Args:
        pieces: in order of arrival; `Value` for those that came as a JSON value.

    Returns:
        `text` is the concatenation where no rule leads to an object.
    """
    values = [p for p in pieces if isinstance(p, Value)]
    if values:
        return _with_values(pieces)
    plain = "".join(pieces)
    raw = join(pieces)
    parsed = parse(raw)
    if not parsed.error:
        if not raw:
            return Resolved("{}", raw, "empty", parsed)
        return Resolved(raw, raw, "surrogates" if raw != plain else "", parsed)
    for repair, text in _repaired([p for p in pieces if p], raw, parsed):
        again = parse(text)
        if not again.error:
            return Resolved(text, raw, repair, again)
    return Resolved(raw, raw, "", parsed)


def _repaired(pieces: list[str], raw: str, parsed: Parsed) -> list[tuple[Repair, str]]:
    """Candidates in the order of DESIGN §4.4 (f)."""
    found: list[tuple[Repair, str]] = []
    if len(pieces) > 1 and all(b.startswith(a) for a, b in pairwise(pieces)):
        found.append(("snapshot", join(pieces[-1:])))
    dropped = _without_copies(pieces)
    if dropped is not None:
        found.append(("copy-dropped", dropped))
    if raw.startswith("{}") and raw[2:].strip():
        found.append(("brace-pair-dropped", raw[2:]))
    if isinstance(parsed.value, str):
        found.append(("unwrapped", parsed.value))
    return found


def _without_copies(pieces: list[str]) -> str | None:
    """The text without pieces that repeat an already complete object; None if no piece does."""
    depth = Depth()
    kept: list[str] = []
    complete: str | None = None
    value: Any = None
    dropped = False
    for piece in pieces:
        if complete is None:
            kept.append(piece)
            depth.feed(piece)
            if depth.one_complete:
                text = join(kept)
                parsed = parse(text)
                if not parsed.error:
                    complete, value = text, parsed.value
            continue
        if piece.strip() and not (piece == complete or _same(piece, value)):
            return None
        dropped = dropped or bool(piece.strip())
    return complete if dropped else None


def _same(piece: str, value: Any) -> bool:
    parsed = parse(piece)
    return not parsed.error and parsed.value == value


def _with_values(pieces: Sequence[str]) -> Resolved:
    """Some pieces came as JSON values: the object's source is the text; a `{}` in front of more is nothing yet."""
    raw = join(pieces)
    said = [p for p in pieces if p]
    while len(said) > 1 and isinstance(said[0], Value) and said[0].strip() in ("{}", "null"):
        said = said[1:]
    values = [p for p in said if isinstance(p, Value)]
    if not values:
        inner = resolve(said)
        return Resolved(inner.text, raw, inner.repair or "value", inner.parsed)
    if len(values) == len(said):
        last = str(values[-1])
        grown = [parse(v) for v in values]
        if all(not p.error for p in grown) and all(
            a.value.items() <= b.value.items() if _flat(a.value) else a.value == b.value for a, b in pairwise(grown)
        ):
            return Resolved(last, raw, "value", grown[-1])
        if len(values) == 1:
            return Resolved(last, raw, "value", grown[0])
    return Resolved(raw, raw, "", parse(raw))


def _flat(value: Any) -> bool:
    return all(not isinstance(v, dict | list) for v in value.values())

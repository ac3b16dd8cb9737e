"""JSON decoding that is fast on clean text and tells what the fast decoder hides.

orjson rejects lone surrogates, NaN and raw control characters, turns integers beyond 64 bits into floats, and keeps the
last of two equal keys without a word. Text in which one of these may be hidden is decoded by the standard library
instead, and each oddity becomes a fact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

import orjson

from conformance.wire.facts import Fact, Marks
from conformance.wire.limits import nests_too_deeply

_LONG_DIGITS: Final = re.compile(rb"[0-9]{19}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_RAW_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class NotJSON(ValueError):
    """The text is not JSON, by the widest reading offered here."""


class TooDeep(NotJSON):
    """The text is nested deeper than documents are read here; whether it is JSON stays open."""


def suspicious(data: bytes, value: Any) -> bool:
    """Whether orjson may have changed something: equal keys dropped, or an integer beyond 64 bits made a float.

    In JSON text `":` ends a key or stands, escaped as `\\":`, inside a string. If the count differs from the keys that
    came out, the standard library has to look; a false suspicion costs time only. Text that orjson writes alike, as
    most servers' is, hides nothing, and that is far quicker to see.
    """
    try:
        if orjson.dumps(value) == data:
            return False
    except orjson.JSONEncodeError:
        return True  # nested deeper than it writes
    keys = 0
    floats = False
    stack = [value]
    while stack:
        item = stack.pop()
        if type(item) is dict:
            keys += len(item)
            for inner in item.values():
                kind = type(inner)
                if kind is dict or kind is list:
                    stack.append(inner)
                elif kind is float:
                    floats = True
        elif type(item) is list:
            stack.extend(item)
        elif type(item) is float:
            floats = True
    colons = data.count(b'":')
    if b'\\":' in data:
        colons -= data.count(b'\\":')
    return colons != keys or (floats and _LONG_DIGITS.search(data) is not None)


def decode(data: bytes, event: int | None, facts: Marks) -> Any:
    """Decode one JSON document.

    Args:
        data: the text.
        event: number of the event it stands in, for the facts.
        facts: receives the oddities of the text.

    Raises:
        NotJSON: it is not JSON; `TooDeep` if it is nested too deeply to tell.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return decode_slowly(data, event, facts)
    if suspicious(data, value):
        return decode_slowly(data, event, facts)
    return value


def decode_slowly(data: bytes, event: int | None, facts: Marks) -> Any:
    """Decode with the standard library and note what orjson would reject or change.

    Raises:
        NotJSON: it is not JSON; `TooDeep` if it is nested too deeply to tell.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        facts.note(Fact.INVALID_UTF8, event, sample=data[:40].hex())
        text = data.decode("utf-8", "replace")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            keys = [k for k, _ in items]
            twice = next(k for k in keys if keys.count(k) > 1)
            facts.note(Fact.DUPLICATE_KEY, event, sample=twice)
        return found

    def constant(name: str) -> float:
        facts.note(Fact.NAN, event, spelling=name, sample=name)
        return float(name.replace("Infinity", "inf"))

    def integer(digits: str) -> int | float:
        if len(digits) > 19:
            facts.note(Fact.HUGE_INTEGER, event, sample=digits[:40])
        return int(digits) if len(digits) < 4000 else float("inf")

    value = _loads(text, pairs, constant, integer)
    if nests_too_deeply(data, value):
        raise TooDeep("nested too deeply")
    if _RAW_CONTROL.search(data) or (b"\n" in data or b"\t" in data or b"\r" in data):
        try:
            json.loads(text)
        except ValueError:
            facts.note(Fact.RAW_CONTROL, event)
        except RecursionError as error:
            raise TooDeep("nested too deeply") from error
    if "\\u" in text and has_lone_surrogate(value):
        facts.note(Fact.LONE_SURROGATE, event)
    return value


def _loads(
    text: str,
    pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]],
    constant: Callable[[str], float],
    integer: Callable[[str], int | float],
) -> Any:
    try:
        return json.loads(text, strict=False, object_pairs_hook=pairs, parse_constant=constant, parse_int=integer)
    except RecursionError as error:
        raise TooDeep("nested too deeply") from error
    except ValueError as error:
        raise NotJSON(str(error)) from error


def has_lone_surrogate(value: Any) -> bool:
    """Whether any string in a decoded value holds half of a surrogate pair."""
    if isinstance(value, str):
        return _SURROGATE.search(value) is not None
    if isinstance(value, dict):
        return any(has_lone_surrogate(k) or has_lone_surrogate(v) for k, v in value.items())
    if isinstance(value, list):
        return any(has_lone_surrogate(item) for item in value)
    return False

"""An adapter's line with what differs from run to run masked: ports, folders, addresses of objects, made-up ids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from conformance.impact.values import document

FORM: Final = "5"
"""Counts on with what is masked and how cases are served: observations of another form are not read."""

_RANDOM: Final = 8
"""Characters that a random id has at least."""
_STRING: Final = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?', re.DOTALL)
"""A string of a JSON text, and the colon behind a key: keys and numbers are left alone, so that a line stays one."""
_MASKS: Final = (
    (re.compile(r"(127\.0\.0\.1|localhost):\d+"), r"\1:PORT"),
    (re.compile(r"\b0x[0-9a-fA-F]{6,16}\b"), "0x…"),
    (re.compile(r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "(a UUID)"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?"), "(a time)"),
    (re.compile(r"\b1[6-9]\d{8}(\.\d+)?\b"), "(a time)"),  # seconds since 1970, from 2020 on
)


_PATH: Final = re.compile(r"(?:(?<=file://)|(?<![\w.:/…)]))/(?:[^\s\"'`/:<>|()]+/)+")
"""The folders of an absolute path, with the slash behind them."""


def steady(line: bytes, said: bytes, ids: Iterable[str], places: Mapping[str, str]) -> bytes:
    """Mask what differs from run to run.

    Args:
        line: an adapter's line, valid by the protocol.
        said: the bytes that the client got.
        ids: ids that it got; where the bytes are compressed they do not show.
        places: folders of this machine, by the word that takes their place.
    """
    known = said.decode("utf-8", "replace")
    real = [one for one in ids if one]
    made_up = (one for one in _ids(document(line)) if one not in known and not any(id_ in one for id_ in real))
    words = {place: word for word, place in sorted(places.items(), key=lambda item: -len(item[1]))}
    words |= {one: f"(made up {number})" for number, one in enumerate(dict.fromkeys(made_up), 1)}

    def masked(string: re.Match[str]) -> str:
        text, colon = string.groups()
        value = shown = json.loads(text)
        for one, word in words.items():
            shown = shown.replace(one, word)
        for pattern, mask in _MASKS:
            shown = pattern.sub(mask, shown)
        return string[0] if colon or shown == value else json.dumps(shown, ensure_ascii=False)

    return _STRING.sub(masked, line.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")


def steady_text(text: str, places: Mapping[str, str]) -> str:
    """Mask what differs from run to run, and from machine to machine: of other paths the last part alone is left.

    Args:
        text: what an adapter wrote to standard error.
        places: folders of this machine, by the word that takes their place.
    """
    for word, place in sorted(places.items(), key=lambda item: -len(item[1])):
        text = text.replace(place, word)
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return _PATH.sub("…/", text)


def _ids(line: Mapping[str, Any]) -> Iterator[str]:
    """The ids of all calls that may be random; short ones are not."""
    for call in (*line["calls"], *line["invalid"]):
        if isinstance(call["id"], str) and len(call["id"]) >= _RANDOM:
            yield call["id"]

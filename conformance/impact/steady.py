"""An adapter's line with what differs from run to run masked: ports, folders, addresses of objects, made-up ids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from conformance.impact.values import document

FORM: Final = "2"
"""Counts on with what is masked: observations are kept masked, and those of another form are not read."""

_MASKS: Final = (
    (re.compile(r"(127\.0\.0\.1|localhost):\d+"), r"\1:PORT"),
    (re.compile(r"\b0x[0-9a-fA-F]{6,16}\b"), "0x…"),
    (re.compile(r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "(a UUID)"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?"), "(a time)"),
    (re.compile(r"\b1[6-9]\d{8}(\.\d+)?\b"), "(a time)"),  # seconds since 1970, from 2020 on
)


def steady(line: bytes, said: bytes, ids: Iterable[str], places: Mapping[str, str]) -> bytes:
    """Mask what differs from run to run.

    Args:
        line: an adapter's line, valid by the protocol.
        said: the bytes that the client got.
        ids: ids that it got; where the bytes are compressed they do not show.
        places: folders of this machine, by the word that takes their place.
    """
    text = line.decode("utf-8", "surrogatepass") if _is_utf8(line) else line.decode("utf-8", "replace")
    known = said.decode("utf-8", "replace")
    ids = [one for one in ids if one]
    made_up = (one for one in _ids(document(line)) if one not in known and not any(real in one for real in ids))
    for number, one in enumerate(dict.fromkeys(made_up), 1):
        for form in {json.dumps(one)[1:-1], json.dumps(one, ensure_ascii=False)[1:-1]}:
            text = text.replace(form, f"(made up {number})")
    for word, place in sorted(places.items(), key=lambda item: -len(item[1])):
        text = text.replace(json.dumps(place)[1:-1], word)
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text.encode("utf-8", "surrogatepass")


def _ids(line: Mapping[str, Any]) -> Iterator[str]:
    """The ids of all calls; short ones are no random values."""
    for call in (*line["calls"], *line["invalid"]):
        if isinstance(call["id"], str) and len(call["id"]) > 3:
            yield call["id"]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True

"""What the ids look like that a provider gives its calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from conformance.run.rows import ExchangeRow

EXAMPLES: Final = 3

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_WORDS: Final = re.compile(r"(?:[A-Za-z]+[_.:-])*")
_PREFIX: Final = re.compile(r"(?:[A-Za-z]+[_.:-])+(?=.)", re.DOTALL)
_ALPHABETS: Final = (
    (re.compile(r"[0-9]+"), "digits"),
    (re.compile(r"[0-9a-f]+"), "lower-case hexadecimal digits"),
    (re.compile(r"[0-9A-F]+"), "upper-case hexadecimal digits"),
    (re.compile(r"[0-9a-z]+"), "lower-case letters and digits"),
    (re.compile(r"[0-9A-Za-z]+"), "letters and digits"),
    (re.compile(r"[0-9A-Za-z_-]+"), "letters, digits, `_` and `-`"),
    (re.compile(r"[\x21-\x7e]+"), "printable ASCII"),
)


@dataclass(frozen=True, slots=True)
class Form:
    """Ids of one form.

    Attributes:
        prefix: what they begin with, up to a separator; empty if nothing, or for the form of no id.
        rest: what stands behind it: a UUID, or an alphabet; `no id` where `""` came.
        lengths: of the shortest and of the longest, in characters, prefix included.
        number: of calls with such an id.
        examples: a few, in the order in which they came.
    """

    prefix: str
    rest: str
    lengths: tuple[int, int]
    number: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of all calls of a row.

    Attributes:
        forms: the most frequent first.
        calls: how many calls there are.
        distinct: how many different ids they have, `""` left out.
        shared: answers in which two calls have the same id.
    """

    forms: tuple[Form, ...]
    calls: int
    distinct: int
    shared: int


def ids(rows: Iterable[ExchangeRow]) -> Ids:
    """Look at the ids of calls.

    Args:
        rows: the exchanges of one model of a provider.
    """
    answers = [[call["id"] for call in row["calls"]] for row in rows if row["not_run"] is None]
    every = [one for answer in answers for one in answer]
    by_form: dict[tuple[str, bool], list[str]] = {}
    for one in every:
        by_form.setdefault(_split(one), []).append(one)
    forms = sorted((_form(*key, group) for key, group in by_form.items()), key=lambda form: (-form.number, form.prefix))
    shared = sum(any(n > 1 for one, n in Counter(answer).items() if one) for answer in answers)
    return Ids(tuple(forms), len(every), len(set(every) - {""}), shared)


def _split(one: str) -> tuple[str, bool]:
    """Its prefix, and whether a UUID follows."""
    uuid = _UUID.search(one)
    if uuid is not None and _WORDS.fullmatch(one, 0, uuid.start()):
        return one[: uuid.start()], True
    found = _PREFIX.match(one)
    return found[0] if found else "", False


def _form(prefix: str, uuid: bool, group: list[str]) -> Form:
    rests = [one[len(prefix) :] for one in group]
    sizes = sorted(map(len, group))
    examples = tuple(dict.fromkeys(one for one in group if one))[:EXAMPLES]
    return Form(prefix, _rest(rests, uuid), (sizes[0], sizes[-1]), len(group), examples)


def _rest(rests: list[str], uuid: bool) -> str:
    if not any(rests):
        return "no id"
    if uuid:
        return "UUID" if all(map(_UUID.fullmatch, rests)) else "UUID and a suffix"
    return next((name for form, name in _ALPHABETS if all(map(form.fullmatch, rests))), "other characters")

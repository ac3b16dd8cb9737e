"""What a client should end with: the calls that an answer means, and whether they are to be handed over to be run.

Thought out fault by fault from what was planted, never computed by reading the wire, so that clients are judged by
something that no accumulator (ours neither) has touched.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from conformance.faults.catalogue import Fault
from conformance.faults.honest import answer

Duty = Literal["run", "either", "refuse"]
ANY: Final = "*"
"""An id that may be any, but has to be there."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A call that the answer means.

    Attributes:
        id: as it stands on the wire; `""` if none was sent, `ANY` where another one does no harm.
        name: as it stands on the wire, a number in its digits.
        arguments: the value that the argument text stands for.
    """

    id: str
    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Expected:
    """What is right.

    Attributes:
        calls: the calls meant; none under `refuse`, where no call is right.
        duty: `run`: hand over exactly these calls. `either`: hand over these, or say that something is wrong. `refuse`:
            say that something is wrong, and hand over nothing that could be run.
        also: other calls that are as right: what was repaired to what is plainly meant.
    """

    calls: tuple[Meant, ...]
    duty: Duty
    also: tuple[tuple[Meant, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _Differs:
    """Where the expected differs from the honest calls; None where it does not.

    `again` is the id under which the call comes a second time, `also` what is right as well.
    """

    duty: Duty = "run"
    ids: str | None = None
    name: str | None = None
    arguments: Any = None
    again: str = ""
    also: tuple[_Differs, ...] = ()


def _nested(levels: int) -> list[Any]:
    """A list in a list, so many levels deep."""
    found: list[Any] = []
    for _ in range(levels - 1):
        found = [found]
    return found


_Run: Final = partial(_Differs, "run")
_Either: Final = partial(_Differs, "either")
_Also: Final = _Differs

# fmt: off
_DIFFERS: Final[Mapping[str, _Differs]] = {
    # --- ids stay as they were sent, and are not invented
    "id-missing": _Run(ids=""),
    "id-null": _Run(ids=""),
    "id-empty": _Run(ids=""),
    "id-number": _Run(ids="7"),
    "id-long": _Run(ids="call_" + "x" * 55),
    "id-with-colon": _Run(ids="functions.get_weather:0"),
    "legacy-function-call": _Run(ids=""),
    # --- ids that do not tell calls apart: to give others protects, to complain as well
    "id-duplicate": _Either(ids="call_same", also=(_Also(ids=ANY),)),
    "id-of-an-earlier-turn": _Either(ids="call_before", also=(_Also(ids=ANY),)),
    # --- two calls stand on the wire; that they are one is a guess, and a good one
    "call-announced-twice": _Either(again="fc_tmp_1", also=(_Also(),)),
    # --- values are handed on as they came, however odd; to undo what was done to them does no harm
    "arguments-double-escaped": _Run(
        arguments={"city": "\\u6771\\u4eac"}, also=(_Also(arguments={"city": "\u6771\u4eac"}),)
    ),
    "arguments-html-entities": _Run(
        arguments={"city": "Paris &amp; Oslo"}, also=(_Also(arguments={"city": "Paris & Oslo"}),)
    ),
    "arguments-replacement-character": _Run(arguments={"city": "Par\ufffds"}),
    "arguments-split-surrogates": _Run(arguments={"city": "\U0001f6a9Paris"}),
    "equal-calls": _Run(arguments={"city": "Paris"}),
    # --- these arguments break the tool's schema: whoever does not check hands them on as they are. A key that the
    # schema does not offer may be left out
    "arguments-schema-violation": _Either(arguments={"town": "Paris"}),
    "strict-broken": _Either(arguments={"town": "Paris"}),
    "arguments-lost": _Either(arguments={}),
    "arguments-empty": _Either(arguments={}),
    "arguments-null": _Either(arguments={}),
    "arguments-absent": _Either(arguments={}),
    "arguments-too-deep": _Either(arguments={"city": "Paris", "tree": _nested(1000)}, also=(_Also(),)),
    # --- not JSON, yet all that was meant is there: to repair it does no harm
    "arguments-python-literal": _Either(),
    "arguments-trailing-text": _Either(),
    "arguments-template-markers": _Either(),
    "arguments-raw-control": _Either(arguments={"city": "Par\nis"}),
    "arguments-nan": _Either(
        arguments={"city": "Paris", "height": math.nan},
        also=(_Also(arguments={"city": "Paris", "height": None}), _Also()),
    ),
    "arguments-invalid-escape": _Either(
        arguments={"city": "D:\\qParis"}, also=(_Also(arguments={"city": "D:qParis"}),)
    ),
    # --- a decoder replaces the half character, or complains
    "invalid-utf8": _Either(arguments={"city": "Pa\ufffds"}),
    # --- no tool has this name: the user finds out, or is told
    "name-missing": _Either(name=""),
    "name-number": _Either(name="7"),
    "name-prefixed": _Either(name="functions.get_weather", also=(_Also(),)),
    # --- the calls are all there, beside something that may be taken for an error
    "too-deep": _Either(),
    "index-head-tail": _Either(),
    "error-mid-stream": _Either(),  # the answer goes on behind the error, and comes to its end
    "error-named-event": _Either(),
    # --- no call is lost, and to complain is a way to read it
    "empty-turn": _Either(),
    "finish-tool-calls-without-calls": _Either(),
    "refusal": _Either(),
    "content-array": _Either(),
    # --- the call is not where calls are: without a word about it, it is lost
    "markup-in-content": _Either(ids=""),
    "markup-in-reasoning": _Either(ids=""),
}
# fmt: on

_NOTHING_SAID: Final = frozenset(("no-choices", "message-absent", "error-first", "error-body", "html-body"))
"""Answers that say nothing, or only that something is wrong."""


def stated(fault: Fault) -> bool:
    """Whether it is thought out what a client should end with; request-side faults are no matter of accumulation."""
    return fault.left != "none" or fault.name in _DIFFERS or fault.name in _NOTHING_SAID


def expected(fault: Fault | None, request: Mapping[str, Any]) -> Expected:
    """What a client should end with.

    Args:
        fault: what was planted; None for an honest answer.
        request: the request that was answered.

    Raises:
        ValueError: nobody has thought it out (see `stated`).
    """
    honest = tuple(Meant(c.id, c.name, json.loads(c.arguments)) for c in answer(request).calls)
    if fault is None:
        return Expected(honest, "run")
    differs = _DIFFERS.get(fault.name)
    if differs is not None:
        also = tuple(_changed(honest, other) for other in differs.also)
        return Expected(_changed(honest, differs), differs.duty, also)
    if fault.left == "unusable" or fault.name in _NOTHING_SAID:
        return Expected((), "refuse")
    if fault.left == "none":
        raise ValueError(f"{fault.name}: it is not stated what a client should end with")
    return Expected(honest, "run")


def _changed(honest: tuple[Meant, ...], differs: _Differs) -> tuple[Meant, ...]:
    calls = [
        Meant(
            call.id if differs.ids is None else differs.ids,
            call.name if differs.name is None else differs.name,
            call.arguments if differs.arguments is None else differs.arguments,
        )
        for call in honest
    ]
    if differs.again:
        calls += [replace(call, id=differs.again) for call in calls]
    return tuple(calls)

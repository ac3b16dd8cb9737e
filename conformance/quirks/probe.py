"""The requests by which the link scenarios ask whether ids link, recognised by their form alone.

The form: a tool `get_code_word` is offered; the last assistant message with calls calls it for two different cities;
two tool messages follow, each saying "The code word is …." with a word that names no city; at most one user message
ends the request. The words are made for one request each, so that an answer can only have them from the results.

Anything else, such as an ordinary request in a capture, is no probe: what an answer makes of other results cannot be
judged from its wording.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from conformance.quirks.attribution import attributed, doubts, mentioned
from conformance.quirks.history._turns import turns
from conformance.quirks.rejection import is_rejection
from conformance.wire.transcript import Asked, Transcript

TOOL: Final = "get_code_word"
_RESULT: Final = re.compile(r"The code word is (\w+)\.")

Form = Literal["in-order", "other-order", "unknown-id", "empty-ids"]
"""How results and calls are linked: in the calls' order, in the other one, but for one result, or by nothing at all."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A request of the form.

    Attributes:
        form: how its results are linked.
        cities: what the calls ask for, in their order.
        words: what the results say, in their order.
        links: for each result the number of the call it names, None if it names none.
    """

    form: Form
    cities: tuple[str, str]
    words: tuple[str, str]
    links: tuple[int | None, int | None]

    @property
    def linked(self) -> Mapping[str, str]:
        """City to word, as the ids link them; with empty ids by position, the only order there is."""
        links = (0, 1) if self.form == "empty-ids" else self.links
        return {self.cities[call]: word for call, word in zip(links, self.words, strict=True) if call is not None}


def result_text(word: str) -> str:
    """What a tool result of a probe says."""
    return f"The code word is {word}."


def probe(asked: Asked) -> Probe | None:
    """The probe that a request is, None if it is none."""
    if TOOL not in asked.tools:
        return None
    last = None
    for turn in turns(asked.messages):
        last = turn
    if last is None or len(last.calls) != 2 or len(last.results) != 2:
        return None
    behind = asked.messages[last.results[-1][0] + 1 :]
    cities = [_city(call) for call in last.calls]
    words = [_word(result) for _, result in last.results]
    form = _form([c.get("id") for c in last.calls], [r.get("tool_call_id") for _, r in last.results])
    if form is None or len(behind) > 1 or any(m.get("role") != "user" for m in behind):
        return None
    if not all((*cities, *words)) or len({text.casefold() for text in (*cities, *words)}) < 4:
        return None
    return Probe(form[0], (cities[0], cities[1]), (words[0], words[1]), form[1])


def shown(t: Transcript) -> Form | None:
    """The form of probe this exchange answers, if its answer shows which result went to which call."""
    asked = probe(t.asked)
    if asked is None:
        return None
    if asked.form in ("unknown-id", "empty-ids") and is_rejection(t):
        return asked.form  # nothing was misread
    readable = _readable(t, asked) if asked.form == "unknown-id" else told(t, asked) is not None
    return asked.form if readable else None


def told(t: Transcript, asked: Probe) -> Mapping[str, str] | None:
    """City to word, as the answer tells them; None where it does not say."""
    if not t.complete or not t.choices:
        return None
    return attributed(t.choices[0].content, asked.cities, asked.words)


def told_rightly(t: Transcript) -> bool:
    """Whether the exchange is a probe whose answer gives each city the word that belongs to it."""
    asked = probe(t.asked)
    return asked is not None and told(t, asked) == asked.linked


def misled(t: Transcript, asked: Probe) -> str:
    """The first city that is given another word than the one linked with it, `""` if none is."""
    found = told(t, asked) or asked.linked
    return next((city for city in asked.cities if found[city] != asked.linked[city]), "")


def strayed(t: Transcript, asked: Probe) -> str:
    """The city of the call without a result that is given the word of the result without a call, else `""`.

    An answer that speaks of ids, or says that something is missing, is no such case: nobody is misled by it.
    """
    found = told(t, asked)
    if found is None or doubts(t.choices[0].content):
        return ""
    city = next(city for city in asked.cities if city not in asked.linked)
    return city if found[city] == _stray_word(asked) else ""


def _readable(t: Transcript, asked: Probe) -> bool:
    """Whether the answer shows what became of the result that names no call: told, left out, or doubted."""
    if not t.complete or not t.choices or t.finish_reason == "length":
        return False
    content = t.choices[0].content
    return not mentioned(content, _stray_word(asked)) or doubts(content) or told(t, asked) is not None


def _stray_word(asked: Probe) -> str:
    return asked.words[asked.links.index(None)]


def _form(calls: Sequence[object], results: Sequence[object]) -> tuple[Form, tuple[int | None, int | None]] | None:
    if [*calls, *results] == ["", "", "", ""]:
        return "empty-ids", (None, None)
    if not all(isinstance(one, str) and one for one in (*calls, *results)) or calls[0] == calls[1]:
        return None
    links = [calls.index(one) if one in calls else None for one in results]
    if links == [0, 1]:
        return "in-order", (0, 1)
    if links == [1, 0]:
        return "other-order", (1, 0)
    if links == [0, None] or links == [None, 1]:
        return "unknown-id", (links[0], links[1])
    return None


def _city(call: Mapping[str, Any]) -> str:
    """The city a call asks for; of `Paris, France` the first part, by which an answer would name it."""
    function = call.get("function")
    if not isinstance(function, Mapping) or function.get("name") != TOOL:
        return ""
    try:
        arguments = json.loads(str(function.get("arguments")))
    except (ValueError, RecursionError):
        return ""
    city = arguments.get("city") if isinstance(arguments, dict) else None
    return city.partition(",")[0].strip() if isinstance(city, str) else ""


def _word(result: Mapping[str, Any]) -> str:
    content = result.get("content")
    match = _RESULT.fullmatch(content) if isinstance(content, str) else None
    return match[1] if match else ""

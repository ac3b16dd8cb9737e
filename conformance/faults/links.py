"""Faults in the link between calls and results, and answers that are right in unusual words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from conformance.faults.catalogue import Wire, plant
from conformance.faults.honest import Answer
from conformance.faults.results import Round, Told, by_id, by_position, last_round, sentence

Says = Callable[[Answer], Answer | Wire]


def _telling(pair: Callable[[Round], Told], word: Callable[[Told], str] = sentence) -> Says:
    """Tells the results, paired and worded like this, where there are any; else the honest answer."""

    def says(honest: Answer) -> Answer:
        last = last_round(honest.request)
        told = last.calls and last.results and not honest.calls
        return replace(honest, content=word(pair(last))) if told else honest

    return says


# --- faults -----------------------------------------------------------------------------------------------------------
def _by_name(last: Round) -> Told:
    """Results filed by the function's name: of two results of one function the last one stays."""
    names = {call.id: call.name for call in last.calls}
    texts = {names.get(call_id, ""): text for call_id, text in last.results}
    return [(call.about, texts.get(call.name, "")) for call in last.calls]


def _by_id_or_left_over(last: Round) -> Told:
    """A call without a result takes the one that names no call."""
    ids = {call.id for call in last.calls}
    left = [text for call_id, text in last.results if call_id not in ids]
    return [(what, text or (left.pop(0) if left else "")) for what, text in by_id(last)]


def _last_first(last: Round) -> Told:
    told = by_position(last)
    return [(what, text) for (what, _), (_, text) in zip(told, told[::-1], strict=True)]


def _last_for_all(last: Round) -> Told:
    told = by_position(last)
    return [(what, told[-1][1]) for what, _ in told]


_WRONG = "results-by-position"
plant("result-by-position", "results are paired by position", _WRONG, ask="other-order", says=_telling(by_position))
plant("result-by-name", "one result for a function's name", _WRONG, ask="other-order", says=_telling(_by_name))
plant(
    "unknown-id-by-position",
    "a result of no call is used: ids are not read",
    "unknown-id-used",
    ask="unknown-id",
    says=_telling(by_position),
)
plant(
    "unknown-id-left-over",
    "a result of no call is used for the call without one",
    "unknown-id-used",
    ask="unknown-id",
    says=_telling(_by_id_or_left_over),
)
plant(
    "empty-ids-last-first",
    "results with empty ids are taken last first",
    "empty-ids-crossed",
    ask="empty-ids",
    says=_telling(_last_first),
)
plant(
    "empty-ids-by-id",
    "results are filed by id, even an empty one",
    "empty-ids-crossed",
    ask="empty-ids",
    says=_telling(_last_for_all),
)


# --- legal ------------------------------------------------------------------------------------------------------------
def _word(text: str) -> str:
    """The last word of a result, without its stop."""
    return text.rpartition(" ")[2].rstrip(".") if text else ""


def _wordy(told: Told) -> str:
    said = " And then, ".join(
        f"for **{what}** – a lovely city! – I was given the code word “{_word(text).upper()}”." for what, text in told
    )
    return f"Of course! Here is what I found for {' and '.join(what for what, _ in told)}. First, {said} Enjoy!"


def _table(told: Told) -> str:
    rows = "".join(f"| {what} | `{_word(text) or '–'}` |\n" for what, text in told)
    return f"| City | Code word |\n|:---|---:|\n{rows}"


def _backwards(told: Told) -> str:
    return ", ".join(f"{_word(text)} for {what}" for what, text in told[::-1] if text)


def _respectively(told: Told) -> str:
    whats, texts = " and ".join(what for what, _ in told), " and ".join(_word(text) for _, text in told)
    return f"The code words of {whats} are {texts}, respectively."


def _document(told: Told) -> str:
    return f"```json\n{json.dumps({what: {'code_word': _word(text)} for what, text in told}, indent=2)}\n```"


def _words_only(told: Told) -> str:
    return "The two words are " + " and ".join(sorted(_word(text) for _, text in told)) + "."


for _name, _title, _words in (
    ("wordy", "in many words", _wordy),
    ("table", "in a table", _table),
    ("backwards", "last call first", _backwards),
    ("respectively", "cities first, then words", _respectively),
    ("document", "as JSON", _document),
    ("words-only", "without saying whose they are", _words_only),
):
    plant(
        f"linked-{_name}",
        f"results in another order are told {_title}",
        legal=True,
        ask="other-order",
        says=_telling(by_id, _words),
    )


def _doubtful(told: Told) -> str:
    known = "; ".join(f"{what}: {_word(text)}" for what, text in told if text)
    missing = ", ".join(what for what, text in told if not text)
    return f"{known}. There is no result for {missing}; another result came whose id I cannot match."


def _refusing(message: str, status: int = 400) -> Says:
    error = {"message": message, "type": "invalid_request_error", "param": "messages", "code": None}
    wire = Wire(json.dumps({"error": error}).encode(), status, {"content-type": "application/json"})

    def says(honest: Answer) -> Answer | Wire:
        """Refuses results that no call can be told for; other requests are answered honestly."""
        last = last_round(honest.request)
        ids = {call.id for call in last.calls} - {""}
        return wire if any(call_id not in ids for call_id, _ in last.results) else honest

    return says


plant("unknown-id-left-out", "a result of no call is left out", legal=True, ask="unknown-id", says=_telling(by_id))
plant(
    "unknown-id-doubted",
    "the answer says that a result belongs to no call",
    legal=True,
    ask="unknown-id",
    says=_telling(by_id, _doubtful),
)
plant(
    "unknown-id-refused",
    "a result of no call is rejected, and the id named",
    legal=True,
    ask="unknown-id",
    says=_refusing("messages[3].tool_call_id: no call of the message before has the id 'call_gone'"),
)
plant(
    "empty-ids-in-order",
    "results with empty ids are taken in order",
    legal=True,
    ask="empty-ids",
    says=_telling(by_position, _table),
)
plant(
    "empty-ids-refused",
    "empty ids are rejected",
    legal=True,
    ask="empty-ids",
    says=_refusing("messages[1].tool_calls[0].id: an id has at least one character", 422),
)

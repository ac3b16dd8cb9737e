"""What the link scenarios share: two calls with known ids, results that carry a fresh word each, and the control.

A model has to show first that it can tell two words apart: results in the order of their calls, twice, with words of
their own. Where it gives them to the wrong cities or none, the conversation ends, and nothing is said about the server.

The words are unknown to everybody before the server's first answer: they are drawn from its bytes and its time, so that
they are new in every run even if the server's ids are not, and the same when a recording is replayed. The requests have
the form that `conformance.quirks.probe` recognises.
"""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from conformance.quirks.probe import TOOL, result_text, told_rightly
from conformance.quirks.traits import MADE_UP
from conformance.scenarios.registry import Ask
from conformance.scenarios.request import body, runnable, tool
from conformance.wire.accumulate import assistant_message
from conformance.wire.transcript import Call, Transcript

TRIALS: Final = 2
STEPS: Final = 4 + TRIALS
"""The question, the control at most three times, and the trials."""

CITIES: Final = ("Paris", "Tokyo")
GET_CODE_WORD: Final = tool(
    TOOL, "Get the code word of a city", city={"type": "string", "description": "Name of the city"}
)
_PROMPT: Final = (
    f"Do two things at once: call {TOOL} for Paris and call {TOOL} for Tokyo. Then tell me the code word of each city."
)
# makes small models answer, which would go on calling otherwise; only used where they do, as some servers reject it
_CLOSING: Final = (
    "What is the code word of Paris, and what is the code word of Tokyo? Answer in plain words, without a tool."
)
_SYLLABLES: Final = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_TAIL: Final = re.compile(r"[0-9A-Za-z]{1,12}\Z")
_HEX: Final = re.compile(r"[0-9a-f]+|[0-9A-F]+")


@dataclass(slots=True)
class Setting:
    """A conversation up to the results of two calls.

    Attributes:
        first: the request that asked for the calls.
        turn: the assistant message with the two calls.
        seed: what words and ids are drawn from.
        closing: whether a user message follows the results.
        drawn: how many pairs of words were drawn.
    """

    first: Mapping[str, Any]
    turn: Mapping[str, Any]
    seed: bytes
    closing: bool = field(default=False)
    drawn: int = field(default=0)

    def ask(self, order: Sequence[int] = (0, 1), *, unknown: int | None = None, empty: bool = False) -> Ask:
        """Two results with fresh words, and the question what they are.

        Args:
            order: the calls in the order of their results.
            unknown: the call whose result gets an id that names no call.
            empty: all ids are `""`.
        """
        self.drawn += 1
        words = _words(self.seed, self.drawn)
        ids = [str(call["id"]) for call in self.turn["tool_calls"]]
        calls = self.turn["tool_calls"]
        named = list(ids)
        if unknown is not None:
            named[unknown] = sibling(ids[unknown], ids, self.seed)
        if empty:
            calls, named = [{**call, "id": ""} for call in calls], ["", ""]
        results = [{"role": "tool", "tool_call_id": named[n], "content": result_text(words[n])} for n in order]
        closing = [{"role": "user", "content": _CLOSING}] if self.closing else []
        messages = [*self.first["messages"], {**self.turn, "tool_calls": calls}, *results, *closing]
        return Ask({**self.first, "messages": messages, "tool_choice": "none"})


def established(model: str) -> Generator[Ask, Transcript, Setting | None]:
    """Ask for the calls and run the control; the setting, or None where the model does not pass it."""
    first = body(model, _PROMPT, [GET_CODE_WORD])
    transcript = yield Ask(first)
    if not transcript.choices:
        return None
    exchange = transcript.exchange
    seed = hashlib.sha256(f"{exchange.recorded_at}\n".encode() + exchange.body).digest()
    setting = Setting(first, _own_turn(transcript) or written_turn(_two_ids(transcript, seed)), seed)
    if not told_rightly((yield setting.ask())):
        setting.closing = True
        if not told_rightly((yield setting.ask())):
            return None
    return setting if told_rightly((yield setting.ask())) else None


def sibling(call_id: str, taken: Sequence[str], seed: bytes) -> str:
    """Another id of the same form: its last letters and digits are others.

    Args:
        call_id: the id to resemble, not empty.
        taken: ids it must not be.
        seed: what it is drawn from.
    """
    match = _TAIL.search(call_id)
    tail = match[0] if match else ""
    # says that no server issued it, where the form leaves room for that
    start = MADE_UP if len(tail) > len(MADE_UP) + 2 and not _HEX.fullmatch(tail) else ""
    head, rest = call_id[: len(call_id) - len(tail)] + start, tail[len(start) :]
    for number in range(100):
        other = head + "".join(map(_like, rest, _stream(seed, f"id {number}")))
        if other not in taken:
            return other
    return f"{call_id}0"  # no letter or digit at its end


def _own_turn(transcript: Transcript) -> dict[str, Any] | None:
    """The server's own message, unknown fields and all, if it calls the tool for the two cities under two ids."""
    calls = runnable(transcript)
    cities = tuple(sorted(_city(call) for call in calls))
    ids = {call.id for call in calls if call.id and not call.legacy}
    if cities == CITIES and len(ids) == 2 and all(call.name == TOOL for call in calls):
        return assistant_message(transcript.choices[0])
    return None


def _city(call: Call) -> str:
    city = call.value.get("city") if isinstance(call.value, dict) else None
    return city if isinstance(city, str) else ""


def written_turn(ids: Sequence[str]) -> dict[str, Any]:
    """A message that calls the tool for the two cities under these ids."""
    made = [
        {"id": call_id, "type": "function", "function": {"name": TOOL, "arguments": f'{{"city":"{city}"}}'}}
        for call_id, city in zip(ids, CITIES, strict=True)
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}


def _two_ids(transcript: Transcript, seed: bytes) -> list[str]:
    """Ids of the server's form as far as it shows: its own, and siblings of them."""
    ids = list(dict.fromkeys(call.id for call in transcript.calls if call.id))[:2]
    while len(ids) < 2:
        # nine letters and digits pass everywhere, also where an id has to have nine
        ids.append(sibling(ids[0], ids, seed) if ids else f"{MADE_UP}001")
    return ids


def _words(seed: bytes, number: int) -> tuple[str, str]:
    """Two words that are easy to repeat and share no syllable."""
    left = list(_SYLLABLES)
    drawn = [left.pop(n % len(left)) for n in _stream(seed, f"words {number}")[:6]]
    return "".join(drawn[:3]), "".join(drawn[3:])


def _stream(seed: bytes, purpose: str) -> list[int]:
    """Numbers drawn from a seed, other ones for each purpose."""
    digest = hashlib.shake_256(seed + purpose.encode()).digest(48)
    return [int.from_bytes(digest[n : n + 4], "big") for n in range(0, len(digest), 4)]


def _like(character: str, number: int) -> str:
    """A character of the same class."""
    for kind in (string.digits, "abcdef", string.ascii_lowercase, "ABCDEF", string.ascii_uppercase):
        if character in kind:
            return kind[number % len(kind)]
    return character

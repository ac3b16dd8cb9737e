"""One answer while its chunks arrive: choices, calls and facts. Standard library only.

This is the accumulation of DESIGN §4.4: the rule of the reference documents first (key by choice and index, id and name
once, arguments concatenated), then recovery by protocol alone. `Accumulator` and `read` both drive it, so that an agent
and `inspect` come to the same calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from conformance.model import Mode
from conformance.wire.calls import CallState
from conformance.wire.choices import ChoiceState
from conformance.wire.entries import SourceOf
from conformance.wire.facts import ABSENT, Fact, Marks, sample, spell
from conformance.wire.reasons import tokens_left
from conformance.wire.transcript import Asked, Choice

TOP_FIELDS: Final = frozenset(
    ("id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier", "error")
)
ErrorPlace = Literal["body", "first-event", "mid-stream", "event"]


class Turn:
    """State of one answer.

    Args:
        asked: what was asked for; decides how choices fold and which tool names are known.
        mode: `stream` for chunks, `complete` for one body.

    Attributes:
        listener: is told of text, names and argument pieces as they become known.
        routed: is told of every entry of a call, with the call it went to and its pointer, once it has been taken.
    """

    def __init__(self, asked: Asked, mode: Mode) -> None:
        self.asked = asked
        self.mode: Mode = mode
        self.facts = Marks()
        self.choices: dict[int, ChoiceState] = {}
        self.error: dict[str, Any] | None = None
        self.usage: Mapping[str, Any] | None = None
        self.chunks = 0
        self.listener: Callable[[str, int, Any, str], None] | None = None
        self.routed: Callable[[CallState, Mapping[str, Any], str], None] | None = None
        self._id = ""
        self._model = ""
        self._created: Any = None
        self._object = "chat.completion.chunk" if mode == "stream" else "chat.completion"
        self._folds = asked.known and (asked.n or 1) <= 1

    # --- envelope -------------------------------------------------------------------------------------------------

    def take(self, chunk: Mapping[str, Any], event: int | None, source_of: SourceOf | None = None) -> None:
        """Take one chunk of a stream, or the body of a complete answer."""
        self.chunks += 1
        choices = chunk.get("choices", ABSENT)
        error = self._error_of(chunk)
        if error is not None:
            self.take_error(error, event, "mid-stream" if self.choices else "first-event")
        if error is None or choices:
            self._take_envelope(chunk, event)
        usage = chunk.get("usage", ABSENT)
        if not isinstance(choices, list):
            if error is None:
                self.facts.note(Fact.CHOICES_MISSING, event, "", spell(choices), sample(sorted(chunk)))
        elif not choices:
            if error is None:
                kind = (
                    "usage"
                    if isinstance(usage, dict)
                    else "prompt-filter"
                    if "prompt_filter_results" in chunk
                    else "other"
                )
                self.facts.note(Fact.CHOICES_EMPTY, event, "/choices", kind)
        else:
            seen: set[int] = set()
            for position, choice in enumerate(choices):
                if isinstance(choice, dict):
                    self._take_choice(choice, position, event, seen, source_of)
                else:
                    self.facts.note(Fact.CHOICE_NOT_OBJECT, event, f"/choices/{position}", spell(choice))
        if usage is not ABSENT:
            self._take_usage(usage, choices, event)

    def _take_envelope(self, chunk: Mapping[str, Any], event: int | None) -> None:
        facts = self.facts
        value = chunk.get("id", ABSENT)
        if value != self._id or not value:
            if not isinstance(value, str) or not value:
                facts.note(Fact.CHUNK_ID_MISSING, event, "/id", spell(value))
            elif self._id:
                facts.note(Fact.CHUNK_ID_CHANGED, event, "/id", sample=value)
            else:
                self._id = value
        value = chunk.get("model", ABSENT)
        if value != self._model or not value:
            if not isinstance(value, str) or not value:
                facts.note(Fact.MODEL_MISSING, event, "/model", spell(value))
            elif self._model:
                facts.note(Fact.MODEL_CHANGED, event, "/model", sample=value)
            else:
                self._model = value
        value = chunk.get("object", ABSENT)
        if value != self._object:
            if isinstance(value, str) and value:
                facts.note(Fact.OBJECT_OTHER, event, "/object", "string", value)
            else:
                facts.note(Fact.OBJECT_MISSING, event, "/object", spell(value))
        value = chunk.get("created", ABSENT)
        if value != self._created or value is None:
            if not isinstance(value, int) or isinstance(value, bool):
                facts.note(Fact.CREATED_MISSING, event, "/created", spell(value), sample(value))
            elif self._created is not None:
                facts.note(Fact.CREATED_CHANGED, event, "/created", sample=value)
            else:
                self._created = value
        if len(chunk) > 4 and not TOP_FIELDS.issuperset(chunk):
            for key in chunk:
                if key not in TOP_FIELDS:
                    facts.note(Fact.ENVELOPE_EXTRA, event, f"/{key}", key)

    def _error_of(self, chunk: Mapping[str, Any]) -> Any:
        error = chunk.get("error")
        if error:
            return error
        if chunk.get("object") == "error" or (chunk.get("type") == "error" and "choices" not in chunk):
            return chunk
        return None

    def take_error(self, error: Any, event: int | None, place: ErrorPlace) -> None:
        """Take an error object (or a bare text); the first one is kept."""
        if self.mode == "complete" and place != "event":
            place = "body"
        self.facts.note(Fact.ERROR, event, "/error", place, sample(error, 200))
        if self.error is None:
            self.error = dict(error) if isinstance(error, Mapping) else {"message": str(error)}

    def _take_usage(self, usage: Any, choices: Any, event: int | None) -> None:
        if not isinstance(usage, dict):
            self.facts.note(Fact.USAGE_NULL, event, "/usage", spell(usage))
            return
        self.usage = usage
        finished = bool(self.choices) and all(c.finish_reasons for c in self.choices.values())
        if not choices or choices is ABSENT:
            spelling = "alone"
        elif finished and any(isinstance(c, dict) and c.get("finish_reason") for c in choices):
            spelling = "finish"
        else:
            spelling = "chunk"
        self.facts.note(Fact.USAGE, event, "/usage", spelling)
        if self.mode == "stream" and not finished:
            self.facts.note(Fact.USAGE_BEFORE_END, event, "/usage")

    # --- choices --------------------------------------------------------------------------------------------------

    def _take_choice(
        self, choice: Mapping[str, Any], position: int, event: int | None, seen: set[int], source_of: SourceOf | None
    ) -> None:
        pointer = f"/choices/{position}"
        index = choice.get("index", ABSENT)
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            self.facts.note(Fact.CHOICE_INDEX_MISSING, event, pointer, spell(index))
            index = position if self.mode == "complete" else 0
        elif index >= (self.asked.n or 1) and self.asked.known:
            self.facts.note(Fact.CHOICE_INDEX_BEYOND, event, f"{pointer}/index", sample=index)
        if index in seen:
            self.facts.note(Fact.CHOICE_DUPLICATE, event, f"{pointer}/index", sample=index)
        seen.add(index)
        key = 0 if self._folds else index
        state = self.choices.get(key)
        if state is None:
            state = self.choices[key] = ChoiceState(key, self.asked, self.mode)
            state.listener = self.listener
            state.routed = self.routed
        error = choice.get("error")
        if error:
            self.take_error(error, event, "mid-stream")
        state.take(choice, position, event, source_of)

    def finish(self, complete: bool) -> list[Choice]:
        """The choices by index, with their calls; `complete` as in `Transcript.complete`."""
        spent = len(self.choices) == 1 and tokens_left(self.asked.body, self.usage) == 0
        return [self.choices[key].finish(complete, spent) for key in sorted(self.choices)]

    @property
    def finished(self) -> bool:
        """Whether there is a choice, and a finish reason for every one."""
        return bool(self.choices) and all(c.finish_reasons for c in self.choices.values())

    @property
    def failed(self) -> bool:
        """Whether an error came, or a finish reason that says that the answer failed."""
        return self.error is not None or any(c.failed for c in self.choices.values())

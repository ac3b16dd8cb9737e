"""One choice of an answer while its chunks arrive: text, finish reasons and calls. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from conformance.model import Mode
from conformance.wire.calls import CallState
from conformance.wire.entries import SourceOf, as_text, index_of, name_of, text, text_of, with_text
from conformance.wire.facts import ABSENT, Fact, Marks, sample, spell
from conformance.wire.reasons import cuts, fails
from conformance.wire.routing import Routes
from conformance.wire.transcript import Asked, Call, Choice

CHOICE_FIELDS: Final = frozenset(("index", "delta", "message", "finish_reason", "logprobs"))
REASONING_FIELDS: Final = ("reasoning_content", "reasoning")


class ChoiceState:
    """A choice under assembly."""

    def __init__(self, index: int, asked: Asked, mode: Mode) -> None:
        self.index = index
        self.asked = asked
        self.mode: Mode = mode
        self.facts = Marks()
        self.chunks = 0
        self.content: list[str] = []
        self.reasoning: list[str] = []
        self.refusal: list[str] = []
        self.reasoning_field = ""
        self.role = ""
        self.finish_reasons: list[tuple[str, int | None]] = []
        self.message: Mapping[str, Any] | None = None
        self.extra: dict[str, Any] = {}
        self.calls: list[CallState] = []
        self.last: CallState | None = None
        self.listener: Callable[[str, int, Any, str], None] | None = None
        self.routed: Callable[[CallState, Mapping[str, Any], str], None] | None = None
        self._routes = Routes(asked.tools)
        self._legacy: CallState | None = None

    # --- one chunk ------------------------------------------------------------------------------------------------

    def take(self, choice: Mapping[str, Any], position: int, event: int | None, source_of: SourceOf | None) -> None:
        """Take this choice's part of one chunk (or of a complete body)."""
        self.chunks += 1
        facts = self.facts
        field, other = ("delta", "message") if self.mode == "stream" else ("message", "delta")
        pointer = f"/choices/{position}/{field}"
        delta = choice.get(field, ABSENT)
        reason = choice.get("finish_reason", ABSENT)
        if other in choice and choice[other] is not None:
            fact = Fact.MESSAGE_BESIDE_DELTA if self.mode == "stream" else Fact.DELTA_BESIDE_MESSAGE
            facts.note(fact, event, f"/choices/{position}/{other}", "" if isinstance(delta, dict) else "alone")
            if not isinstance(delta, dict) and isinstance(choice[other], dict):
                delta, field, pointer = choice[other], other, f"/choices/{position}/{other}"
        if not isinstance(delta, dict):
            fact = Fact.DELTA_MISSING if self.mode == "stream" else Fact.MESSAGE_MISSING
            facts.note(fact, event, pointer, spell(delta))
            delta = {}
        if self.mode == "complete":
            self.message = delta
        said = self._take_delta(
            delta,
            pointer,
            event,
            (lambda path: source_of(["choices", position, field, *path])) if source_of is not None else None,
        )
        late = bool(self.finish_reasons)
        if late:
            if said:
                facts.note(Fact.DELTA_AFTER_FINISH, event, pointer, said)
            elif reason is ABSENT or reason is None or reason == "":
                facts.note(Fact.CHOICE_AFTER_FINISH, event, pointer)
        self._take_finish(reason, said, position, event)
        if len(choice) > 3 and not CHOICE_FIELDS.issuperset(choice):
            for key in choice:
                if key not in CHOICE_FIELDS:
                    facts.note(Fact.CHOICE_EXTRA, event, f"/choices/{position}/{key}", key)
            native = choice.get("native_finish_reason")
            if isinstance(native, str) and native:
                at = f"/choices/{position}/native_finish_reason"
                facts.note(Fact.NATIVE_FINISH, event, at, native[:40], native)

    def _take_finish(self, reason: Any, said: str, position: int, event: int | None) -> None:
        if reason is None:
            return
        pointer = f"/choices/{position}/finish_reason"
        if isinstance(reason, str) and reason:
            self.finish_reasons.append((reason, event))
            self.facts.note(Fact.FINISH, event, pointer, reason[:40], reason)
            if said and self.mode == "stream":
                self.facts.note(Fact.FINISH_WITH_DELTA, event, pointer, said)
        elif reason is ABSENT:
            self.facts.note(Fact.FINISH_MISSING, event, pointer)
        elif reason == "":
            self.facts.note(Fact.FINISH_EMPTY, event, pointer)
        else:
            self.facts.note(Fact.FINISH_NOT_STRING, event, pointer, spell(reason), sample(reason))

    def _take_delta(self, delta: Mapping[str, Any], pointer: str, event: int | None, source_of: SourceOf | None) -> str:
        """Take a delta or message; says what it carried: `calls`, `content`, `other` or nothing."""
        facts = self.facts
        said = ""
        for key, value in delta.items():
            if key == "tool_calls":
                if self._take_tool_calls(value, pointer, event, source_of):
                    said = "calls"
            elif key == "content":
                if self._take_content(value, pointer, event):
                    said = said or "content"
            elif key == "role":
                self._take_role(value, pointer, event)
            elif key == "function_call":
                if self._take_legacy(value, pointer, event, source_of):
                    said = "calls"
            elif key == "refusal":
                if value:
                    facts.note(Fact.REFUSAL, event, f"{pointer}/refusal")
                    self.refusal.append(str(value))
                    said = said or "content"
            elif key in REASONING_FIELDS:
                facts.note(Fact.DELTA_EXTRA, event, f"{pointer}/{key}", key)
                if isinstance(value, str) and value:
                    said = said or "other"
                    # a server that sends both spellings says the same thing twice
                    self.reasoning_field = self.reasoning_field or key
                    if key == self.reasoning_field:
                        self.reasoning.append(value)
                        if self.listener is not None:
                            self.listener("reasoning", self.index, None, value)
            elif value is not None or key not in self.extra:
                facts.note(Fact.DELTA_EXTRA, event, f"{pointer}/{key}", key)
                if value not in (None, "", [], {}):
                    self._keep(key, value)
        if self.mode == "complete" and "content" not in delta:
            facts.note(Fact.CONTENT_MISSING, event, pointer, "absent")
        return said

    def _keep(self, key: str, value: Any) -> None:
        """Keep an unknown field for the history: text is joined, lists are extended, anything else is replaced."""
        held = self.extra.get(key)
        joins = self.mode == "stream" and isinstance(held, str | list) and type(held) is type(value)
        self.extra[key] = held + value if joins else value

    def _take_role(self, value: Any, pointer: str, event: int | None) -> None:
        if isinstance(value, str) and value:
            if self.role:
                self.facts.note(Fact.ROLE_REPEATED, event, f"{pointer}/role", "string")
            else:
                self.facts.note(Fact.ROLE, event, f"{pointer}/role", "first" if self.chunks == 1 else "later")
                self.role = value
            if value != "assistant":
                self.facts.note(Fact.ROLE_OTHER, event, f"{pointer}/role", "string", value)
        elif self.role:
            self.facts.note(Fact.ROLE_REPEATED, event, f"{pointer}/role", spell(value))
        elif value is not None and value != "":
            self.facts.note(Fact.ROLE_OTHER, event, f"{pointer}/role", spell(value), sample(value))

    def _take_content(self, value: Any, pointer: str, event: int | None) -> bool:
        if value is None:
            return False
        if isinstance(value, str):
            if not value:
                self.content.append("")
                return False
            text = value
        else:
            self.facts.note(Fact.CONTENT_NOT_STRING, event, f"{pointer}/content", spell(value), sample(value))
            text = text_of(value)
        if self.calls and self.mode == "stream":
            self.facts.note(Fact.CONTENT_AFTER_CALLS, event, f"{pointer}/content")
        self.content.append(text)
        if self.listener is not None and text:
            self.listener("content", self.index, None, text)
        return bool(text)

    # --- calls ----------------------------------------------------------------------------------------------------

    def _take_legacy(self, value: Any, pointer: str, event: int | None, source_of: SourceOf | None) -> bool:
        blank = isinstance(value, dict) and not any(value.values())
        if not isinstance(value, dict) or (blank and self._legacy is None):
            self.facts.note(Fact.FUNCTION_CALL_NULL, event, f"{pointer}/function_call", spell(value))
            return False
        where = f"{pointer}/function_call"
        self.facts.note(Fact.FUNCTION_CALL, event, where)
        call = self._legacy
        opening = call is None
        if call is None:
            call = self._legacy = CallState(self.index, None, event, where)
            call.legacy = True
            call.type = "function"
            self.calls.append(call)
        call.last = (event, where)
        before = (call.name, len(call.pieces))
        call.take_name(value.get("name", ABSENT), event, where, opening, self.asked.tools)
        arguments = value.get("arguments", ABSENT)
        call.take_arguments(as_text(arguments, ["function_call", "arguments"], source_of), event, where, opening)
        self.last = call
        self._tell(call, before)
        if self.routed is not None:
            self.routed(call, value, where)
        return bool(value)

    def _take_tool_calls(self, value: Any, pointer: str, event: int | None, source_of: SourceOf | None) -> bool:
        where = f"{pointer}/tool_calls"
        if not isinstance(value, list):
            if value is None:
                self.facts.note(Fact.TOOL_CALLS_NULL, event, where)
                return False
            self.facts.note(Fact.TOOL_CALLS_NOT_ARRAY, event, where, spell(value), sample(value))
            if isinstance(value, dict) and value:
                self._take_entry(value, where, ["tool_calls"], event, None, source_of)
                return True
            return False
        if not value:
            self.facts.note(Fact.TOOL_CALLS_EMPTY, event, where)
            return False
        seen: dict[int, CallState] | None = {} if len(value) > 1 else None
        for position, entry in enumerate(value):
            at = f"{where}/{position}"
            if isinstance(entry, dict):
                self._take_entry(entry, at, ["tool_calls", position], event, seen, source_of)
            else:
                self.facts.note(Fact.ENTRY_NOT_OBJECT, event, at, spell(entry))
        return True

    def _take_entry(
        self,
        entry: Mapping[str, Any],
        pointer: str,
        path: list[str | int],
        event: int | None,
        seen: dict[int, CallState] | None,
        source_of: SourceOf | None,
    ) -> None:
        raw_index = entry.get("index", ABSENT)
        index, text_index = index_of(raw_index)
        last = self.last if self.last is not self._legacy else None
        call = None if self.mode == "complete" else self._routes.find(entry, index, last)
        opening = call is None
        if call is None:
            call = self._open(index, event, pointer, entry)
        else:
            if call is not self.last:
                call.facts.note(Fact.INTERLEAVED, event, pointer)
            self._routes.continued(call, entry, index, event, pointer)
        facts = call.facts
        if self.mode == "complete":
            if raw_index is not ABSENT:
                facts.note(Fact.INDEX_PRESENT, event, f"{pointer}/index", spell(raw_index), sample(raw_index))
        elif index is None:
            facts.note(Fact.INDEX_MISSING, event, pointer, spell(raw_index), sample(raw_index))
        else:
            if text_index:
                facts.note(Fact.INDEX_STRING, event, f"{pointer}/index", sample=raw_index)
            if seen is not None:
                if seen.get(index) is call:
                    facts.note(Fact.INDEX_TWICE_IN_CHUNK, event, f"{pointer}/index", sample=index)
                seen[index] = call
        before = (call.name, len(call.pieces))
        call.take(with_text(entry, path, source_of), event, pointer, opening, self.asked.tools)
        if call.id:
            self._routes.identified(call)
        self.last = call
        self._tell(call, before)
        if self.routed is not None:
            self.routed(call, entry, pointer)

    def _open(self, index: int | None, event: int | None, pointer: str, entry: Mapping[str, Any]) -> CallState:
        call = CallState(self.index, index, event, pointer)
        if self.mode == "stream":
            self._routes.opened(call, event, pointer)
        if not text(entry.get("id")) and not name_of(entry):
            call.facts.note(Fact.OPENED_BARE, event, pointer)
        self.calls.append(call)
        return call

    def _tell(self, call: CallState, before: tuple[str, int]) -> None:
        if self.listener is None:
            return
        if call.name and not before[0]:
            self.listener("name", self.index, call, call.name)
        text = "".join(call.pieces[before[1] :])
        if text:
            self.listener("arguments", self.index, call, text)

    # --- the end --------------------------------------------------------------------------------------------------

    @property
    def failed(self) -> bool:
        """Whether a finish reason says that the answer failed."""
        return any(fails(reason) for reason, _ in self.finish_reasons)

    def finish(self, complete: bool, spent: bool) -> Choice:
        """The assembled choice; `spent`: the answer is exactly as long as the request's token limit."""
        if not self.role:
            self.facts.note(Fact.ROLE_MISSING, None, "")
        ordered = self._ordered()
        content = "".join(self.content)
        if self.mode == "complete" and ordered and self.content and not content:
            self.facts.note(Fact.CONTENT_EMPTY_BESIDE_CALLS, None, "/choices/0/message/content")
        native = self.facts.get(Fact.NATIVE_FINISH)
        limited = any(
            map(cuts, (*(reason for reason, _ in self.finish_reasons), *(native.spellings if native else ())))
        )
        calls: list[Call] = [
            call.finish(i, self.asked, complete, (limited or spent) and self._may_lack_its_end(call))
            for i, call in enumerate(ordered)
        ]
        return Choice(
            index=self.index,
            content=content,
            content_null=not self.content,
            reasoning="".join(self.reasoning),
            reasoning_field=self.reasoning_field,
            refusal="".join(self.refusal),
            limited=limited,
            finish_reasons=self.finish_reasons,
            role=self.role,
            calls=calls,
            message=self.message,
            extra=self.extra,
            facts=self.facts,
            chunks=self.chunks,
        )

    def _may_lack_its_end(self, call: CallState) -> bool:
        """Whether nothing shows that a call of an answer that was cut is whole: no argument text, or free text.

        A stream that does not mix its calls has ended each before it opened the next.
        """
        last = call is self.calls[-1] or any(Fact.INTERLEAVED in c.facts for c in self.calls)
        if call.type == "custom":
            return last
        if self.mode == "complete":
            return not any(call.pieces)
        return last and not call.has_arguments

    def _ordered(self) -> list[CallState]:
        """(g): by index, stable; calls without an index keep their place."""
        if self.mode == "complete":
            return self.calls
        indexed = iter(sorted((c for c in self.calls if c.wire_index is not None), key=lambda c: c.wire_index or 0))
        return [call if call.wire_index is None else next(indexed) for call in self.calls]

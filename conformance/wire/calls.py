"""One tool call while its entries arrive, and what it is at the end. Standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from conformance.wire.arguments import Depth, Parsed, Resolved, Value, join, resolve
from conformance.wire.facts import ABSENT, Fact, Marks, sample, spell
from conformance.wire.names import resolve_name
from conformance.wire.transcript import Asked, Call

ENTRY_FIELDS: Final = frozenset(("index", "id", "type", "function", "custom"))
FUNCTION_FIELDS: Final = frozenset(("name", "arguments", "input"))


class CallState:
    """A call under assembly.

    `pieces` are the argument pieces so far; `name` is what the name pieces so far make.
    """

    __slots__ = (
        "_depth",
        "_measured",
        "arguments_first",
        "choice",
        "extra",
        "facts",
        "has_arguments",
        "id",
        "last",
        "legacy",
        "name",
        "name_pieces",
        "opened",
        "other_ids",
        "pieces",
        "reused",
        "stray",
        "type",
        "wire_index",
    )

    def __init__(self, choice: int, wire_index: int | None, event: int | None, pointer: str) -> None:
        self.choice = choice
        self.wire_index = wire_index
        self.id = ""
        self.other_ids: list[str] = []
        self.name = ""
        self.name_pieces: list[str] = []
        self.type = ""
        self.legacy = False
        self.pieces: list[str] = []
        self.has_arguments = False
        self.reused = False
        self.stray = False
        self.extra: dict[str, Any] = {}
        self.facts = Marks()
        self.opened = (event, pointer)
        self.last = (event, pointer)
        self.arguments_first: tuple[int | None, str] | None = None
        self._depth = Depth()
        self._measured = 0

    def arguments_complete(self) -> bool:
        """Whether the argument text so far already parses to an object; each character is looked at once."""
        for piece in self.pieces[self._measured :]:
            self._depth.feed(piece)
        self._measured = len(self.pieces)
        return self._depth.one_complete and not resolve(self.pieces).parsed.error

    # --- one entry ------------------------------------------------------------------------------------------------

    def take(
        self, entry: Mapping[str, Any], event: int | None, pointer: str, opening: bool, declared: Mapping[str, Any]
    ) -> None:
        """Take what an entry of `tool_calls` says about this call, id and name by non-empty values only."""
        facts = self.facts
        self.last = (event, pointer)
        get = entry.get
        self._take_id(get("id", ABSENT), event, pointer, opening)
        self._take_type(get("type", ABSENT), event, pointer, opening)
        function = get("function", ABSENT)
        if not isinstance(function, dict) and isinstance(get("custom"), dict):
            function = entry["custom"]
            self.type = self.type or "custom"
        if isinstance(function, dict):
            self._take_function(function, event, f"{pointer}/function", opening, declared)
        else:
            if opening or function is not ABSENT:
                fact = Fact.FUNCTION_MISSING_OPENING if opening else Fact.FUNCTION_MISSING_CONTINUATION
                facts.note(fact, event, pointer, spell(function), sample(function))
            at_top = {key: entry[key] for key in ("name", "arguments") if key in entry}
            if at_top:
                for key in at_top:
                    facts.note(Fact.NAME_AT_TOP, event, pointer, key)
                self._take_function(at_top, event, pointer, opening, declared)
            elif opening:
                facts.note(Fact.NAME_MISSING_OPENING, event, pointer, "absent")
        if len(entry) > 4 or not ENTRY_FIELDS.issuperset(entry):
            self._take_extra(entry, event, pointer)

    def _take_extra(self, entry: Mapping[str, Any], event: int | None, pointer: str) -> None:
        for key, value in entry.items():
            if key in ENTRY_FIELDS or (key in ("name", "arguments") and Fact.NAME_AT_TOP in self.facts):
                continue
            self.facts.note(Fact.ENTRY_EXTRA, event, f"{pointer}/{key}", key, sample(value))
            if value is not None:
                self.extra[key] = value

    def _take_id(self, value: Any, event: int | None, pointer: str, opening: bool) -> None:
        facts = self.facts
        if isinstance(value, str) and value:
            if not self.id:
                self.id = value
                if not opening:
                    facts.note(Fact.ID_LATE, event, f"{pointer}/id", sample=value)
            elif value == self.id:
                if not opening:
                    facts.note(Fact.ID_REPEATED, event, f"{pointer}/id", sample=value)
            else:
                facts.note(Fact.ID_CHANGED, event, f"{pointer}/id", sample=value)
                if value not in self.other_ids:
                    self.other_ids.append(value)
            return
        if value is not ABSENT and value is not None and value != "":
            facts.note(Fact.ID_NOT_STRING, event, f"{pointer}/id", spell(value), sample(value))
        if opening:
            facts.note(Fact.ID_MISSING_OPENING, event, pointer, spell(value), sample(value))
        elif value is not ABSENT:
            facts.note(Fact.ID_BLANK_CONTINUATION, event, f"{pointer}/id", spell(value))

    def _take_type(self, value: Any, event: int | None, pointer: str, opening: bool) -> None:
        facts = self.facts
        if isinstance(value, str) and value:
            if value == "custom":
                facts.note(Fact.TYPE_CUSTOM, event, f"{pointer}/type")
            elif value != "function":
                facts.note(Fact.TYPE_OTHER, event, f"{pointer}/type", "string", value)
            if not opening:
                fact = Fact.TYPE_REPEATED if self.type else Fact.TYPE_LATE
                facts.note(fact, event, f"{pointer}/type", sample=value)
            self.type = self.type or value
            return
        if value is not ABSENT and value is not None and value != "":
            facts.note(Fact.TYPE_OTHER, event, f"{pointer}/type", spell(value), sample(value))
        if opening:
            facts.note(Fact.TYPE_MISSING_OPENING, event, pointer, spell(value))
        elif value is not ABSENT:
            facts.note(Fact.TYPE_BLANK_CONTINUATION, event, f"{pointer}/type", spell(value))

    def _take_function(
        self, function: Mapping[str, Any], event: int | None, pointer: str, opening: bool, declared: Mapping[str, Any]
    ) -> None:
        self.take_name(function.get("name", ABSENT), event, pointer, opening, declared)
        text = function.get("arguments", ABSENT)
        if text is ABSENT and "input" in function:
            text = function["input"]
        self.take_arguments(text, event, pointer, opening)
        for key in function:
            if key not in FUNCTION_FIELDS:
                self.facts.note(Fact.ENTRY_EXTRA, event, f"{pointer}/{key}", key, sample(function[key]))
                self.extra.setdefault("function", {})[key] = function[key]

    def take_name(
        self, value: Any, event: int | None, pointer: str, opening: bool, declared: Mapping[str, Any]
    ) -> None:
        """Take a name or a piece of one."""
        facts = self.facts
        if isinstance(value, str) and value:
            held = self.name
            if not held:
                if not opening:
                    when = "after-arguments" if self.has_arguments else "before-arguments"
                    facts.note(Fact.NAME_LATE, event, f"{pointer}/name", when, value)
            elif value == held:
                facts.note(Fact.NAME_REPEATED, event, f"{pointer}/name", sample=value)
            elif self.has_arguments:
                facts.note(Fact.NAME_CHANGED, event, f"{pointer}/name", sample=value)
            else:
                facts.note(Fact.NAME_FRAGMENT, event, f"{pointer}/name", sample=value)
            if not held or not self.has_arguments:
                self.name_pieces.append(value)
                self.name = resolve_name(self.name_pieces[:64], declared)
            return
        if value is not ABSENT and value is not None and value != "":
            facts.note(Fact.NAME_NOT_STRING, event, f"{pointer}/name", spell(value), sample(value))
        if opening:
            facts.note(Fact.NAME_MISSING_OPENING, event, pointer, spell(value), sample(value))
        elif value is not ABSENT:
            facts.note(Fact.NAME_BLANK_CONTINUATION, event, f"{pointer}/name", spell(value))

    def take_arguments(self, value: Any, event: int | None, pointer: str, opening: bool) -> None:
        """Take a piece of argument text; anything but a string has been replaced by `Value` before, or is blank."""
        if isinstance(value, str):
            if isinstance(value, Value):
                self.facts.note(Fact.ARGUMENTS_VALUE, event, f"{pointer}/arguments", _kind(value), value[:80])
                if value.strip() == "{}" and opening:
                    self.pieces.append(value)
                    return
            elif not value:
                if not opening:
                    self.facts.note(Fact.ARGUMENTS_EMPTY_CONTINUATION, event, f"{pointer}/arguments")
                self.pieces.append(value)
                return
            if not self.has_arguments:
                self.has_arguments = True
                self.arguments_first = (event, f"{pointer}/arguments")
            self.pieces.append(value)
            return
        fact = Fact.ARGUMENTS_MISSING_OPENING if opening else Fact.ARGUMENTS_MISSING_CONTINUATION
        self.facts.note(fact, event, pointer, spell(value))

    # --- the end --------------------------------------------------------------------------------------------------

    def finish(self, index: int, asked: Asked, complete: bool, cut: bool) -> Call:
        """The assembled call.

        Args:
            index: its position in the choice's list.
            asked: decides whether the name was offered and calls were wanted at all.
            complete: whether the answer is complete; a call of an incomplete answer is not usable.
            cut: whether the answer was ended before this call had to be whole, and nothing shows that it is.
        """
        if self.type == "custom":
            text = join(self.pieces)
            resolved = Resolved(text, text, "", Parsed(None, "", None))
        else:
            resolved = resolve(self.pieces)
        because: list[str] = []
        if not complete:
            because.append("incomplete")
        if cut:
            because.append("truncated")
        if resolved.parsed.error:
            because.append("arguments")
        if not self.name or (asked.tools and self.name not in asked.tools):
            because.append("name")
        if asked.tool_choice == "none":
            because.append("tool-choice-none")
        if self.stray:
            because.append("index")
        return Call(
            choice=self.choice,
            index=index,
            wire_index=self.wire_index,
            id=self.id,
            other_ids=self.other_ids,
            name=self.name,
            name_pieces=self.name_pieces,
            type=self.type,
            legacy=self.legacy,
            arguments=resolved.text,
            arguments_raw=resolved.raw,
            pieces=self.pieces,
            repair=resolved.repair,
            value=resolved.parsed.value,
            parse_error=resolved.parsed.error,
            duplicate_key=resolved.parsed.duplicate_key,
            lenient_value=resolved.parsed.lenient,
            schema_errors=[],
            usable=not because,
            unusable_because=because,
            extra=self.extra,
            facts=self.facts,
            opened=self.opened,
            last=self.last,
            arguments_first=self.arguments_first,
        )


def _kind(value: str) -> str:
    text = value.strip()
    if text.startswith("{"):
        return "{}" if text[1:].strip() == "}" else "object"
    if text.startswith("["):
        return "[]" if text[1:].strip() == "]" else "array"
    return "bool" if text in ("true", "false") else "number"

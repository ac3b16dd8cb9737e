"""What can be observed on the wire, named. A fact is neutral: whether it is a deviation is for the quirks to decide.

Facts are kept in `Marks`, one `Mark` per fact with its count, its first place and the spellings seen, at the place they
belong to: the answer, a choice, or a call. Standard library only.

Spellings tell apart what typed clients blur: `absent` (no such key), `null`, `empty` (`""`), `{}`, `[]`, `string`,
`integer`, `negative`, `float`, `bool`, `object`, `array`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


def spell(value: object) -> str:
    """Name the spelling of a decoded JSON value (`ABSENT` for a key that is not there)."""
    if value is ABSENT:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "string" if value else "empty"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "integer" if value >= 0 else "negative"
    if isinstance(value, float):
        return "float"
    if isinstance(value, dict):
        return "object" if value else "{}"
    return "array" if value else "[]"


class Mark:
    """How often a fact was observed, where first, in which spellings, and the first value.

    `event` and `pointer` are those of the first observation (see `conformance.model.Where`).
    """

    __slots__ = ("count", "event", "last_event", "pointer", "sample", "spellings")

    def __init__(self, event: int | None, pointer: str, sample: object) -> None:
        self.count = 0
        self.event = event
        self.last_event = event
        self.pointer = pointer
        self.sample = sample
        self.spellings: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"Mark({self.count}x first at event {self.event} {self.pointer!r}, {self.spellings}, {self.sample!r})"


class Marks(dict[str, Mark]):
    """Facts by name (constants of `Fact`)."""

    __slots__ = ()

    def note(self, fact: str, event: int | None, pointer: str = "", spelling: str = "", sample: object = None) -> Mark:
        """Count one observation; the first one's place and sample are kept."""
        mark = self.get(fact)
        if mark is None:
            mark = self[fact] = Mark(event, pointer, sample)
        mark.count += 1
        mark.last_event = event
        if spelling:
            mark.spellings[spelling] = mark.spellings.get(spelling, 0) + 1
        return mark

    def count(self, fact: str, *spellings: str) -> int:
        """How often `fact` was observed, in any of `spellings` if some are given, else at all."""
        mark = self.get(fact)
        if mark is None:
            return 0
        if not spellings:
            return mark.count
        return sum(mark.spellings.get(s, 0) for s in spellings)

    def first(self, facts: Iterable[str]) -> Mark | None:
        """The mark observed earliest among `facts`."""
        marks = [self[f] for f in facts if f in self]
        return min(marks, key=lambda m: -1 if m.event is None else m.event, default=None)


class Fact:
    """Names of facts. "Opening" is a call's first entry (in complete mode its only one), "continuation" a later one."""

    # --- framing (answer) -------------------------------------------------------------------------------------------
    BOM = "bom"  # the body starts with a byte order mark
    LINE_END = "line-end"  # spellings lf, crlf, cr; counted once per kind seen
    COMMENT = "comment"  # a line starting with a colon
    DATA_WITHOUT_SPACE = "data-without-space"  # `data:{`, no space after the colon
    DATA_MULTILINE = "data-multiline"  # an event made of several data lines
    DATA_EMPTY = "data-empty"  # an event whose data is empty or white space
    EVENT_NAMED = "event-named"  # an `event:` field; sample = the name; spellings = the names
    EVENT_ID = "event-id"  # an `id:` field
    EVENT_RETRY = "event-retry"  # a `retry:` field
    LINE_UNKNOWN = "line-unknown"  # a line that is no SSE field this format knows; sample = its start
    LAST_EVENT_UNTERMINATED = (
        "last-event-unterminated"  # no blank line after it; spellings done, data (whole JSON), cut
    )
    DONE = "done"  # a `[DONE]` event
    DATA_AFTER_DONE = "data-after-done"  # an event with data after the first `[DONE]`
    NOT_JSON = "not-json"  # an event's data is not JSON; sample = its start; spelling comment if it starts with a colon
    TOO_DEEP = "too-deep"  # an event's data (or the body) is nested deeper than is read here
    NOT_OBJECT = "not-object"  # an event's data (or the body) is JSON, but no object
    INVALID_UTF8 = "invalid-utf8"  # bytes that are not UTF-8, replaced by U+FFFD for reading
    CONTENT_TYPE = "content-type"  # the response's media type; always noted where headers are known; sample = it
    ENCODING_UNDECLARED = "encoding-undeclared"  # body compressed without `content-encoding`; sample = the encoding
    ENCODING_FALSE = "encoding-false"  # `content-encoding` names a coding the body does not have
    ENCODING_CUT = "encoding-cut"  # the compressed body ends early or does not decode
    LEADING_SPACE = "leading-space"  # white space before a JSON body
    # --- decoding (answer) ------------------------------------------------------------------------------------------
    LONE_SURROGATE = "lone-surrogate"  # a JSON string holds half of a surrogate pair
    NAN = "nan"  # NaN, Infinity or -Infinity as a JSON value
    HUGE_INTEGER = "huge-integer"  # an integer beyond 64 bits
    DUPLICATE_KEY = "duplicate-key"  # an object with the same key twice; sample = the key
    RAW_CONTROL = "raw-control"  # an unescaped control character in a JSON string
    # --- envelope (answer) ------------------------------------------------------------------------------------------
    ERROR = (
        "error"  # an error object; spellings body, first-event, mid-stream, event (by `event: error`/`stream_error`)
    )
    CHUNK_ID_MISSING = "chunk-id-missing"  # spellings absent, null, empty, ...
    CHUNK_ID_CHANGED = "chunk-id-changed"  # another non-empty id than the first
    CREATED_MISSING = "created-missing"  # spelling of what is not an integer
    CREATED_CHANGED = "created-changed"
    MODEL_MISSING = "model-missing"
    MODEL_CHANGED = "model-changed"
    OBJECT_MISSING = "object-missing"  # spelling absent, null, empty
    OBJECT_OTHER = "object-other"  # not chat.completion.chunk / chat.completion; sample = it
    CHOICES_MISSING = "choices-missing"  # absent or null, no error beside it; spelling absent, null, or what else it is
    CHOICES_EMPTY = "choices-empty"  # `choices: []`; spellings usage (a usage object beside it), prompt-filter, other
    CHOICE_NOT_OBJECT = "choice-not-object"
    CHOICE_INDEX_MISSING = "choice-index-missing"  # spelling of what is not an integer
    CHOICE_INDEX_BEYOND = "choice-index-beyond"  # another choice index than 0 though one choice was asked for
    CHOICE_DUPLICATE = "choice-duplicate"  # complete mode, or one chunk: two choices with the same index
    USAGE = "usage"  # a usage object; spellings alone (choices empty), finish (on a chunk with a finish reason), chunk
    USAGE_NULL = "usage-null"
    USAGE_BEFORE_END = "usage-before-end"  # a usage object on a chunk before the finish reason
    ENVELOPE_EXTRA = "envelope-extra"  # unknown top-level field; spellings = the names
    # --- choice -----------------------------------------------------------------------------------------------------
    DELTA_MISSING = (
        "delta-missing"  # stream: no delta object; spellings absent, null, other; noted with the finish reason's
    )
    MESSAGE_MISSING = "message-missing"  # complete: no message object
    MESSAGE_BESIDE_DELTA = "message-beside-delta"  # stream: `message` in a choice; spelling alone if there is no delta
    DELTA_BESIDE_MESSAGE = "delta-beside-message"  # complete: `delta` in a choice
    FINISH_MISSING = "finish-key-missing"  # the key `finish_reason` is absent on a chunk's choice / the complete choice
    FINISH_EMPTY = "finish-empty"  # `finish_reason: ""` (on a chunk; on the complete choice)
    FINISH_NOT_STRING = "finish-not-string"
    FINISH = "finish"  # a non-empty finish reason; spellings = the values
    NATIVE_FINISH = "native-finish"  # a gateway's `native_finish_reason`, non-empty; spellings = the values
    FINISH_WITH_DELTA = "finish-with-delta"  # the finish chunk also carries content or call entries
    DELTA_AFTER_FINISH = (
        "delta-after-finish"  # content or call entries on a later chunk; spellings content, calls, other
    )
    CHOICE_AFTER_FINISH = "choice-after-finish"  # a later chunk repeats the choice without adding anything
    ROLE = "role"  # spellings first (on the choice's first chunk), later
    ROLE_MISSING = "role-missing"  # never sent by the end (stream), or not in the message (complete); spelling
    ROLE_OTHER = "role-other"  # not "assistant"; sample = it
    ROLE_REPEATED = "role-repeated"  # on a chunk after the first one that had it; spelling null, empty, string
    CONTENT_MISSING = "content-missing"  # complete: the key is absent from the message
    CONTENT_NOT_STRING = "content-not-string"  # spelling array, object, ...
    CONTENT_EMPTY_BESIDE_CALLS = "content-empty-beside-calls"  # complete: `""` with tool calls
    CONTENT_AFTER_CALLS = "content-after-calls"  # stream: content text after the first call entry
    REFUSAL = "refusal"  # refusal text
    TOOL_CALLS_NULL = "tool-calls-null"
    TOOL_CALLS_EMPTY = "tool-calls-empty"  # `tool_calls: []`
    TOOL_CALLS_NOT_ARRAY = "tool-calls-not-array"  # spelling object (then read as one entry), string, ...
    ENTRY_NOT_OBJECT = "entry-not-object"  # null or a scalar inside `tool_calls`
    FUNCTION_CALL = "function-call"  # a legacy `function_call` object
    FUNCTION_CALL_NULL = "function-call-null"  # null, or an object whose fields are all empty
    DELTA_EXTRA = "delta-extra"  # unknown field in delta or message; spellings = the names
    CHOICE_EXTRA = "choice-extra"  # unknown field in the choice; spellings = the names
    # --- call: routing ----------------------------------------------------------------------------------------------
    INDEX_MISSING = (
        "index-missing"  # stream: not a usable index; spellings absent, null, negative, empty, string, float, ...
    )
    INDEX_STRING = "index-string"  # a decimal string, read as that number
    INDEX_PRESENT = "index-present"  # complete mode only: the entry carries an `index`
    INDEX_TWICE_IN_CHUNK = "index-twice-in-chunk"  # a second entry with the same index in one chunk
    INDEX_REUSED = "index-reused"  # this call was opened at an index already in use
    INDEX_STRAY_TAIL = "index-stray-tail"  # continuation at an unseen index; spellings by-id (known id), by-order
    OPENED_BARE = "opened-bare"  # this call was opened by an entry with neither id nor name
    INTERLEAVED = "interleaved"  # a continuation after another call's entry came in between
    # --- call: id ---------------------------------------------------------------------------------------------------
    ID_MISSING_OPENING = "id-missing-opening"  # spellings absent, null, empty, or of what is not a string
    ID_LATE = "id-late"  # the first non-empty id came on a continuation; sample = it
    ID_REPEATED = "id-repeated"  # the same id on a continuation
    ID_CHANGED = "id-changed"  # another non-empty id on a continuation; sample = it
    ID_BLANK_CONTINUATION = "id-blank-continuation"  # spellings null, empty
    ID_NOT_STRING = "id-not-string"  # spelling; sample = the value
    # --- call: type -------------------------------------------------------------------------------------------------
    TYPE_MISSING_OPENING = "type-missing-opening"  # spellings absent, null, empty
    TYPE_LATE = "type-late"  # first proper type came on a continuation
    TYPE_REPEATED = "type-repeated"  # a type on a continuation
    TYPE_BLANK_CONTINUATION = "type-blank-continuation"  # spellings null, empty
    TYPE_OTHER = "type-other"  # neither "function" nor "custom"; sample = it
    TYPE_CUSTOM = "type-custom"
    # --- call: function and name --------------------------------------------------------------------------------------
    FUNCTION_MISSING_OPENING = "function-missing-opening"  # spellings absent, null, or of what is not an object
    FUNCTION_MISSING_CONTINUATION = "function-missing-continuation"  # spellings absent, null, ...
    NAME_MISSING_OPENING = "name-missing-opening"  # spellings absent, null, empty, ...
    NAME_LATE = (
        "name-late"  # the first non-empty name came on a continuation; spelling after-arguments, before-arguments
    )
    NAME_REPEATED = "name-repeated"  # the held name again on a continuation
    NAME_FRAGMENT = "name-fragment"  # a further piece of the name before any argument text
    NAME_CHANGED = "name-changed"  # another name after argument text; sample = it
    NAME_BLANK_CONTINUATION = "name-blank-continuation"  # spellings null, empty
    NAME_NOT_STRING = "name-not-string"
    NAME_AT_TOP = "name-at-top"  # `name`/`arguments` beside `function` instead of inside it; spellings = the keys
    # --- call: arguments ----------------------------------------------------------------------------------------------
    ARGUMENTS_MISSING_OPENING = "arguments-missing-opening"  # spellings absent, null
    ARGUMENTS_MISSING_CONTINUATION = "arguments-missing-continuation"  # spellings absent (in a function object), null
    ARGUMENTS_EMPTY_CONTINUATION = "arguments-empty-continuation"  # `""` on a continuation
    ARGUMENTS_VALUE = "arguments-value"  # sent as a JSON value; spellings object, {}, array, integer, ...
    ENTRY_EXTRA = "entry-extra"  # unknown field in the entry or its function; spellings = the names


def sample(value: Any, limit: int = 80) -> str:
    """`repr` of a value, cut to `limit` characters, for use in messages."""
    try:
        text = repr(value)
    except RecursionError:  # the fast decoder goes deeper than `repr` does
        text = f"{type(value).__name__}, nested too deeply to show"
    return text if len(text) <= limit else text[: limit - 1] + "…"

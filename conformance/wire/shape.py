"""How an answer came, in a form that can be kept: what is left of it to hold against the answer in the other mode.

A shape holds no content: ids are reduced to their form, argument values to a digest, and names are
`conformance.text.bounded`. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypedDict, cast

from conformance.model import Mode
from conformance.text import bounded
from conformance.wire.facts import Fact
from conformance.wire.transcript import Call, Choice, Transcript

IdBody = Literal["absent", "empty", "uuid", "digits", "characters", "composed"]
"""What an id is behind its prefix; `composed`: of several parts, such as the function's name and a number."""

ArgumentsForm = Literal[
    "object",  # text that parses to an object
    "absent",  # no `arguments` field with a value ever came
    "empty",  # an empty string
    "value",  # a JSON value instead of text
    "double-encoded",
    "repaired",  # text that is an object only after repair by protocol (DESIGN §4.4 f)
    "not-object",
    "not-json",
    "text",  # of a custom tool: any text is right
]
Content = Literal["absent", "null", "empty", "text"]
"""Of `content`. In a stream, `null` also stands for a field that never came."""

_PREFIX: Final = re.compile(r"(?:(?:chatcmpl|calls?|tools?|toolu|tooluse|functions?|fc|bdrk|vrtx)[-_.:]){1,20}")
"""Words that servers put in front of an id; other words cannot be told from random characters."""
_FIELDS: Final = 100
"""Names of unknown fields that are kept one by one."""
_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


class IdRow(TypedDict):
    """`IdForm` in a record."""

    body: IdBody
    prefix: str
    length: int


class CallRow(TypedDict):
    """`CallShape` in a record."""

    name: str
    type: str
    id: IdRow
    arguments: ArgumentsForm
    digest: str
    fields: list[str]


class ChoiceRow(TypedDict):
    """`ChoiceShape` in a record."""

    index: int
    finish_reason: str | None
    content: Content
    reasoning_field: str
    fields: list[str]
    calls: list[CallRow]


class ShapeRow(TypedDict):
    """`Shape` in a record."""

    mode: Mode
    usage: bool
    choices: list[ChoiceRow]


@dataclass(frozen=True, slots=True)
class IdForm:
    """What ids of one generator have in common.

    Attributes:
        body: what stands behind the prefix.
        prefix: known words with their separators, such as `call_`; may be empty.
        length: characters behind the prefix.
    """

    body: IdBody
    prefix: str = ""
    length: int = 0

    @property
    def there(self) -> bool:
        """Whether there is an id at all."""
        return self.body not in ("absent", "empty")

    def like(self, other: IdForm) -> bool:
        """Whether one generator may have made both.

        Random characters vary a little in number, may all be digits, and may hold what looks like a separator.
        """
        if self.prefix != other.prefix:
            return False
        short, long = sorted((self.length, other.length))
        if self.body == other.body:
            return self.body != "characters" or long <= short * 1.5
        return short == long and {self.body, other.body} <= {"digits", "characters", "composed"}

    def __str__(self) -> str:
        behind = f"{self.length} characters" if self.body in ("characters", "digits") else self.body
        return f"`{self.prefix}` and {behind}" if self.prefix else behind


@dataclass(frozen=True, slots=True)
class CallShape:
    """One call.

    Attributes:
        name, type: as assembled.
        id: the form of its id.
        arguments: how its arguments came.
        digest: of the argument value, the same for equal values however they are written; "" if there is none.
        fields: unknown fields of its entries, sorted.
    """

    name: str
    type: str
    id: IdForm
    arguments: ArgumentsForm
    digest: str
    fields: tuple[str, ...]

    @property
    def without_arguments(self) -> bool:
        """Whether it calls the function with nothing."""
        return self.arguments in ("absent", "empty") or self.digest == EMPTY_DIGEST


@dataclass(frozen=True, slots=True)
class ChoiceShape:
    """One choice.

    Attributes:
        index: as in `Choice`.
        finish_reason: the first one, None if none came.
        content: see `Content`.
        reasoning_field: name of the field that reasoning came in, "" if none came.
        fields: other fields that a client would send back, `refusal` among them, sorted.
        calls: in final order.
    """

    index: int
    finish_reason: str | None
    content: Content
    reasoning_field: str
    fields: tuple[str, ...]
    calls: tuple[CallShape, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """One whole answer.

    Attributes:
        mode: as answered.
        usage: whether a usage object came.
        choices: by index.
    """

    mode: Mode
    usage: bool
    choices: tuple[ChoiceShape, ...]

    def row(self) -> ShapeRow:
        """As it stands in a run record."""
        return cast("ShapeRow", json.loads(json.dumps(asdict(self), default=list)))

    @staticmethod
    def of(row: Mapping[str, Any]) -> Shape:
        """Out of a run record."""
        return Shape(row["mode"], row["usage"], tuple(_choice_of(choice) for choice in row["choices"]))


def shape_of(transcript: Transcript) -> Shape | None:
    """The shape of an answer; None unless it is whole: what is cut or an error shows nothing about the other mode."""
    if not transcript.complete or not transcript.choices:
        return None
    choices = tuple(_choice(choice, transcript.mode) for choice in transcript.choices)
    return Shape(transcript.mode, transcript.usage is not None, choices)


def id_form(call_id: str, *, came: bool = True) -> IdForm:
    """The form of an id; `came`: the field was there, though it may be empty."""
    if not call_id:
        return IdForm("empty" if came else "absent")
    found = _PREFIX.match(call_id)
    prefix = found.group() if found is not None else ""
    rest = call_id[len(prefix) :]
    if _UUID.fullmatch(rest):
        return IdForm("uuid", prefix, len(rest))
    digits = rest.removeprefix("-")
    body: IdBody = "composed"
    if digits.isascii() and digits.isdigit():
        body = "digits"
    elif rest.isascii() and rest.isalnum():
        body = "characters"
    return IdForm(body, prefix, len(rest))


def _choice(choice: Choice, mode: Mode) -> ChoiceShape:
    fields = {*choice.extra, *(["refusal"] if choice.refusal else [])}
    return ChoiceShape(
        index=choice.index,
        finish_reason=choice.finish_reason and bounded(choice.finish_reason),
        content=_content(choice, mode),
        reasoning_field=choice.reasoning_field,
        fields=_names(fields),
        calls=tuple(map(_call, choice.calls)),
    )


def _content(choice: Choice, mode: Mode) -> Content:
    if choice.content:
        return "text"
    if not choice.content_null:
        return "empty"
    return "absent" if mode == "complete" and Fact.CONTENT_MISSING in choice.facts else "null"


def _call(call: Call) -> CallShape:
    absent = call.legacy or call.facts.count(Fact.ID_MISSING_OPENING, "absent") > 0
    return CallShape(
        name=bounded(call.name),
        type=bounded(call.type),
        id=id_form(call.id, came=not absent),
        arguments=_arguments(call),
        digest="" if call.parse_error or call.value is None else _digest(call.value),
        fields=_names(call.extra),
    )


def _names(fields: Collection[str]) -> tuple[str, ...]:
    names = sorted(fields)
    more = names[_FIELDS:]
    rest = (f"{len(more)} more ({hashlib.sha256(repr(more).encode()).hexdigest()[:16]})",) if more else ()
    return (*map(bounded, names[:_FIELDS]), *rest)


def _arguments(call: Call) -> ArgumentsForm:
    if call.type == "custom":
        return "text"
    if not call.pieces:
        return "absent"
    if not call.arguments_raw:
        return "empty"
    if call.repair == "value":
        return "value"
    if call.parse_error:
        return "not-object" if call.parse_error.startswith("not an object") else "not-json"
    if call.repair == "unwrapped":
        return "double-encoded"
    return "object" if call.repair in ("", "surrogates") else "repaired"


def _digest(value: Any) -> str:
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return ""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


EMPTY_DIGEST: Final = _digest({})


def _choice_of(row: Mapping[str, Any]) -> ChoiceShape:
    calls = (
        CallShape(
            name=call["name"],
            type=call["type"],
            id=IdForm(call["id"]["body"], call["id"]["prefix"], call["id"]["length"]),
            arguments=call["arguments"],
            digest=call["digest"],
            fields=tuple(call["fields"]),
        )
        for call in row["calls"]
    )
    return ChoiceShape(
        index=row["index"],
        finish_reason=row["finish_reason"],
        content=row["content"],
        reasoning_field=row["reasoning_field"],
        fields=tuple(row["fields"]),
        calls=tuple(calls),
    )

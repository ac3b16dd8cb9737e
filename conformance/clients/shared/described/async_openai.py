"""What serde makes of a chunk: the streaming types of async-openai 0.41 as reference document 000 lists them in §6.

A field that a type requires and that is absent, null or of another type is an error, and so is an unknown value of an
enumeration; a field that no type names is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

Type = Callable[[Any, str], Any]


class Rejected(ValueError):
    """The chunk does not fit its type."""


class _Object(dict[str, Any]):
    """A JSON object that knows the keys that it holds twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        keys = [key for key, _ in pairs]
        self.twice = {key for key in self if keys.count(key) > 1} if len(self) < len(pairs) else set()


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Rejected(f"{where}: a string is expected")
    return value


def _u32(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 32:
        raise Rejected(f"{where}: a u32 is expected")
    return value


def _one_of(*words: str) -> Type:
    def read(value: Any, where: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise Rejected(f"{where}: unknown variant, expected one of {', '.join(words)}")
        return value

    return read


def _list(item: Type) -> Type:
    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise Rejected(f"{where}: a sequence is expected")
        return [item(one, f"{where}[{number}]") for number, one in enumerate(value)]

    return read


def _option(inner: Type) -> Type:
    def read(value: Any, where: str) -> Any:
        return None if value is None else inner(value, where)

    read.optional = True  # type: ignore[attr-defined]
    return read


def _struct(**fields: Type) -> Type:
    def read(value: Any, where: str) -> SimpleNamespace:
        if not isinstance(value, _Object):
            raise Rejected(f"{where}: an object is expected")
        for name, of in fields.items():
            if name in value.twice:
                raise Rejected(f"{where}: duplicate field {name}")
            if name not in value and not hasattr(of, "optional"):
                raise Rejected(f"{where}: missing field {name}")
        return SimpleNamespace(**{name: of(value.get(name), f"{where}.{name}") for name, of in fields.items()})

    return read


_call = _struct(
    index=_u32,
    id=_option(_text),
    type=_option(_one_of("function")),
    function=_option(_struct(name=_option(_text), arguments=_option(_text))),
)
_delta = _struct(
    content=_option(_text),
    reasoning_content=_option(_text),
    tool_calls=_option(_list(_call)),
    role=_option(_one_of("system", "user", "assistant", "tool", "function", "developer")),
    refusal=_option(_text),
)
_choice = _struct(
    index=_u32,
    delta=_delta,
    finish_reason=_option(_one_of("stop", "length", "tool_calls", "content_filter", "function_call")),
)
_chunk = _struct(
    id=_text,
    object=_text,
    created=_u32,
    model=_text,
    choices=_list(_choice),
    usage=_option(_struct(prompt_tokens=_u32, completion_tokens=_u32, total_tokens=_u32)),
)


def decode(event: str) -> SimpleNamespace:
    """A chunk as its type.

    Raises:
        Rejected: it does not fit.
        ValueError: it is no JSON.
    """
    return _chunk(json.loads(event, object_pairs_hook=_Object, parse_constant=_refuse), "chunk")  # type: ignore[no-any-return]


def _refuse(word: str) -> Mapping[str, Any]:
    raise Rejected(f"{word} is no JSON")

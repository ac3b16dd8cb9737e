"""Find what is unusual about a request, in one walk over its body."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from conformance.quirks.history._turns import HistoryTurn, calls_of, turns
from conformance.quirks.traits import MADE_UP, Trait
from conformance.wire.transcript import Asked

# fmt: off
FIELDS: Final = frozenset((
    "audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs",
    "max_completion_tokens", "max_tokens", "messages", "metadata", "modalities", "model",
    "moderation", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
    "prompt_cache_retention", "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier",
    "stop", "store", "stream", "stream_options", "temperature", "tool_choice",
    "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
))
# fmt: on
"""Fields of a request body that the API reference lists."""

_CALL_FIELDS: Final = frozenset(("id", "type", "function", "index"))
_REASONING: Final = ("reasoning_content", "reasoning", "reasoning_details")
_PLAIN_ID: Final = re.compile(r"(?![A-Za-z0-9]{9}\Z)[A-Za-z0-9_-]+")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_DEEPEST: Final = 32

Found = Iterator[tuple[Trait, str]]


def traits(asked: Asked) -> dict[Trait, str]:
    """The traits of a request, each with a JSON pointer to its first place in the request's body."""
    found: dict[Trait, str] = {}
    if asked.known:
        for walk in (_history, _tools, _options):
            for trait, pointer in walk(asked):
                found.setdefault(trait, pointer)
    return found


def made_up(asked: Asked) -> bool:
    """Whether the history holds an id that a scenario wrote and no server issued."""
    return any(
        MADE_UP in str(holder.get(field))
        for message in asked.messages
        for field, holders in (("id", calls_of(message)), ("tool_call_id", [message]))
        for holder in holders
    )


def _history(asked: Asked) -> Found:
    called = False
    for turn in turns(asked.messages):
        called = called or bool(turn.calls)
        if turn.calls:
            yield from _assistant(asked.messages[turn.position], turn)
        yield from _links(turn)
        for position, result in turn.results:
            yield from _result(result, f"/messages/{position}")
        if turn.results and not turn.last:
            after = turn.results[-1][0] + 1
            if asked.messages[after].get("role") == "user":
                yield "user-after-result", f"/messages/{after}"
    if called and asked.body.get("tools") is None and not asked.body.get("functions"):
        yield "tools-omitted", "/tools"


def _assistant(message: Mapping[str, Any], turn: HistoryTurn) -> Found:
    place = f"/messages/{turn.position}"
    content = message.get("content", ...)
    if content is ... or content is None or content == "":
        yield (
            "content-absent" if content is ... else "content-null" if content is None else "content-empty",
            (f"{place}/content"),
        )
    for field in _REASONING:
        if message.get(field):
            yield "reasoning", f"{place}/{field}"
    for number, call in enumerate(turn.calls):
        inner = f"{place}/tool_calls/{number}"
        for key in sorted(call.keys() - _CALL_FIELDS):
            yield "call-fields", f"{inner}/{key}"
        yield from _id(call.get("id"), f"{inner}/id")
        function = call.get("function")
        if isinstance(function, Mapping):
            yield from _arguments(function.get("arguments"), f"{inner}/function/arguments")


def _id(value: object, pointer: str) -> Found:
    if not isinstance(value, str):
        return
    if not value:
        yield "empty-id", pointer
    elif len(value) > 40:
        yield "long-id", pointer
    elif not _PLAIN_ID.fullmatch(value):
        yield "foreign-id", pointer


def _arguments(value: object, pointer: str) -> Found:
    if isinstance(value, Mapping):
        yield "arguments-object", pointer
    elif value == "":
        yield "arguments-empty", pointer
    elif isinstance(value, str) and not _is_object(value):
        yield "arguments-invalid", pointer


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _result(result: Mapping[str, Any], place: str) -> Found:
    content = result.get("content")
    if isinstance(content, list):
        # other parts than text are not allowed in a tool message, whoever rejects them is right
        if all(isinstance(part, Mapping) and part.get("type") == "text" for part in content):
            yield "result-array", f"{place}/content"
    elif content == "":
        yield "result-empty", f"{place}/content"
    elif isinstance(content, str) and ('"$ref"' in content or '"$defs"' in content):
        yield "result-with-ref", f"{place}/content"
    if not result.get("name"):
        yield "result-without-name", f"{place}/name"


def _links(turn: HistoryTurn) -> Found:
    ids = [call.get("id") for call in turn.calls]
    answered = [result.get("tool_call_id") for _, result in turn.results]
    for number, call_id in enumerate(ids):
        if call_id not in answered:
            yield "result-missing", f"/messages/{turn.position}/tool_calls/{number}"
    for position, result in turn.results:
        if result.get("tool_call_id") not in ids:
            yield "result-orphan", f"/messages/{position}/tool_call_id"
    order = [ids.index(call_id) for call_id in answered if call_id in ids]
    if order != sorted(order):
        yield "results-reordered", f"/messages/{turn.results[0][0]}"


def _tools(asked: Asked) -> Found:
    tools = asked.body.get("tools")
    if not isinstance(tools, list):
        return
    if not tools:
        yield "tools-empty", "/tools"
    if len(tools) > 128:
        yield "too-many-tools", "/tools"
    names: set[str] = set()
    for number, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping):
            continue
        place = f"/tools/{number}/function"
        if function.get("strict") is True and _fits_strict(function.get("parameters")):
            yield "strict", f"{place}/strict"
        yield from _parameters(function.get("parameters"), f"{place}/parameters")
        name = function.get("name")
        if isinstance(name, str):
            yield from _name(name, f"{place}/name")
            if name in names:
                yield "duplicate-names", f"{place}/name"
            names.add(name)


def _fits_strict(schema: object) -> bool:
    """Whether a schema keeps to what strict mode asks of one: all is required, nothing else is allowed."""
    if not isinstance(schema, Mapping) or schema.get("additionalProperties") is not False:
        return False
    properties, required = schema.get("properties"), schema.get("required")
    return isinstance(properties, Mapping) and isinstance(required, list) and set(properties) <= set(map(str, required))


def _name(name: str, pointer: str) -> Found:
    if not _PLAIN_NAME.fullmatch(name):
        yield "dotted-name", pointer
    elif 48 < len(name) <= 64:
        yield "long-name", pointer


def _parameters(schema: object, pointer: str) -> Found:
    if schema is None:
        yield "parameters-absent", pointer
    if not isinstance(schema, Mapping):
        return
    if schema.get("properties") == {}:
        yield "properties-empty", f"{pointer}/properties"
    if any(isinstance(schema.get(key), list) for key in ("oneOf", "anyOf", "allOf")):
        yield "schema-union", pointer
    yield from _within(schema, pointer, 0)


def _within(schema: object, pointer: str, depth: int) -> Found:
    """Traits at any depth of a schema, all with the place of the schema as a whole."""
    if depth > _DEEPEST:
        return
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield "schema-ref", pointer
        if isinstance(schema.get("type"), list):
            yield "type-array", pointer
    parts: Sequence[object] = list(schema.values()) if isinstance(schema, Mapping) else []
    for part in schema if isinstance(schema, list) else parts:
        if isinstance(part, Mapping | list):
            yield from _within(part, pointer, depth + 1)


def _options(asked: Asked) -> Found:
    body = asked.body
    if body.get("tool_choice") is not None:
        if not asked.tools:
            yield "choice-without-tools", "/tool_choice"
        elif asked.tool_choice == "named" and asked.named not in asked.tools:
            yield "choice-unknown", "/tool_choice"
        else:
            yield "tool-choice", "/tool_choice"
    if asked.parallel is False:
        yield "parallel-disabled", "/parallel_tool_calls"
    if (asked.n or 1) > 1:
        yield "n", "/n"
    for key in body:
        if key not in FIELDS:
            yield "unknown-field", f"/{key}"

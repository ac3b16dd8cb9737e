"""Honest answers, made up: any tools and `tool_choice`, arguments from the schema, parallel calls, round trips."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from conformance.faults.results import by_id, last_round, sentence

MODEL: Final = "made-up-1"
_WORDS: Final = ("Paris", "Tokyo", "Oslo", "Quito")
_PIECE: Final = 7


@dataclass(slots=True)
class Planned:
    """One call the answer holds."""

    id: str
    name: str
    arguments: str


@dataclass(slots=True)
class Answer:
    """What an honest server says to a request.

    Attributes:
        request: the request body.
        calls: the calls, none for a text answer.
        content: text, None beside calls unless asked for.
        finish: `tool_calls`, `stop` or `length`.
        id, created, model: of the envelope.
        usage: token counts, made up.
    """

    request: Mapping[str, Any]
    calls: list[Planned]
    content: str | None
    finish: str
    id: str
    created: int = 1_760_000_000
    model: str = MODEL
    usage: dict[str, int] = field(
        default_factory=lambda: {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    )


def answer(request: Mapping[str, Any]) -> Answer:
    """Decide what to say; the same request gets the same answer."""
    messages = [m for m in _list(request.get("messages")) if isinstance(m, Mapping)]
    seed = hashlib.sha256(json.dumps(request, sort_keys=True, default=str).encode()).hexdigest()
    said = Answer(request, [], None, "stop", f"chatcmpl-{seed[:12]}", model=str(request.get("model") or MODEL))
    tools = [
        t["function"]
        for t in _list(request.get("tools"))
        if isinstance(t, dict) and isinstance(t.get("function"), dict)
    ]
    choice = request.get("tool_choice")
    results = [m for m in messages if m.get("role") == "tool"]
    if results and messages[-1].get("role") == "tool":
        said.content = sentence(by_id(last_round(request)))
    elif not tools or choice == "none":
        said.content = "It is mild and dry today."
    else:
        prompt = " ".join(str(m.get("content")) for m in messages if m.get("role") == "user").lower()
        chosen = _chosen(tools, choice, prompt, request.get("parallel_tool_calls"))
        for number, tool in enumerate(chosen):
            schema = tool.get("parameters")
            text = json.dumps(_value(schema, number, schema), separators=(",", ":"), ensure_ascii=False)
            said.calls.append(Planned(f"call_{seed[number * 8 : number * 8 + 24]}", str(tool.get("name")), text))
        if not chosen:  # the function that `tool_choice` names is not offered
            said.content = "There is no such function."
            return said
        said.finish = "tool_calls"
        if "sentence" in prompt:
            said.content = "Let me look."
    limit = request.get("max_tokens") or request.get("max_completion_tokens")
    if isinstance(limit, int) and limit < 20 and said.calls:
        said.calls = said.calls[:1]
        said.calls[0].arguments = said.calls[0].arguments[: max(1, limit // 2)]
        said.finish = "length"
    return said


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _chosen(tools: Sequence[dict[str, Any]], choice: Any, prompt: str, parallel: Any) -> list[dict[str, Any]]:
    if isinstance(choice, Mapping):
        wanted = (choice.get("function") or {}).get("name")
        return [t for t in tools if t.get("name") == wanted][:1]
    if parallel is False:
        return [tools[0]]
    named = [t for t in tools if str(t.get("name")).lower() in prompt]
    if len(named) > 1:
        return named
    several = any(word in prompt for word in (" and ", "both", "each"))
    return [*(named or tools)[:1]] * (2 if several else 1)


def _value(schema: Any, number: int, root: Any) -> Any:
    """A value that satisfies a simple schema; `$ref` names a definition of the root."""
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        definitions = root.get("$defs") or {}
        return _value(definitions.get(str(schema["$ref"]).rpartition("/")[2]), number, root)
    if schema.get("enum"):
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0] if kind else None
    if kind == "object" or (kind is None and "properties" in schema):
        return {key: _value(inner, number, root) for key, inner in (schema.get("properties") or {}).items()}
    if kind == "array":
        return [_value(schema.get("items"), number, root)] * max(1, int(schema.get("minItems") or 1))
    if kind == "integer":
        return max(3, int(schema.get("minimum") or 0))
    if kind == "number":
        return 1.5
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    text = _WORDS[number % len(_WORDS)]
    return (
        text if len(text) >= int(schema.get("minLength") or 0) else text * (int(schema["minLength"]) // len(text) + 1)
    )


def chunks(said: Answer) -> list[dict[str, Any]]:
    """The answer as chunks of a stream, without `[DONE]`."""
    found: list[dict[str, Any]] = []
    for choice in range(_n(said)):
        first: dict[str, Any] = {"role": "assistant", "content": None if said.calls and not said.content else ""}
        found.append(_chunk(said, choice, first))
        for word in (said.content or "").split(" ") if said.content else ():
            found += [_chunk(said, choice, {"content": word + " "})]
        for index, call in enumerate(said.calls):
            opening = {
                "index": index,
                "id": call.id if choice == 0 else f"{call.id}{choice}",
                "type": "function",
                "function": {"name": call.name, "arguments": ""},
            }
            found.append(_chunk(said, choice, {"tool_calls": [opening]}))
            for start in range(0, len(call.arguments), _PIECE):
                piece = call.arguments[start : start + _PIECE]
                found.append(_chunk(said, choice, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
        found.append(_chunk(said, choice, {}, said.finish))
    options = said.request.get("stream_options")
    if isinstance(options, Mapping) and options.get("include_usage"):
        found.append({**_chunk(said, 0, {}), "choices": [], "usage": said.usage})
    return found


def _n(said: Answer) -> int:
    n = said.request.get("n")
    return n if isinstance(n, int) and 0 < n < 9 else 1


def _chunk(said: Answer, choice: int, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": said.id,
        "object": "chat.completion.chunk",
        "created": said.created,
        "model": said.model,
        "choices": [{"index": choice, "delta": delta, "finish_reason": finish}],
    }


def body(said: Answer) -> dict[str, Any]:
    """The answer as one document."""
    choices = []
    for choice in range(_n(said)):
        message: dict[str, Any] = {"role": "assistant", "content": said.content}
        if said.calls:
            message["tool_calls"] = [
                {
                    "id": c.id if choice == 0 else f"{c.id}{choice}",
                    "type": "function",
                    "function": {"name": c.name, "arguments": c.arguments},
                }
                for c in said.calls
            ]
        choices.append({"index": choice, "message": message, "finish_reason": said.finish})
    return {
        "id": said.id,
        "object": "chat.completion",
        "created": said.created,
        "model": said.model,
        "choices": choices,
        "usage": said.usage,
    }

"""Faults around the calls: finish reasons, envelope, content, options of the request that are not kept."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import (
    entries,
    finish,
    finish_chunk,
    on_choice,
    on_choices,
    on_chunks,
    on_message,
    setting,
    without,
)

# --- finish -----------------------------------------------------------------------------------------------------------
plant(
    "finish-stop",
    "calls end with `stop`",
    "finish-stop-with-calls",
    stream=finish("stop"),
    complete=on_choice(setting(finish_reason="stop")),
)
plant("finish-stop-stream", "calls end with `stop` in a stream only", "finish-stop-with-calls", stream=finish("stop"))
plant(
    "finish-function-call",
    "calls end with `function_call`",
    "finish-legacy",
    stream=finish("function_call"),
    complete=on_choice(setting(finish_reason="function_call")),
)
plant(
    "finish-null",
    "no finish reason comes",
    "finish-missing",
    stream=finish(None),
    complete=on_choice(setting(finish_reason=None)),
)
plant(
    "finish-unknown",
    "the finish reason is `tool_use`",
    "finish-unknown",
    stream=finish("tool_use"),
    complete=on_choice(setting(finish_reason="tool_use")),
)
plant(
    "finish-error",
    "the finish reason is `error`",
    "finish-unknown",
    left="unusable",
    stream=finish("error"),
    complete=on_choice(setting(finish_reason="error")),
)
plant(
    "finish-empty",
    "the finish reason is empty on every other chunk",
    "finish-empty",
    stream=on_choices(lambda c: setting(finish_reason=c["finish_reason"] or "")(c)),
)
plant(
    "finish-tool-calls-without-calls",
    "a text ends with `tool_calls`",
    "finish-tool-calls-without-calls",
    ask="text",
    stream=finish("tool_calls"),
    complete=on_choice(setting(finish_reason="tool_calls")),
)


def _finish_first(chunks: Chunks) -> Chunks:
    last = finish_chunk(chunks)
    rest = [c for c in chunks if c is not last]
    at = next(i for i, c in enumerate(rest) if list(entries([c])))
    return [*rest[: at + 1], last, *rest[at + 1 :]]


def _finish_twice(chunks: Chunks) -> Chunks:
    return [*chunks, copy.deepcopy(finish_chunk(chunks))]


def _empty_after(chunks: Chunks) -> Chunks:
    more = copy.deepcopy(chunks[-1])
    more["choices"] = [{"index": 0, "delta": {"content": ""}, "finish_reason": None}]
    return [*chunks, more]


plant(
    "finish-before-calls", "the finish reason comes before the arguments", "finish-before-deltas", stream=_finish_first
)
plant("finish-twice", "the finish reason comes twice", "finish-repeated", stream=_finish_twice)
plant("choice-after-finish", "an empty choice follows the finish reason", "choice-after-finish", stream=_empty_after)


def _delta_after(chunks: Chunks) -> Chunks:
    more = copy.deepcopy(chunks[0])
    more["choices"][0]["delta"] = {"content": "One more thing."}
    return [*chunks, more]


plant("delta-after-finish", "content follows the finish reason", "finish-before-deltas", stream=_delta_after)

# --- envelope ---------------------------------------------------------------------------------------------------------
plant(
    "role-missing",
    "no delta or message has a role",
    "role-missing",
    stream=on_choices(lambda c: without("role")(c["delta"])),
    complete=on_message(without("role")),
)
plant(
    "role-other",
    "the role is `model`",
    "role-other",
    stream=on_choices(lambda c: c["delta"].update(role="model") if "role" in c["delta"] else None),
    complete=on_message(setting(role="model")),
)


def _ids_change(chunks: Chunks) -> Chunks:
    for number, chunk in enumerate(chunks):
        chunk["id"] = f"chatcmpl-{number}"
    return chunks


def _without_field(field: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda body: {key: value for key, value in body.items() if key != field}


plant("chunk-id-changing", "every chunk has another id", "chunk-id-changing", stream=_ids_change)
for _field, _shows in (
    ("id", "chunk-id-missing"),
    ("created", "created-missing"),
    ("model", "model-missing"),
    ("object", "object-missing"),
):
    plant(
        f"envelope-{_field}-missing",
        f"there is no `{_field}`",
        _shows,
        stream=on_chunks(without(_field)),
        complete=_without_field(_field),
    )
plant(
    "envelope-object-other",
    "chunks call themselves completions",
    "object-missing",
    stream=on_chunks(setting(object="chat.completion")),
)
plant(
    "choice-index-missing",
    "choices have no index",
    "choice-index-missing",
    stream=on_choices(without("index")),
    complete=on_choice(without("index")),
)
plant(
    "choice-index-one",
    "the only choice has index 1",
    "choice-index-beyond",
    stream=on_choices(setting(index=1)),
    complete=on_choice(setting(index=1)),
)


def _first_chunk_bare(chunks: Chunks) -> Chunks:
    return [{k: v for k, v in chunks[0].items() if k != "choices"}, *chunks]


plant("choices-missing", "a first chunk has no choices", "choices-missing", stream=_first_chunk_bare)
plant(
    "delta-null",
    "the finish chunk's delta is null",
    "delta-missing",
    stream=on_choices(lambda c: setting(delta=None)(c) if c["finish_reason"] else None),
)
plant(
    "delta-absent",
    "the finish chunk has no delta",
    "delta-missing",
    stream=on_choices(lambda c: without("delta")(c) if c["finish_reason"] else None),
)


def _message_too(chunks: Chunks) -> Chunks:
    finish_chunk(chunks)["choices"][0]["message"] = {"role": "assistant", "content": None}
    return chunks


plant("message-beside-delta", "the finish chunk also carries a message", "message-beside-delta", stream=_message_too)


def _delta_for_message(choice: dict[str, Any]) -> None:
    choice["delta"] = choice.pop("message")


plant(
    "delta-for-message",
    "a complete answer carries `delta`",
    "delta-in-complete-answer",
    complete=on_choice(_delta_for_message),
)
plant(
    "tool-calls-empty",
    "deltas without calls carry `tool_calls: []`",
    "tool-calls-empty-array",
    ask="text",
    stream=on_choices(lambda c: c["delta"].update(tool_calls=[])),
    complete=on_message(setting(tool_calls=[])),
)
plant(
    "tool-calls-object",
    "`tool_calls` is one object",
    "tool-calls-not-array",
    complete=on_message(lambda m: setting(tool_calls=m["tool_calls"][0])(m)),
)
plant(
    "tool-calls-with-null",
    "`tool_calls` holds null",
    "entry-not-object",
    complete=on_message(lambda m: setting(tool_calls=[*m["tool_calls"], None])(m)),
)
plant(
    "usage-missing",
    "usage was asked for and does not come",
    "usage-missing",
    ask="usage",
    stream=lambda chunks: [c for c in chunks if not c.get("usage")],
)
plant("content-missing", "there is no content key", "content-missing", complete=on_message(without("content")))
plant(
    "content-array",
    "content is an array of parts",
    "content-not-string",
    ask="text",
    complete=on_message(lambda m: setting(content=[{"type": "text", "text": m["content"]}])(m)),
)
plant(
    "empty-turn",
    "the answer is empty",
    "empty-turn",
    ask="text",
    stream=on_choices(lambda c: without("content")(c["delta"])),
    complete=on_message(setting(content="")),
)


def _legacy_stream(chunks: Chunks) -> Chunks:
    for chunk in chunks:
        for choice in chunk["choices"]:
            entry = choice["delta"].pop("tool_calls", [None])[0]
            if entry is not None:
                choice["delta"]["function_call"] = entry["function"]
    return finish("function_call")(chunks)


def _legacy(choice: dict[str, Any]) -> None:
    choice["message"]["function_call"] = choice["message"].pop("tool_calls")[0]["function"]
    choice["finish_reason"] = "function_call"


plant(
    "legacy-function-call",
    "the call comes as `function_call`",
    "legacy-function-call",
    stream=_legacy_stream,
    complete=on_choice(_legacy),
    left="none",
)


def _leaked(chunks: Chunks) -> Chunks:
    text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    kept = [c for c in chunks if not list(entries([c]))]
    more = copy.deepcopy(kept[0])
    more["choices"][0]["delta"] = {"content": text}
    return finish("stop")([kept[0], more, *kept[1:]])


def _leaked_message(field: str) -> Any:
    def edit(choice: dict[str, Any]) -> None:
        choice["message"].pop("tool_calls")
        choice["message"][field] = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
        choice["finish_reason"] = "stop"

    return on_choice(edit)


plant(
    "markup-in-content",
    "the call is text in the content",
    "call-in-content",
    stream=_leaked,
    complete=_leaked_message("content"),
    left="none",
)
plant(
    "markup-in-reasoning",
    "the call is text in the reasoning",
    "call-in-reasoning",
    complete=_leaked_message("reasoning_content"),
    left="none",
)
plant(
    "markup-beside-calls",
    "a closing tag stands in the content",
    "markup-beside-calls",
    complete=on_message(setting(content="Done.</tool_call>")),
)


# --- options of the request -------------------------------------------------------------------------------------------
def _text_instead(choice: dict[str, Any]) -> None:
    choice["message"].pop("tool_calls")
    choice["message"]["content"] = "Mild."
    choice["finish_reason"] = "stop"


plant(
    "required-ignored",
    "`tool_choice: required` brings no call",
    "tool-choice-required-ignored",
    ask="required",
    stream=lambda chunks: finish("stop")([c for c in chunks if not list(entries([c]))]),
    left="none",
    complete=on_choice(_text_instead),
)


def _call_for_text(choice: dict[str, Any]) -> None:
    function = {"name": "get_weather", "arguments": '{"city":"Paris"}'}
    choice["message"]["tool_calls"] = [{"id": "call_made_up", "type": "function", "function": function}]
    choice["finish_reason"] = "tool_calls"


plant(
    "none-ignored",
    "`tool_choice: none` brings a call",
    "tool-choice-none-ignored",
    ask="none",
    complete=on_choice(_call_for_text),
    left="unusable",
)


def _renamed(chunks: Chunks) -> Chunks:
    for _, entry, opens in entries(chunks):
        if opens:
            entry["function"]["name"] = "get_time"
    return chunks


plant(
    "named-ignored",
    "another function than the named one is called",
    "tool-choice-named-ignored",
    ask="named",
    stream=_renamed,
    left="none",
)


def _second_call(choice: dict[str, Any]) -> None:
    more = copy.deepcopy(choice["message"]["tool_calls"][0])
    more["id"] = "call_second_made_up"
    more["function"]["arguments"] = more["function"]["arguments"].replace("Paris", "Oslo")
    choice["message"]["tool_calls"].append(more)


plant(
    "serial-ignored",
    "`parallel_tool_calls: false` brings two calls",
    "parallel-disabled-ignored",
    ask="serial",
    complete=on_choice(_second_call),
    left="none",
)
plant(
    "n-ignored",
    "`n: 2` brings one choice",
    "n-ignored",
    ask="n2",
    complete=lambda body: {**body, "choices": body["choices"][:1]},
    left="none",
)


# --- and the rest -----------------------------------------------------------------------------------------------------
plant(
    "no-choices",
    "the answer has no choice",
    "answer-without-choices",
    stream=on_chunks(setting(choices=[])),
    complete=lambda body: {**body, "choices": []},
    left="none",
)


def _call_in_second_choice(body: dict[str, Any]) -> dict[str, Any]:
    text = copy.deepcopy(body["choices"][0])
    text["message"] = {"role": "assistant", "content": "Let me look."}
    return {**body, "choices": [text, body["choices"][0]]}


plant(
    "choice-twice", "text and call come in two choices of index 0", "choice-duplicate", complete=_call_in_second_choice
)
plant(
    "message-absent",
    "the choice has no message",
    "message-missing",
    complete=on_choice(without("message")),
    left="none",
)
plant(
    "finish-false",
    "the finish reason is `false` until the end",
    "finish-not-string",
    stream=on_choices(lambda c: setting(finish_reason=c["finish_reason"] or False)(c)),
)

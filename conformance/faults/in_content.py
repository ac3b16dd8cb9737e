"""Faults of the message: its content, calls that come as something else than `tool_calls`, markup."""

from __future__ import annotations

import copy
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import entries, finish, on_choice, on_choices, on_message, setting, without

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

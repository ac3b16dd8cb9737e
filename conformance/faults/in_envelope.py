"""Faults of what surrounds message and calls: chunks, choices, roles, the list of calls, usage."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import finish_chunk, on_choice, on_choices, on_chunks, on_message, setting, without

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

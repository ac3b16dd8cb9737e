"""Faults that show only where a stream is held against the answer to the same request with `stream: false`."""

from __future__ import annotations

import copy
import json
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import (
    entries,
    finish,
    in_function,
    on_calls,
    on_choice,
    on_message,
    opening,
    retold,
    setting,
    text_of,
    without,
)

_UUID = "5b2f2a3c-0d1e-4f5a-8b6c-7d8e9f0a1b2c"


def _without_calls(chunks: Chunks) -> Chunks:
    return [c for c in chunks if not list(entries([c]))]


def _as_text(chunks: Chunks) -> Chunks:
    name = next(entry["function"]["name"] for _, entry, opens in entries(chunks) if opens)
    call = {"name": name, "arguments": json.loads(text_of(chunks))}
    first, *rest = _without_calls(chunks)
    more = copy.deepcopy(first)
    more["choices"][0]["delta"] = {"content": f"<tool_call>\n{json.dumps(call)}\n</tool_call>"}
    return finish("stop")([first, more, *rest])


def _text_instead(chunks: Chunks) -> Chunks:
    first, *rest = _without_calls(chunks)
    more = copy.deepcopy(first)
    more["choices"][0]["delta"] = {"content": "It is mild in Paris."}
    return finish("stop")([first, more, *rest])


def _calls_dropped(choice: dict[str, Any]) -> None:
    choice["message"].pop("tool_calls")
    choice["message"]["content"] = "Let me look."


def _text_for_calls(choice: dict[str, Any]) -> None:
    _calls_dropped(choice)
    choice["finish_reason"] = "stop"


def _second_call(body: dict[str, Any]) -> dict[str, Any]:
    made = body["choices"][0]["message"]["tool_calls"]
    made.append({**copy.deepcopy(made[0]), "id": made[0]["id"][:-1] + "x"})
    made[1]["function"]["arguments"] = '{"city":"Oslo"}'
    return body


# --- the stream deviates ----------------------------------------------------------------------------------------------
plant(
    "stream-call-as-text",
    "a stream says as text what is a call otherwise",
    "parity-call-lost",
    stream=_as_text,
    left="none",
)
plant(
    "stream-call-dropped",
    "a stream ends with `tool_calls` and drops the call",
    "parity-call-lost",
    stream=_without_calls,
    left="none",
)
plant(
    "stream-name-prefixed",
    "a stream leaves a prefix on the name",
    "parity-name",
    stream=opening(in_function(lambda f: setting(name=f"functions.{f['name']}")(f))),
    left="none",
)
plant("stream-id-empty", "a stream leaves ids empty", "parity-id-form", stream=opening(setting(id="")))
plant("stream-type-absent", "a stream leaves the type out", "parity-type", stream=opening(without("type")))
plant(
    "stream-arguments-object",
    "arguments are an object in a stream only",
    "parity-arguments-form",
    stream=retold(lambda text: [json.loads(text)]),
)
plant(
    "stream-arguments-encoded-twice",
    "arguments are encoded twice in a stream only",
    "parity-arguments-form",
    stream=retold(lambda text: ["", json.dumps(text)]),
)
plant(
    "stream-arguments-copied",
    "a stream repeats the arguments as a whole after their pieces",
    "parity-arguments-form",
    stream=retold(lambda text: ["", text[:5], text[5:], text]),
)
plant(
    "stream-ends-otherwise",
    "calls end with `function_call` in a stream only",
    "parity-finish-reason",
    stream=finish("function_call"),
)
plant(
    "stream-without-usage",
    "usage comes in the complete answer only, though a stream asks for it",
    "parity-usage",
    ask="usage",
    stream=lambda chunks: [c for c in chunks if not c.get("usage")],
)

# --- the complete answer deviates -------------------------------------------------------------------------------------
plant(
    "complete-call-dropped",
    "a complete answer ends with `tool_calls` and drops the call",
    "parity-call-lost",
    stream=list,
    beside=on_choice(_calls_dropped),
)
plant(
    "complete-name-doubled",
    "a complete answer says the name twice",
    "parity-name",
    stream=list,
    beside=on_calls(in_function(lambda f: setting(name=f["name"] * 2)(f))),
)
plant(
    "complete-id-absent",
    "a complete answer leaves ids out",
    "parity-id-form",
    stream=list,
    beside=on_calls(without("id")),
)
plant(
    "complete-type-null",
    "the type is null in a complete answer",
    "parity-type",
    stream=list,
    beside=on_calls(setting(type=None)),
)
plant(
    "complete-arguments-object",
    "arguments are an object in a complete answer only",
    "parity-arguments-form",
    stream=list,
    beside=on_calls(in_function(lambda f: setting(arguments=json.loads(f["arguments"]))(f))),
)
plant(
    "complete-ends-with-stop",
    "calls end with `stop` in a complete answer only",
    "parity-finish-reason",
    stream=list,
    beside=on_choice(setting(finish_reason="stop")),
)
plant(
    "complete-without-usage",
    "usage comes in a stream only",
    "parity-usage",
    ask="usage",
    stream=list,
    beside=lambda body: {key: value for key, value in body.items() if key != "usage"},
)

# --- what a model does when it is asked twice, and what a server may do -----------------------------------------------
plant(
    "twin-other-value",
    "a stream calls for another city",
    legal=True,
    stream=retold(lambda _: ["", '{"city":"Oslo"}']),
    left="none",
)
plant("twin-more-calls", "the complete answer calls once more", legal=True, stream=list, beside=_second_call)
plant("twin-text", "the complete answer is a text", legal=True, stream=list, beside=on_choice(_text_for_calls))
plant("twin-call", "the stream is a text", legal=True, stream=_text_instead, left="none")
plant(
    "twin-with-text",
    "text stands beside the call in the complete answer",
    legal=True,
    stream=list,
    beside=on_message(setting(content="Let me look.")),
)
plant(
    "twin-limited",
    "the limit strikes the complete answer only",
    legal=True,
    stream=list,
    beside=lambda body: on_choice(setting(finish_reason="length"))(
        on_calls(in_function(lambda f: setting(arguments=f["arguments"][:5])(f)))(body)
    ),
)
plant(
    "twin-broken-arguments",
    "the model breaks its JSON in the complete answer",
    legal=True,
    stream=list,
    beside=on_calls(in_function(setting(arguments='{"city": Paris}'))),
)
plant("twin-other-id-form", "ids are UUIDs in a stream", legal=True, stream=opening(setting(id=_UUID)))
plant(
    "twin-content-empty",
    "content is empty beside calls in one mode",
    legal=True,
    stream=list,
    beside=on_message(setting(content="")),
)
plant(
    "twin-signature",
    "the complete answer carries a signature",
    legal=True,
    stream=list,
    beside=on_calls(setting(extra_content={"google": {"s": "c2ln"}})),
)
plant(
    "twin-reasoning",
    "reasoning comes in the complete answer only",
    legal=True,
    stream=list,
    beside=on_message(setting(reasoning="Hm.")),
)
plant(
    "twin-named-stop",
    "a named function's call ends with `stop` in a stream only",
    legal=True,
    ask="named",
    stream=finish("stop"),
)

plant(
    "twin-error",
    "the complete answer is an error",
    legal=True,
    stream=list,
    beside=lambda _: {"error": {"message": "no capacity is left", "type": "server_error", "code": None}},
)

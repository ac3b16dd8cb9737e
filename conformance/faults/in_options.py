"""Options of the request that are not kept."""

from __future__ import annotations

import copy
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import entries, finish, on_choice


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

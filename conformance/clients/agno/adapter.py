# /// script
# requires-python = ">=3.11"
# dependencies = ["agno==3.1.10", "openai==3.57.0"]
# ///
"""agno: the loop of an agent over `OpenAILike`, with tools that its user runs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agno.models.message import Message
from agno.models.openai import OpenAILike
from agno.models.response import ModelResponseEvent
from agno.tools import Function

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def _tools(request: Mapping[str, Any]) -> list[Function]:
    return [
        Function(
            name=tool["function"]["name"],
            parameters=tool["function"].get("parameters", {}),
            skip_entrypoint_processing=True,
            external_execution=True,
        )
        for tool in request.get("tools", ())
    ]


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    model = OpenAILike(
        id=case["request"]["model"],
        base_url=case["base_url"],
        api_key=case["api_key"],
        timeout=case["timeout"],
        max_retries=0,
    )
    messages = [Message(role="user", content="hi")]
    requests = 0
    for event in model.response_stream(
        messages, tools=_tools(case["request"]), stream_model_response=case["mode"] == "stream"
    ):
        if event.event == ModelResponseEvent.model_request_started.value:
            requests += 1
            if requests > 1:  # it tells the model what was wrong, and would be given the same answer again
                break
        elif event.event == ModelResponseEvent.tool_call_paused.value:
            for call in event.tool_executions:
                outcome.call(call.tool_call_id, call.tool_name, call.tool_args)
    for message in messages:
        if message.role == "assistant":
            outcome.content = message.content
            sent = {call["id"]: call["function"]["arguments"] for call in message.tool_calls or ()}
        elif message.role == "tool":
            outcome.refused(message.tool_call_id, message.tool_name, sent.get(message.tool_call_id), message.content)


serve("agno", "agno", drive, packages=["openai"])

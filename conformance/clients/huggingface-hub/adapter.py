# /// script
# requires-python = ">=3.11"
# dependencies = ["huggingface_hub==2.4.0"]
# ///
"""huggingface_hub: a turn of `MCPClient` and what its sessions are told to run; `AsyncInferenceClient` if complete."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

from huggingface_hub import AsyncInferenceClient, ChatCompletionInputMessage, MCPClient

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


class Session:
    """An MCP session that keeps what it is told to run."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any]] = []

    async def call_tool(self, name: str, arguments: Any) -> SimpleNamespace:
        self.ran.append((name, arguments))
        return SimpleNamespace(content=[])


async def _stream(case: Mapping[str, Any], outcome: Outcome) -> None:
    session = Session()
    messages = [{"role": "user", "content": "hi"}]
    async with MCPClient(base_url=case["base_url"], api_key=case["api_key"]) as client:
        client.payload_model = case["request"]["model"]
        client.available_tools = list(case["request"].get("tools", ()))
        client.sessions = {tool["function"]["name"]: session for tool in client.available_tools}
        results = 0
        async for item in client.process_single_turn_with_tools(messages):
            if not isinstance(item, ChatCompletionInputMessage):
                continue
            call = messages[1]["tool_calls"][results]  # each has one result, in order
            results += 1
            if session.ran:
                outcome.call(call["id"], *session.ran.pop())
            else:
                outcome.refused(call["id"], call["function"]["name"], call["function"]["arguments"], item.content)
    outcome.content = messages[1]["content"] if messages[1:] else None


async def _complete(case: Mapping[str, Any], outcome: Outcome) -> None:
    async with AsyncInferenceClient(
        base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"]
    ) as client:
        request = {key: case["request"][key] for key in ("model", "messages", "tools") if key in case["request"]}
        answer = await client.chat.completions.create(**request)
    choice = answer.choices[0]
    outcome.content, outcome.finish_reason = choice.message.content, choice.finish_reason
    for call in choice.message.tool_calls or ():
        outcome.openai_call(call)


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run((_stream if case["mode"] == "stream" else _complete)(case, outcome))


serve("huggingface-hub", "huggingface_hub", drive)

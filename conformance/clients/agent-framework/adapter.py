# /// script
# requires-python = ">=3.11"
# dependencies = ["agent-framework-openai==1.17.0", "agent-framework-core==1.23.0", "openai==3.57.0"]
# ///
"""agent-framework: `OpenAIChatCompletionClient.get_response()`, streamed and not, with tools that its user runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent_framework import FunctionTool, Message
from agent_framework.openai import OpenAIChatCompletionClient
from openai import AsyncOpenAI

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    functions = [tool["function"] for tool in case["request"].get("tools", ())]
    options = {"tools": [FunctionTool(name=f["name"], input_model=f.get("parameters", {})) for f in functions]}
    messages = [Message("user", ["hi"])]
    async with AsyncOpenAI(
        base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0
    ) as openai:
        client = OpenAIChatCompletionClient(case["request"]["model"], async_client=openai)
        if case["mode"] == "stream":
            stream = client.get_response(messages, stream=True, options=options)
            async for _ in stream:
                pass
            response = await stream.get_final_response()
        else:
            response = await client.get_response(messages, options=options)
    outcome.content, outcome.finish_reason = response.text, response.finish_reason
    for message in response.messages:
        for content in message.contents:
            if content.type == "function_call":
                outcome.call(content.call_id, content.name, content.arguments)


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("agent-framework", "agent-framework-openai", drive, packages=["agent-framework-core", "openai"])

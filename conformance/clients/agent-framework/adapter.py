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

from agent_framework import Content, FunctionTool, Message
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
        client.function_invocation_configuration["max_iterations"] = 1
        if case["mode"] == "stream":
            stream = client.get_response(messages, stream=True, options=options)
            async for _ in stream:
                pass
            response = await stream.get_final_response()
        else:
            response = await client.get_response(messages, options=options)
    outcome.content, outcome.finish_reason = response.text, response.finish_reason
    _sort_out([content for message in response.messages for content in message.contents], outcome)


def _sort_out(contents: list[Content], outcome: Outcome) -> None:
    """Results stand behind calls that it answered itself, with an error, before it asked once more."""
    results = [content for content in contents if content.type == "function_result"]
    turn = contents[: contents.index(results[0])] if results else contents
    for call in turn:
        if call.type != "function_call":
            continue
        error = next((result for result in results if result.call_id == call.call_id), None)
        if error is None:
            outcome.call(call.call_id, call.name, call.arguments)
        else:
            outcome.refused(call.call_id, call.name, call.arguments, error.exception or str(error.result))


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("agent-framework", "agent-framework-openai", drive, packages=["agent-framework-core", "openai"])

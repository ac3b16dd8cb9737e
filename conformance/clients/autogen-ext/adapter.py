# /// script
# requires-python = ">=3.11"
# dependencies = ["autogen-ext[openai]==0.7.5", "autogen-core==0.7.5", "openai==3.57.0"]
# ///
"""autogen-ext: the result of `OpenAIChatCompletionClient.create_stream()`, and of `create()`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autogen_core.models import UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    client = OpenAIChatCompletionClient(
        model=case["request"]["model"],
        base_url=case["base_url"],
        api_key=case["api_key"],
        timeout=case["timeout"],
        max_retries=0,
        model_info={
            "vision": False,
            "function_calling": True,
            "json_output": False,
            "structured_output": False,
            "family": "unknown",
        },
    )
    messages = [UserMessage(content="hi", source="user")]
    tools = [{"description": "", **tool["function"]} for tool in case["request"].get("tools", ())]
    try:
        if case["mode"] == "stream":
            result = [item async for item in client.create_stream(messages, tools=tools)][-1]
        else:
            result = await client.create(messages, tools=tools)
    finally:
        await client.close()
    outcome.finish_reason = result.finish_reason
    if isinstance(result.content, str):
        outcome.content = result.content
        return
    for call in result.content:
        outcome.call(call.id, call.name, call.arguments)


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("autogen-ext", "autogen-ext", drive, packages=["autogen-core", "openai"])

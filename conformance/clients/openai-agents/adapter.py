# /// script
# requires-python = ">=3.11"
# dependencies = ["openai-agents==0.24.0", "openai==3.57.0"]
# ///
"""openai-agents: `Runner.run_streamed()` and `Runner.run()` with tools that note what they are given."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, Runner
from agents.tool_context import ToolContext
from openai import AsyncOpenAI

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def _tool(function: Mapping[str, Any], outcome: Outcome) -> FunctionTool:
    async def run(context: ToolContext[Any], arguments: str) -> str:
        outcome.call(context.tool_call_id, context.tool_name, arguments)
        return "done"

    schema = dict(function.get("parameters", {}))
    return FunctionTool(function["name"], function.get("description", ""), schema, run, strict_json_schema=False)


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    async with AsyncOpenAI(
        base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0
    ) as client:
        agent = Agent(
            name="made-up",
            model=OpenAIChatCompletionsModel(case["request"]["model"], client),
            tools=[_tool(tool["function"], outcome) for tool in case["request"].get("tools", ())],
            tool_use_behavior="stop_on_first_tool",  # ends the run after the turn's calls, all of them
        )
        if case["mode"] == "stream":
            result = Runner.run_streamed(agent, "hi", max_turns=1)
            async for _ in result.stream_events():
                pass
        else:
            result = await Runner.run(agent, "hi", max_turns=1)
    outcome.content = None if outcome.calls else result.final_output


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("openai-agents", "openai-agents", drive, packages=["openai"])

# /// script
# requires-python = ">=3.11"
# dependencies = ["openai-agents==0.24.0", "openai==3.57.0"]
# ///
"""openai-agents: `Runner.run_streamed()` and `run()`, with `@function_tool` tools that note what they are given."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, Runner, function_tool
from agents.items import RunItem, ToolCallItem, ToolCallOutputItem
from agents.tool_context import ToolContext
from openai import AsyncOpenAI

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve
from written_tools import DONE, written


def _tool(function: Mapping[str, Any], outcome: Outcome) -> FunctionTool:
    def run(context: ToolContext[Any], arguments: dict[str, Any]) -> None:
        outcome.call(context.tool_call_id, context.tool_name, arguments)

    return function_tool(written(function, run, ("context", ToolContext[Any])))


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
            result = Runner.run_streamed(agent, "hi")
            async for _ in result.stream_events():
                pass
        else:
            result = await Runner.run(agent, "hi")
    _sort_out(result.new_items, outcome)
    outcome.content = None if outcome.calls or outcome.invalid else result.final_output


def _sort_out(items: list[RunItem], outcome: Outcome) -> None:
    """A call that did not reach its tool has an output that says so, at the place of the call."""
    calls = [item.raw_item for item in items if isinstance(item, ToolCallItem)]
    outputs = [item.output for item in items if isinstance(item, ToolCallOutputItem)]
    for call, output in zip(calls, outputs, strict=False):
        if output != DONE:
            outcome.refused(*(getattr(call, field, None) for field in ("call_id", "name", "arguments")), str(output))


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("openai-agents", "openai-agents", drive, packages=["openai"])

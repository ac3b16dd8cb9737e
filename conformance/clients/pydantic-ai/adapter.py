# /// script
# requires-python = ">=3.11"
# dependencies = ["pydantic-ai-slim[openai]==2.68.0", "openai==3.57.0"]
# ///
"""pydantic-ai: `Agent.run_stream()` and `Agent.run()`, with tools that note what they are given."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI
from pydantic_ai import Agent, ModelMessage, ModelResponse, RetryFeedbackPart, RunContext, Tool, ToolReturnPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve
from written_tools import written


def _tool(function: Mapping[str, Any], outcome: Outcome) -> Tool[None]:
    def run(context: RunContext[None], arguments: dict[str, Any]) -> None:
        outcome.call(context.tool_call_id, context.tool_name, arguments)

    return Tool(written(function, run, ("context", RunContext[None])))


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    async with AsyncOpenAI(
        base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0
    ) as client:
        agent = Agent(
            OpenAIChatModel(case["request"]["model"], provider=OpenAIProvider(openai_client=client)),
            tools=[_tool(tool["function"], outcome) for tool in case["request"].get("tools", ())],
        )
        if case["mode"] == "stream":
            async with agent.run_stream("hi") as result:
                await result.get_output()
        else:
            result = await agent.run("hi")
    _sort_out(result.all_messages(), outcome)


def _sort_out(messages: list[ModelMessage], outcome: Outcome) -> None:
    """What the first answer came to: behind it stands what the model is told of it, and whether to try again."""
    answer = next(message for message in messages if isinstance(message, ModelResponse))
    outcome.content, outcome.finish_reason = answer.text, answer.finish_reason
    calls = {call.tool_call_id: call.args for call in answer.tool_calls}
    for part in (part for message in messages[messages.index(answer) + 1 :][:1] for part in message.parts):
        if isinstance(part, ToolReturnPart) and part.outcome not in ("success", "interrupted"):
            outcome.refused(part.tool_call_id, part.tool_name, calls.get(part.tool_call_id), str(part.content))
        elif isinstance(part, RetryFeedbackPart):  # there was neither text nor a call
            outcome.refused(None, None, None, str(part.content))


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("pydantic-ai", "pydantic-ai-slim", drive, packages=["openai"])

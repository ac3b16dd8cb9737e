# /// script
# requires-python = ">=3.11"
# dependencies = ["agent-framework-openai==1.17.0", "agent-framework-core==1.23.0", "openai==3.57.0"]
# ///
"""agent-framework: `Agent.run()` over `OpenAIChatCompletionClient`, with tools that note what they are given."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from agent_framework import Agent, Content, FunctionInvocationContext, function_middleware
from agent_framework.openai import OpenAIChatCompletionClient
from openai import AsyncOpenAI

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve
from written_tools import DONE, written

_calling: ContextVar[FunctionInvocationContext] = ContextVar("_calling")


@function_middleware
async def _note(context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]) -> None:
    """A tool is not told the id of its call; a middleware is."""
    _calling.set(context)
    await call_next()


def _tool(function: Mapping[str, Any], outcome: Outcome) -> Callable[..., Awaitable[str]]:
    def run(_: None, arguments: dict[str, Any]) -> None:
        outcome.call(_calling.get().metadata.get("call_id"), _calling.get().function.name, arguments)

    return written(function, run)


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    async with AsyncOpenAI(
        base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0
    ) as openai:
        agent = Agent(
            OpenAIChatCompletionClient(case["request"]["model"], async_client=openai),
            tools=[_tool(tool["function"], outcome) for tool in case["request"].get("tools", ())],
            middleware=[_note],
        )
        if case["mode"] == "stream":
            stream = agent.run("hi", stream=True)
            async for _ in stream:
                pass
            response = await stream.get_final_response()
        else:
            response = await agent.run("hi")
    contents = [content for message in response.messages for content in message.contents]
    if not any(content.type == "function_result" for content in contents):  # else these are of a further answer
        outcome.content, outcome.finish_reason = response.text, response.finish_reason
    _sort_out(contents, outcome)


def _sort_out(contents: list[Content], outcome: Outcome) -> None:
    """A call that did not reach its tool has a result that says why."""
    calls = {content.call_id: content for content in contents if content.type == "function_call"}
    for result in contents:
        if result.type == "function_result" and result.result != DONE:
            call = calls.get(result.call_id)
            name, arguments = (call.name, call.arguments) if call else (None, None)
            outcome.refused(result.call_id, name, arguments, result.exception or str(result.result))


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("agent-framework", "agent-framework-openai", drive, packages=["agent-framework-core", "openai"])

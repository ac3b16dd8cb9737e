# /// script
# requires-python = ">=3.11"
# dependencies = ["agno==3.1.10", "openai==3.57.0"]
# ///
"""agno: `Agent.arun()` over `OpenAILike`, streamed and not, with tools that note what they are given."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from agno.agent import Agent
from agno.models.message import Message
from agno.models.openai import OpenAILike
from agno.run.agent import RunErrorEvent
from agno.run.base import RunStatus
from agno.tools import Function, tool
from agno.tools.function import FunctionCall

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve
from written_tools import DONE, written


class RunError(Exception):
    """The run ended with an error, which agno reports and does not raise."""


_calling: ContextVar[FunctionCall] = ContextVar("_calling")


def _tool(function: Mapping[str, Any], outcome: Outcome) -> Function:
    def run(_: None, arguments: dict[str, Any]) -> None:
        outcome.call(_calling.get().call_id, _calling.get().function.name, arguments)

    def before(fc: FunctionCall) -> None:
        _calling.set(fc)

    return tool(pre_hook=before)(written(function, run))


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    agent = Agent(
        model=OpenAILike(
            id=case["request"]["model"],
            base_url=case["base_url"],
            api_key=case["api_key"],
            timeout=case["timeout"],
            max_retries=0,
        ),
        tools=[_tool(one["function"], outcome) for one in case["request"].get("tools", ())],
        telemetry=False,
    )
    if case["mode"] == "stream":
        result = [item async for item in agent.arun("hi", stream=True, yield_run_output=True)][-1]
    else:
        result = await agent.arun("hi")
    if isinstance(result, RunErrorEvent) or result.status is RunStatus.error:
        raise RunError(result.content)
    _sort_out([message for message in result.messages if message.role in ("assistant", "tool")], outcome)


def _sort_out(messages: list[Message], outcome: Outcome) -> None:
    """The first answer and the results of its calls; a call that did not reach its tool has one that says why."""
    outcome.content = messages[0].content
    sent = {call.get("id"): call.get("function") or {} for call in messages[0].tool_calls or ()}
    for result in messages[1:]:
        if result.role == "tool" and result.content != DONE:
            call = sent.get(result.tool_call_id, {})
            outcome.refused(result.tool_call_id, call.get("name"), call.get("arguments"), str(result.content))


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("agno", "agno", drive, packages=["openai"])

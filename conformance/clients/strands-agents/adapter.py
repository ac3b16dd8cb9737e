# /// script
# requires-python = ">=3.11"
# dependencies = ["strands-agents[openai]==1.62.0", "openai==2.54.0"]
# ///
"""strands-agents: an `Agent` over `OpenAIModel`, with `@tool` functions that note what they are given."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["OTEL_SDK_DISABLED"] = "true"

from strands import Agent, ToolContext, tool
from strands.models.openai import OpenAIModel
from strands.types.content import Message
from strands.types.tools import AgentTool

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve
from written_tools import written


def _tool(function: Mapping[str, Any], outcome: Outcome) -> AgentTool:
    def run(context: ToolContext, arguments: dict[str, Any]) -> None:
        outcome.call(context.tool_use["toolUseId"], context.tool_use["name"], arguments)

    return tool(context="tool_context")(written(function, run, ("tool_context", ToolContext)))


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    client = {
        "base_url": case["base_url"],
        "api_key": case["api_key"],
        "timeout": case["timeout"],
        "max_retries": 0,
    }
    agent = Agent(
        OpenAIModel(client_args=client, model_id=case["request"]["model"], stream=case["mode"] == "stream"),
        tools=[_tool(one["function"], outcome) for one in case["request"].get("tools", ())],
        callback_handler=None,
        retry_strategy=None,
    )
    try:
        result = agent("hi")
    finally:
        _sort_out(agent.messages[1:3], outcome)
    # the reason is that of the last answer, which is another one if tools were run
    outcome.finish_reason = None if agent.messages[2:] else result.stop_reason


def _sort_out(messages: list[Message], outcome: Outcome) -> None:
    """The first answer and the results of its calls; a call that did not reach its tool has one that says why."""
    blocks = [block for message in messages for block in message["content"]]
    uses = {block["toolUse"]["toolUseId"]: block["toolUse"] for block in blocks if "toolUse" in block}
    for block in blocks:
        if "text" in block and outcome.content is None:
            outcome.content = block["text"]
        elif "toolResult" in block and block["toolResult"]["status"] == "error":
            result = block["toolResult"]
            use = uses.get(result["toolUseId"], {})
            why = " ".join(part.get("text", "") for part in result["content"])
            outcome.refused(result["toolUseId"], use.get("name"), use.get("input"), why)


serve("strands-agents", "strands-agents", drive, packages=["openai"])

# /// script
# requires-python = ">=3.11"
# dependencies = ["strands-agents[openai]==1.62.0", "openai==2.54.0"]
# ///
"""strands-agents: one turn of an `Agent` over `OpenAIModel`, with tools that note what they are given."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["OTEL_SDK_DISABLED"] = "true"

from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools import PythonAgentTool
from strands.tools.executors import SequentialToolExecutor

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def _tool(function: Mapping[str, Any], outcome: Outcome) -> PythonAgentTool:
    def run(tool_use: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        outcome.call(tool_use["toolUseId"], tool_use["name"], tool_use["input"])
        return {"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": "done"}]}

    name = function["name"]
    spec = {"name": name, "description": name, "inputSchema": {"json": function.get("parameters", {})}}
    return PythonAgentTool(name, spec, run)


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    client = {
        "base_url": case["base_url"],
        "api_key": case["api_key"],
        "timeout": case["timeout"],
        "max_retries": 0,
    }
    agent = Agent(
        OpenAIModel(client_args=client, model_id=case["request"]["model"], stream=case["mode"] == "stream"),
        tools=[_tool(tool["function"], outcome) for tool in case["request"].get("tools", ())],
        tool_executor=SequentialToolExecutor(),  # one after the other, so that the order is that of the answer
        callback_handler=None,
        retry_strategy=None,
    )
    result = agent("hi", limits={"turns": 1})
    outcome.finish_reason = None if result.stop_reason == "limit_turns" else result.stop_reason
    _sort_out([block for message in agent.messages[1:] for block in message["content"]], outcome)


def _sort_out(blocks: list[Mapping[str, Any]], outcome: Outcome) -> None:
    """The calls it did not run have a result that says why; the tools have noted the others."""
    uses = {block["toolUse"]["toolUseId"]: block["toolUse"] for block in blocks if "toolUse" in block}
    for block in blocks:
        if "text" in block:
            outcome.content = (outcome.content or "") + block["text"]
        elif "toolResult" in block and block["toolResult"]["status"] == "error":
            result = block["toolResult"]
            use = uses[result["toolUseId"]]
            outcome.refused(use["toolUseId"], use["name"], use["input"], result["content"][0]["text"])


serve("strands-agents", "strands-agents", drive, packages=["openai"])

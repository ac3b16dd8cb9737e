# /// script
# requires-python = ">=3.11"
# dependencies = ["smolagents[openai]==1.26.0", "openai==3.57.0"]
# ///
"""smolagents: the first step of a `ToolCallingAgent`, with tools that note what they are given."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from smolagents import ActionStep, LogLevel, OpenAIModel, Tool, ToolCallingAgent
from smolagents.memory import ToolCall

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


class Recorder(Tool):
    """A tool as the request declares it, that keeps what it is run with."""

    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, function: Mapping[str, Any], ran: list[tuple[str, dict[str, Any]]]) -> None:
        self.name = function["name"]
        self.description = function.get("description", self.name)
        properties = function.get("parameters", {}).get("properties", {})
        self.inputs = {name: {"description": name, **schema} for name, schema in properties.items()}
        self._ran = ran
        super().__init__()

    def forward(self, *values: Any, **arguments: Any) -> str:
        self._ran.append((self.name, {**dict(zip(self.inputs, values, strict=False)), **arguments}))
        return "done"


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    ran: list[tuple[str, dict[str, Any]]] = []
    model = OpenAIModel(
        case["request"]["model"],
        api_base=case["base_url"],
        api_key=case["api_key"],
        client_kwargs={"max_retries": 0, "timeout": case["timeout"]},
        retry=False,
    )
    agent = ToolCallingAgent(
        tools=[Recorder(tool["function"], ran) for tool in case["request"].get("tools", ())],
        model=model,
        stream_outputs=case["mode"] == "stream",
        max_tool_threads=1,
        verbosity_level=LogLevel.OFF,
    )
    announced: list[ToolCall] = []
    for event in agent.run("hi", stream=True):
        if isinstance(event, ToolCall):
            announced.append(event)
        elif isinstance(event, ActionStep) and event.model_output_message:
            break  # a further step would be given the same answer; without a message it is about to raise
    outcome.content = event.model_output
    _sort_out(announced, ran, event, outcome)


def _sort_out(
    announced: list[ToolCall], ran: list[tuple[str, dict[str, Any]]], step: ActionStep, outcome: Outcome
) -> None:
    """Tools are not told the id of a call: each run is matched with the announcement that it followed from."""
    for name, arguments in ran:
        alike = [arguments, *arguments.values()]  # a text that is no JSON is handed on as the first argument
        named = [call for call in announced if call.name == name]
        call = next((call for call in named if call.arguments in alike), named[0])
        announced.remove(call)
        outcome.call(call.id, name, arguments)
    for call in announced if step.error else ():
        outcome.refused(call.id, call.name, call.arguments, step.error.message)


serve("smolagents", "smolagents", drive, packages=["openai"])

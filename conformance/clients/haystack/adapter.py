# /// script
# requires-python = ">=3.11"
# dependencies = ["haystack-ai==3.4.1", "openai==3.57.0"]
# ///
"""haystack: `OpenAIChatGenerator` with a streaming callback, and without one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from haystack.utils import Secret

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    functions = [tool["function"] for tool in case["request"].get("tools", ())]
    generator = OpenAIChatGenerator(
        api_key=Secret.from_token(case["api_key"]),
        model=case["request"]["model"],
        api_base_url=case["base_url"],
        timeout=case["timeout"],
        max_retries=0,
        tools=[Tool(f["name"], f["name"], f.get("parameters", {}), function=lambda **_: "done") for f in functions],
        streaming_callback=(lambda _: None) if case["mode"] == "stream" else None,
    )
    reply = generator.run([ChatMessage.from_user("hi")])["replies"][0]
    outcome.content, outcome.finish_reason = reply.text, reply.meta.get("finish_reason")
    for call in reply.tool_calls:
        outcome.call(call.id, call.tool_name, call.arguments)


serve("haystack", "haystack-ai", drive, packages=["openai"])

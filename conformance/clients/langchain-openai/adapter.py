# /// script
# requires-python = ">=3.11"
# dependencies = ["langchain-openai==1.7.4", "langchain-core==1.8.3", "openai==3.57.0"]
# ///
"""langchain-openai: the sum of the chunks of `ChatOpenAI.stream()`, and `invoke()`."""

from __future__ import annotations

import functools
import operator
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["LANGSMITH_TRACING"] = "false"

from langchain_openai import ChatOpenAI

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    request = dict(case["request"])
    request.pop("stream", None)
    messages = request.pop("messages")
    model = ChatOpenAI(
        model=request.pop("model"),
        base_url=case["base_url"],
        api_key=case["api_key"],
        timeout=case["timeout"],
        max_retries=0,
    ).bind_tools(request.pop("tools", []), **request)
    if case["mode"] == "stream":
        message = functools.reduce(operator.add, model.stream(messages))
    else:
        message = model.invoke(messages)
    outcome.content = message.text
    outcome.finish_reason = message.response_metadata.get("finish_reason")
    for call in message.tool_calls:
        outcome.call(call["id"], call["name"], call["args"])
    for call in message.invalid_tool_calls:
        outcome.refused(call["id"], call["name"], call["args"], call["error"] or "listed in invalid_tool_calls")


serve("langchain-openai", "langchain-openai", drive, packages=["langchain-core", "openai"])

# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "llama-index-llms-openai-like==0.8.1",
#   "llama-index-core==0.14.25",
#   "openai==2.54.0",
#   "pydantic==2.14.4",
# ]
# ///
"""llama-index: `OpenAILike.stream_chat_with_tools()` and `chat_with_tools()`, and the calls it reads out of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["DO_NOT_TRACK"] = "1"

from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import create_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def _tool(function: Mapping[str, Any]) -> FunctionTool:
    fields: dict[str, Any] = dict.fromkeys(function.get("parameters", {}).get("properties", {}), (Any, ...))
    return FunctionTool.from_defaults(
        lambda **_: "done",
        name=function["name"],
        description=function["name"],
        fn_schema=create_model(function["name"], **fields),
    )


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    model = OpenAILike(
        model=case["request"]["model"],
        api_base=case["base_url"],
        api_key=case["api_key"],
        timeout=case["timeout"],
        max_retries=0,
        is_chat_model=True,
        is_function_calling_model=True,
    )
    tools = [_tool(tool["function"]) for tool in case["request"].get("tools", ())]
    asked = {"tools": tools, "user_msg": "hi", "allow_parallel_tool_calls": True}  # as its FunctionAgent asks
    if case["mode"] == "stream":
        responses = list(model.stream_chat_with_tools(**asked))
        if not responses:
            return
        response = responses[-1]
    else:
        response = model.chat_with_tools(**asked)
    outcome.content = response.message.content
    if choices := getattr(response.raw, "choices", None):  # the last chunk, or the answer
        outcome.finish_reason = choices[0].finish_reason
    for call in model.get_tool_calls_from_response(response, error_on_no_tool_call=False):
        outcome.call(call.tool_id, call.tool_name, call.tool_kwargs)


serve("llama-index", "llama-index-llms-openai-like", drive, packages=["llama-index-core", "openai"])

# /// script
# requires-python = ">=3.11"
# dependencies = ["pydantic-ai-slim[openai]==2.68.0", "openai==3.57.0"]
# ///
"""pydantic-ai: the parts of `model_request_stream()`, and of `model_request()`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI
from pydantic_ai import ModelRequest, ToolDefinition
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


async def _ask(case: Mapping[str, Any], outcome: Outcome) -> None:
    functions = [tool["function"] for tool in case["request"].get("tools", ())]
    tools = [ToolDefinition(name=f["name"], parameters_json_schema=f.get("parameters", {})) for f in functions]
    async with AsyncOpenAI(
        base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0
    ) as client:
        model = OpenAIChatModel(case["request"]["model"], provider=OpenAIProvider(openai_client=client))
        messages = [ModelRequest.user_text_prompt("hi")]
        parameters = ModelRequestParameters(function_tools=tools)
        if case["mode"] == "stream":
            async with model_request_stream(model, messages, model_request_parameters=parameters) as stream:
                async for _ in stream:
                    pass
                response = stream.get()
        else:
            response = await model_request(model, messages, model_request_parameters=parameters)
    outcome.content, outcome.finish_reason = response.text, response.finish_reason
    for call in response.tool_calls:
        outcome.call(call.tool_call_id, call.tool_name, call.args)


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    asyncio.run(_ask(case, outcome))


serve("pydantic-ai", "pydantic-ai-slim", drive, packages=["openai"])

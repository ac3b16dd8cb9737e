# /// script
# requires-python = ">=3.11"
# dependencies = ["litellm==1.110.2"]
# ///
"""litellm: `stream_chunk_builder` over the chunks of `completion(stream=True)`, and `completion()`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # otherwise the import fetches a list of prices

import litellm

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve

litellm.telemetry = False


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    request = dict(case["request"])
    answer = litellm.completion(
        **{
            **request,
            "model": f"openai/{request['model']}",
            "stream": case["mode"] == "stream",
            "api_base": case["base_url"],
            "api_key": case["api_key"],
            "timeout": case["timeout"],
            "num_retries": 0,
            "max_retries": 0,
        }
    )
    if case["mode"] == "stream":
        answer = litellm.stream_chunk_builder(list(answer), messages=request["messages"])
    choice = answer.choices[0]
    outcome.content, outcome.finish_reason = choice.message.content, choice.finish_reason
    for call in choice.message.tool_calls or ():
        outcome.openai_call(call)


serve("litellm", "litellm", drive, packages=["openai"])

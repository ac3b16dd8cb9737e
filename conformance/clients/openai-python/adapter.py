# /// script
# requires-python = ">=3.11"
# dependencies = ["openai==3.57.0"]
# ///
"""openai-python: `chat.completions.stream()`, and `parse()`, its twin for complete answers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openai import OpenAI

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    request = {key: value for key, value in case["request"].items() if key != "stream"}
    # both methods refuse tools that are not strict before they ask
    request["tools"] = [{**tool, "function": {**tool["function"], "strict": True}} for tool in request.get("tools", ())]
    with OpenAI(base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0) as client:
        if case["mode"] == "stream":
            with client.chat.completions.stream(**request) as stream:
                for _ in stream:
                    pass
                completion = stream.get_final_completion()
        else:
            completion = client.chat.completions.parse(**request)
    choice = completion.choices[0]
    outcome.content, outcome.finish_reason = choice.message.content, choice.finish_reason
    for call in choice.message.tool_calls or ():
        outcome.openai_call(call)


serve("openai-python", "openai", drive)

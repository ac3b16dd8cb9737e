# /// script
# requires-python = ">=3.11"
# dependencies = ["openai==3.57.0"]
# ///
"""openai-python: `ChatCompletionStreamState` over the chunks of `create(stream=True)`, and `create()`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openai import OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    request = {**case["request"], "stream": case["mode"] == "stream"}
    with OpenAI(base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0) as client:
        answer = client.chat.completions.create(**request)
        if case["mode"] == "stream":
            state = ChatCompletionStreamState()
            for chunk in answer:
                state.handle_chunk(chunk)
            answer = state.get_final_completion()
    choice = answer.choices[0]
    outcome.content, outcome.finish_reason = choice.message.content, choice.finish_reason
    for call in choice.message.tool_calls or ():
        outcome.openai_call(call)


serve("openai-python-state", "openai", drive)

# /// script
# requires-python = ">=3.11"
# dependencies = ["instructor==1.17.0", "openai==3.3.0", "pydantic==2.14.4"]
# ///
"""instructor: `create_partial()` and its last item, and `create()`; one model is one tool."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import instructor
from openai import OpenAI
from pydantic import BaseModel, create_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool}


def _model(function: Mapping[str, Any]) -> type[BaseModel]:
    schema = function.get("parameters", {})
    required = schema.get("required", ())
    fields: dict[str, Any] = {}
    for name, field in schema.get("properties", {}).items():
        of = _TYPES.get(field.get("type"), Any)
        fields[name] = (of, ...) if name in required else (of | None, None)
    return create_model(function["name"], **fields)


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    request = case["request"]
    model = _model(request["tools"][0]["function"])
    with OpenAI(base_url=case["base_url"], api_key=case["api_key"], timeout=case["timeout"], max_retries=0) as openai:
        completions = instructor.from_openai(openai, mode=instructor.Mode.TOOLS).chat.completions
        asked = {
            "model": request["model"],
            "messages": request["messages"],
            "response_model": model,
            "max_retries": 0,
        }
        if case["mode"] == "stream":
            results = list(completions.create_partial(**asked))
        else:
            results = [completions.create(**asked)]
    if results:
        outcome.call(None, None, results[-1].model_dump())  # an object, and not the call that it came from


serve("instructor", "instructor", drive, packages=["openai"])

"""A client that tells calls apart by their ids alone; for the tests."""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve  # type: ignore[import-not-found]


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    """Ask, and collect the deltas."""
    request = urllib.request.Request(f"{case['base_url']}/chat/completions", json.dumps(case["request"]).encode())
    calls: dict[str, dict[str, Any]] = {}
    last = ""
    with urllib.request.urlopen(request, timeout=case["timeout"]) as response:
        for line in response:
            data = line.removeprefix(b"data:").strip()
            if not line.startswith(b"data:") or data == b"[DONE]":
                continue
            for choice in json.loads(data)["choices"]:
                outcome.finish_reason = choice["finish_reason"] or outcome.finish_reason
                for entry in choice["delta"].get("tool_calls", ()):
                    last = entry.get("id", last)
                    call = calls.setdefault(last, {"name": "", "arguments": ""})
                    call["name"] = entry["function"].get("name") or call["name"]
                    call["arguments"] += entry["function"].get("arguments") or ""
    for key, call in calls.items():
        outcome.call(key, call["name"], call["arguments"])


serve("by-id", "", drive, modes=["stream"])

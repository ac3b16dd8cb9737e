"""A client that reads as conformance does; for the tests."""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from conformance.model import End, Exchange
from conformance.quirks import judge
from conformance.wire.read import read

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from line_protocol import Outcome, serve  # type: ignore[import-not-found]

LOST = ("call-in-content", "call-in-reasoning", "message-missing", "answer-without-choices")


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    """Ask, and read what comes."""
    address = urlsplit(case["base_url"])
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=case["timeout"])
    request = json.dumps(case["request"]).encode()
    connection.request("POST", f"{address.path}/chat/completions", request, {"content-type": "application/json"})
    response = connection.getresponse()
    ended = End()
    try:
        body = response.read()
    except http.client.IncompleteRead as problem:
        body, ended = problem.partial, End("early-end")
    headers = {name.lower(): value for name, value in response.getheaders()}
    answer = read(Exchange("case", body, response.status, headers, case["request"], case["mode"], ended=ended))
    for call in [call for choice in answer.choices for call in choice.calls]:
        if call.usable:
            outcome.call(call.id, call.name, call.arguments)
        else:
            outcome.refused(call.id, call.name, call.arguments, ", ".join(call.unusable_because))
    lost = [found.quirk for found in judge(answer).findings if found.quirk in LOST]
    if lost or not answer.complete:
        raise RuntimeError(f"the answer is not complete {lost}")


serve("right", "", drive)

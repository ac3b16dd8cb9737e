"""The server accepts `tool_choice` without tools.

OpenAI rejects it. A client that forgot its tools is not told so here.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, refused
from conformance.wire.transcript import Transcript

_REQUEST = {"tool_choice": "auto", "stream": False}


@quirk(
    level="info",
    needs=["choice-without-tools"],
    sources=[documented("tool_choice")],
    expected="an error that names `tool_choice`",
    guard="Send `tool_choice` only beside `tools`.",
    report="",
    good=[
        refused(
            _REQUEST,
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
            "tool_choice",
        )
    ],
    bad=[answered(_REQUEST)],
)
def choice_without_tools_accepted(t: Transcript) -> Iterator[Hit]:
    yield from accepted(t, "choice-without-tools")

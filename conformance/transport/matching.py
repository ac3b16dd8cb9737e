"""When a recorded request stands for the one that is sent now, and how they differ if it does not.

Method, path, query and JSON body count. Scheme, host and headers do not: they differ between machines, and with the
key.
"""

from __future__ import annotations

import difflib
import json
from typing import Any, Final

from vcr.request import Request

from conformance.wire.redact import is_placeholder

MAX_LINES: Final = 30
MAX_WIDTH: Final = 160


def known_query(sent: Request, recorded: Request) -> bool:
    """Whether the query is the same, but for parameters that were redacted when it was recorded."""
    hidden = {name for request in (sent, recorded) for name, value in request.query if is_placeholder(value)}
    return _shown(sent, hidden) == _shown(recorded, hidden)


def json_body(sent: Request, recorded: Request) -> bool:
    """Whether the bodies are the same JSON, whatever the order of keys; `1`, `1.0` and `true` are three things."""
    return bool(sent.body == recorded.body) or canonical(sent.body) == canonical(recorded.body)


def canonical(body: bytes | None) -> bytes:
    """One form for all ways to write the same JSON; what is not JSON stays as it is."""
    try:
        value = json.loads(body or b"null")
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        return body or b""


def difference(sent: Request, recorded: Request) -> str:
    """How a request differs from a recorded one, as the lines of a diff."""
    before, after = _lines(recorded), _lines(sent)
    lines = list(difflib.unified_diff(before, after, "recorded", "sent now", n=2, lineterm=""))
    cut = [line if len(line) <= MAX_WIDTH else f"{line[: MAX_WIDTH - 1]}…" for line in lines[:MAX_LINES]]
    if len(lines) > MAX_LINES:
        cut.append(f"… {len(lines) - MAX_LINES} more lines")
    return "\n".join(cut)


def _shown(request: Request, hidden: set[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in request.query if name not in hidden]


def _lines(request: Request) -> list[str]:
    query = "&".join(f"{name}={value}" for name, value in request.query)
    head = f"{request.method} {request.path}{f'?{query}' if query else ''}"
    body: bytes = request.body or b""
    try:
        value: Any = json.loads(body)
        text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = body.decode("utf-8", "replace")
    return [head, *text.splitlines()]

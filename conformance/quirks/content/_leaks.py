"""Find a tool call that stands in text, by the markup of known model families or as JSON that names an offered tool."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from conformance.wire.transcript import Asked

_OPENERS: Final = re.compile(
    r"<tool_call>\s*[{<\w]|<tool_calls>\s*[\[{<]|</tool_calls?>|<function=\w|<function_calls?>\s*[{<\[]|</function_calls?>"
    r"|<\|tool_call(?:s_section)?_?(?:begin|start)?\|>|<\|python_tag\|>|<｜tool▁calls?▁begin｜>|\[TOOL_CALLS\]"
    r"|<invoke name=|<\|channel\|>commentary to=|<start_function_call>|<\|action_start\|>|<\w+:tool_call>"
    r"|<longcat_tool_call>|<\|tool▁call|<arg_key>\w"
)
_FENCE: Final = re.compile(r"^```(?:json|tool_call|xml)?\s*\n(.*?)\n?```\s*$", re.DOTALL)
_MOST: Final = 200_000


def markup_in_text(text: str) -> str:
    """The first piece of tool-call markup, with some text around it; `""` if there is none, or it is only quoted."""
    for match in _OPENERS.finditer(text[:_MOST]):
        start, end = match.span()
        if text[start - 1 : start] == "`" and "`" in text[end : end + 40]:
            continue  # inline code: the text talks about the markup
        return text[max(0, start - 20) : end + 80]
    return ""


def call_in_text(text: str, asked: Asked, *, markup_only: bool = False) -> str:
    """The beginning of a call that stands in text, `""` if none does.

    Args:
        text: content or reasoning.
        asked: decides whether calls were possible at all, and which names were offered.
        markup_only: do not look for bare JSON.
    """
    if not text or (asked.known and not asked.tools):
        return ""
    leak = markup_in_text(text)
    if leak or markup_only:
        return leak
    inner = text.strip()
    fence = _FENCE.match(inner)
    if fence is not None:
        inner = fence.group(1).strip()
    if inner[:1] not in ("{", "[") or len(inner) > _MOST:
        return ""
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return ""
    items = value if isinstance(value, list) else [value]
    return inner[:120] if items and all(_is_call(item, asked) for item in items) else ""


def _is_call(item: Any, asked: Asked) -> bool:
    if isinstance(item, dict) and isinstance(item.get("function"), dict):
        item = item["function"]
    return isinstance(item, dict) and item.get("name") in asked.tools and bool({"arguments", "parameters"} & set(item))

"""What a request asked for, in normal form. Standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from conformance.wire.transcript import Asked, Tool, ToolChoice

UNKNOWN: Final = Asked(
    known=False,
    tools={},
    tool_choice="auto",
    named="",
    n=None,
    parallel=None,
    include_usage=False,
    messages=(),
    body={},
)


def asked(request: Mapping[str, Any] | None) -> Asked:
    """Normalise a request body; odd shapes are read as absent, never an error."""
    if not isinstance(request, Mapping):
        return UNKNOWN
    tools: dict[str, Tool] = {}
    for item in _list(request.get("tools")):
        tool = _tool(item)
        if tool is not None:
            tools[tool.name] = tool
    for item in _list(request.get("functions")):
        tool = _tool({"type": "function", "function": item})
        if tool is not None:
            tools.setdefault(tool.name, tool)
    choice, named = _tool_choice(request.get("tool_choice", request.get("function_call")))
    n = request.get("n")
    options = request.get("stream_options")
    parallel = request.get("parallel_tool_calls")
    return Asked(
        known=True,
        tools=tools,
        tool_choice=choice,
        named=named,
        n=n if isinstance(n, int) and not isinstance(n, bool) and n > 0 else 1,
        parallel=parallel if isinstance(parallel, bool) else None,
        include_usage=isinstance(options, Mapping) and options.get("include_usage") is True,
        messages=tuple(m for m in _list(request.get("messages")) if isinstance(m, Mapping)),
        body=request,
    )


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _tool(item: Any) -> Tool | None:
    if not isinstance(item, Mapping):
        return None
    kind = item.get("type") if isinstance(item.get("type"), str) else "function"
    inner = item.get("custom") if kind == "custom" else item.get("function")
    if not isinstance(inner, Mapping):
        inner = item
    name = inner.get("name")
    if not isinstance(name, str) or not name:
        return None
    parameters = inner.get("parameters")
    return Tool(
        name=name,
        parameters=parameters if isinstance(parameters, Mapping) else None,
        strict=inner.get("strict") is True,
        type=kind or "function",
    )


def _tool_choice(value: Any) -> tuple[ToolChoice, str]:
    if value is None:
        return "auto", ""
    if isinstance(value, str):
        return (value if value in ("auto", "none", "required") else "other"), ""  # type: ignore[return-value]
    if isinstance(value, Mapping):
        inner = value.get("function") or value.get("custom") or value
        if isinstance(inner, Mapping) and isinstance(inner.get("name"), str):
            return "named", inner["name"]
    return "other", ""

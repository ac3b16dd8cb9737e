"""Tools as a user writes them: functions with the parameters that a request declares. Standard library only."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

DONE = "done"
"""What every tool gives back."""

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


def written(
    declared: Mapping[str, Any], run: Callable[[Any, dict[str, Any]], None], context: tuple[str, Any] | None = None
) -> Callable[..., Coroutine[Any, Any, str]]:
    """The function that a user would write for a declared tool, as `async def get_weather(city: str) -> str`.

    It is asynchronous so that calls of one answer run in their order, whatever threads a library has.

    Args:
        declared: a function of the request's tools.
        run: is told of each run: the context, None if there is none, and the arguments.
        context: name and type of the first parameter, by which the library tells a tool what it is run for.
    """
    schema = declared.get("parameters", {})
    required = schema.get("required", ())
    types = {name: _TYPES.get(field.get("type"), Any) for name, field in schema.get("properties", {}).items()}
    first = [_parameter(context[0], context[1])] if context else []
    ordered = sorted(types, key=lambda name: name not in required)  # those with a default come last
    rest = [_parameter(n, types[n]) if n in required else _parameter(n, types[n] | None, None) for n in ordered]
    signature = inspect.Signature([*first, *rest], return_annotation=str)

    async def tool(*values: Any, **named: Any) -> str:
        arguments = dict(signature.bind(*values, **named).arguments)
        run(arguments.pop(context[0]) if context else None, arguments)
        return DONE

    tool.__name__ = tool.__qualname__ = declared["name"]
    tool.__doc__ = declared.get("description") or f"Call {declared['name']}."
    tool.__signature__ = signature  # type: ignore[attr-defined]
    tool.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()} | {"return": str}
    return tool


def _parameter(name: str, of: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=of)

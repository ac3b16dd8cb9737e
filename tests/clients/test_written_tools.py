"""Tools that adapters make of a request's declarations are what a user would have written."""

from __future__ import annotations

import asyncio
import inspect
import typing
from typing import Any

import pytest

from conformance.clients.shared.written_tools import DONE, written

DECLARED = {
    "name": "book",
    "description": "Book a table.",
    "parameters": {
        "type": "object",
        "properties": {"note": {"type": "string"}, "seats": {"type": "integer"}, "near": {}},
        "required": ["seats", "near"],
    },
}


def test_signature() -> None:
    tool = written(DECLARED, lambda *_: None)
    assert (tool.__name__, tool.__doc__) == ("book", "Book a table.")
    assert str(inspect.signature(tool)) == "(seats: int, near: Any, note: str | None = None) -> str"
    assert typing.get_type_hints(tool) == {"seats": int, "near": Any, "note": str | None, "return": str}


def test_a_run_is_told_by_name_however_it_is_called() -> None:
    ran: list[tuple[Any, dict[str, Any]]] = []
    tool = written(DECLARED, lambda *what: ran.append(what))
    assert asyncio.run(tool(2, near="door")) == DONE
    assert asyncio.run(tool(near=None, seats=3, note="late")) == DONE
    assert ran == [(None, {"seats": 2, "near": "door"}), (None, {"seats": 3, "near": None, "note": "late"})]


def test_the_context_is_the_first_parameter_and_no_argument() -> None:
    ran: list[tuple[Any, dict[str, Any]]] = []
    tool = written(DECLARED, lambda *what: ran.append(what), ("context", bytes))
    assert next(iter(inspect.signature(tool).parameters)) == "context"
    asyncio.run(tool(b"run 1", seats=2, near=1))
    assert ran == [(b"run 1", {"seats": 2, "near": 1})]


def test_what_was_not_declared_is_refused() -> None:
    tool = written({"name": "now"}, lambda *_: None)
    assert tool.__doc__ == "Call now."
    with pytest.raises(TypeError, match="unexpected keyword argument 'town'"):
        asyncio.run(tool(town="Paris"))

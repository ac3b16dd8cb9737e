"""`conformance/client/1`: what an adapter may say, checked line by line against `clients/protocol.schema.json`."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, Literal

import jsonschema_rs

from conformance.impact.folders import BUNDLED
from conformance.impact.values import document
from conformance.text import visible

PROTOCOL: Final = "conformance/client/1"
SCHEMA: Final = BUNDLED / "protocol.schema.json"


class Broken(Exception):
    """An adapter does not keep the protocol; `str()` says how."""


def read(line: bytes, what: Literal["hello", "outcome"]) -> dict[str, Any]:
    """Read a line of an adapter.

    Raises:
        Broken: it is not what the protocol allows there.
    """
    shown = visible(line.decode("utf-8", "replace").rstrip("\r\n"), 80)
    try:
        said = document(line)
    except ValueError:
        raise Broken(f"it printed a line that is no JSON: {shown}") from None
    if not isinstance(said, dict):
        raise Broken(f"it printed a line that is no object: {shown}")
    # values inside of calls are free, and may be nested deeper than a validator goes
    problem = next(iter(_validator(what).iter_errors(_shallow(said))), None)
    if problem is not None:
        where = "/".join(map(str, problem.instance_path)) or "the line"
        raise Broken(f"its {what} is wrong at {visible(where, 60)}: {visible(problem.message, 200)}")
    return said


def _shallow(said: dict[str, Any]) -> dict[str, Any]:
    """The line without what may be anything."""
    copy = {key: None if key == "content" else value for key, value in said.items()}
    for key in ("calls", "invalid"):
        listed = copy.get(key)
        if isinstance(listed, list):
            copy[key] = [{**one, "arguments": None} if _has_arguments(one) else one for one in listed]
    return copy


def _has_arguments(call: Any) -> bool:
    return isinstance(call, dict) and "arguments" in call


@cache
def _validator(what: str) -> Any:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    del schema["anyOf"]  # that of one kind of line says what is wrong with it
    return jsonschema_rs.validator_for({**schema, "$ref": f"#/$defs/{what}"})

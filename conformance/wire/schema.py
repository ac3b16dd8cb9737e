"""Hold the arguments of calls against the schemas of the offered tools."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema_rs
import orjson

from conformance.wire.transcript import Transcript

_MOST = 5


def check_schemas(transcript: Transcript) -> None:
    """Fill `schema_errors` of every call whose tool is offered with a schema; such a call is not usable."""
    tools = transcript.asked.tools
    for call in transcript.calls if tools else ():
        tool = tools.get(call.name)
        if tool is None or tool.parameters is None or call.parse_error or call.type == "custom":
            continue
        call.schema_errors = violations(tool.parameters, call.value)
        if call.schema_errors:
            call.usable = False
            call.unusable_because.append("schema")


def violations(schema: Mapping[str, Any], value: Any) -> list[str]:
    """Sentences about how `value` violates `schema`, at most five; none if the schema itself is unusable."""
    try:
        key = orjson.dumps(schema, option=orjson.OPT_SORT_KEYS)
        validator = _validator(key)
        if validator is None:
            return []
        found = []
        for error in validator.iter_errors(value):
            path = "/".join(str(step) for step in error.instance_path)
            found.append(f"{path or 'arguments'}: {error.message[:200]}")
            if len(found) == _MOST:
                break
        return sorted(found)
    except (ValueError, TypeError, RecursionError):
        return []


@lru_cache(maxsize=1024)
def _validator(schema: bytes) -> Any:
    try:
        return jsonschema_rs.validator_for(orjson.loads(schema), retriever=_no_retrieval)
    except (ValueError, TypeError):
        return None


def _no_retrieval(uri: str) -> Any:
    raise ValueError(f"{uri}: schemas are not fetched")

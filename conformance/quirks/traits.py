"""Traits of a request: what is unusual in it, so that a server may turn out stricter or laxer than OpenAI.

`conformance.quirks.asked` finds them, `conformance.quirks.rejection` decides which of them an error is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Trait = Literal[
    "content-null",
    "content-absent",
    "content-empty",
    "arguments-empty",
    "arguments-invalid",
    "arguments-object",
    "call-fields",
    "reasoning",
    "empty-id",
    "long-id",
    "foreign-id",
    "result-array",
    "result-empty",
    "result-with-ref",
    "result-without-name",
    "result-missing",
    "result-orphan",
    "results-reordered",
    "user-after-result",
    "tools-omitted",
    "tools-empty",
    "too-many-tools",
    "parameters-absent",
    "properties-empty",
    "schema-ref",
    "schema-union",
    "type-array",
    "strict",
    "long-name",
    "dotted-name",
    "duplicate-names",
    "tool-choice",
    "choice-without-tools",
    "choice-unknown",
    "parallel-disabled",
    "n",
    "unknown-field",
]

PHRASES: Final[Mapping[Trait, str]] = {
    "content-null": "null content beside calls",
    "content-absent": "absent content beside calls",
    "content-empty": "empty content beside calls",
    "arguments-empty": "empty arguments of a past call",
    "arguments-invalid": "arguments of a past call that are no JSON object",
    "arguments-object": "arguments of a past call as an object",
    "call-fields": "an unknown field of a past call",
    "reasoning": "reasoning sent back",
    "empty-id": "an empty call id",
    "long-id": "a call id of more than 40 characters",
    "foreign-id": "a call id of another make",
    "result-array": "a tool result as an array of parts",
    "result-empty": "an empty tool result",
    "result-with-ref": "a tool result with `$ref` in its text",
    "result-without-name": "a tool result without a name",
    "result-missing": "a call without a result",
    "result-orphan": "a result without a call",
    "results-reordered": "results in another order than the calls",
    "user-after-result": "a user message right after a tool result",
    "tools-omitted": "calls in the history of a request without tools",
    "tools-empty": "an empty array of tools",
    "too-many-tools": "more than 128 tools",
    "parameters-absent": "a function without parameters",
    "properties-empty": "a function with empty properties",
    "schema-ref": "a schema with `$ref`",
    "schema-union": "a schema that is a union",
    "type-array": "a schema with an array as type",
    "strict": "a strict function",
    "long-name": "a function name of 49 to 64 characters",
    "dotted-name": "a function name with other characters than a-z, A-Z, 0-9, _ and -",
    "duplicate-names": "two functions of one name",
    "tool-choice": "the value of `tool_choice`",
    "choice-without-tools": "`tool_choice` without tools",
    "choice-unknown": "`tool_choice` with a function that is not offered",
    "parallel-disabled": "`parallel_tool_calls: false`",
    "n": "`n` above 1",
    "unknown-field": "a field unknown to the API reference",
}
"""Each trait as messages name it."""

REFUSABLE: Final[frozenset[Trait]] = frozenset(
    (
        "arguments-empty",
        "arguments-invalid",
        "arguments-object",
        "reasoning",
        "empty-id",
        "long-id",
        "result-missing",
        "result-orphan",
        "tools-empty",
        "too-many-tools",
        "schema-union",
        "dotted-name",
        "duplicate-names",
        "choice-without-tools",
        "choice-unknown",
        "unknown-field",
    )
)
"""What OpenAI refuses, or the API reference leaves open: a server may reject it, but has to say what it rejects."""

MADE_UP: Final = "madeup"
"""Part of every call id that a scenario writes into a history itself: no server issued it."""

"""Faults of the end: finish reasons that are wrong, missing, early or repeated."""

from __future__ import annotations

import copy
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import entries, finish, finish_chunk, on_choice, on_choices, setting


def _ends(name: str, title: str, shows: str, reason: str | None, **more: Any) -> None:
    """Plant a finish reason in both modes."""
    plant(name, title, shows, stream=finish(reason), complete=on_choice(setting(finish_reason=reason)), **more)


_ends("finish-stop", "calls end with `stop`", "finish-stop-with-calls", "stop")
plant("finish-stop-stream", "calls end with `stop` in a stream only", "finish-stop-with-calls", stream=finish("stop"))
_ends("finish-function-call", "calls end with `function_call`", "finish-legacy", "function_call")
_ends("finish-null", "no finish reason comes", "finish-missing", None)
_ends("finish-unknown", "the finish reason is `tool_use`", "finish-unknown", "tool_use")
_ends("finish-error", "the finish reason is `error`", "finish-unknown", "error", left="unusable")
plant(
    "finish-empty",
    "the finish reason is empty on every other chunk",
    "finish-empty",
    stream=on_choices(lambda c: setting(finish_reason=c["finish_reason"] or "")(c)),
)
_ends(
    "finish-tool-calls-without-calls",
    "a text ends with `tool_calls`",
    "finish-tool-calls-without-calls",
    "tool_calls",
    ask="text",
)


def _finish_first(chunks: Chunks) -> Chunks:
    last = finish_chunk(chunks)
    rest = [c for c in chunks if c is not last]
    at = next(i for i, c in enumerate(rest) if list(entries([c])))
    return [*rest[: at + 1], last, *rest[at + 1 :]]


def _finish_twice(chunks: Chunks) -> Chunks:
    return [*chunks, copy.deepcopy(finish_chunk(chunks))]


def _empty_after(chunks: Chunks) -> Chunks:
    more = copy.deepcopy(chunks[-1])
    more["choices"] = [{"index": 0, "delta": {"content": ""}, "finish_reason": None}]
    return [*chunks, more]


plant(
    "finish-before-calls", "the finish reason comes before the arguments", "finish-before-deltas", stream=_finish_first
)
plant("finish-twice", "the finish reason comes twice", "finish-repeated", stream=_finish_twice)
plant("choice-after-finish", "an empty choice follows the finish reason", "choice-after-finish", stream=_empty_after)


def _delta_after(chunks: Chunks) -> Chunks:
    more = copy.deepcopy(chunks[0])
    more["choices"][0]["delta"] = {"content": "One more thing."}
    return [*chunks, more]


plant("delta-after-finish", "content follows the finish reason", "finish-before-deltas", stream=_delta_after)


plant(
    "finish-false",
    "the finish reason is `false` until the end",
    "finish-not-string",
    stream=on_choices(lambda c: setting(finish_reason=c["finish_reason"] or False)(c)),
)

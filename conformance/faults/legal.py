"""Legal variations that are known to upset checkers: none of them may raise an alarm."""

from __future__ import annotations

import copy
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import (
    calls,
    continuing,
    entries,
    finish,
    finish_chunk,
    in_function,
    on_calls,
    on_choice,
    on_choices,
    on_chunks,
    on_entries,
    on_message,
    opening,
    retold,
    setting,
    without,
)

_ASKED = {
    "one": "one call",
    "two": "two calls",
    "text": "a text",
    "history": "the answer to a result",
    "n2": "two choices",
}
for _ask, _what in _ASKED.items():
    plant(f"clean-{_ask}", f"nothing is wrong: {_what}", legal=True, ask=_ask, stream=list, complete=dict)  # type: ignore[arg-type]


def _same_id(chunks: Chunks) -> Chunks:
    ids = {e["index"]: e["id"] for _, e, opens in entries(chunks) if opens}
    return on_entries(lambda e, _: setting(id=ids[e["index"]])(e))(chunks)


plant("same-id-again", "continuations repeat the id", "id-repeated", legal=True, stream=_same_id)
plant(
    "later-id-null",
    "continuations carry a null id",
    "id-null-on-continuation",
    legal=True,
    stream=continuing(setting(id=None)),
)
plant(
    "later-name-null",
    "continuations carry a null name",
    "name-null-on-continuation",
    legal=True,
    stream=continuing(in_function(setting(name=None))),
)
plant(
    "later-id-empty",
    "continuations carry an empty id",
    "id-empty-on-continuation",
    legal=True,
    stream=continuing(setting(id="")),
)
plant(
    "later-name-empty",
    "continuations carry an empty name",
    "name-empty-on-continuation",
    legal=True,
    stream=continuing(in_function(setting(name=""))),
)
plant(
    "type-again",
    "continuations repeat the type",
    "type-repeated",
    legal=True,
    stream=continuing(setting(type="function")),
)
plant(
    "tool-calls-null",
    "`tool_calls` is null where there are none",
    "tool-calls-null",
    legal=True,
    ask="text",
    stream=on_choices(lambda c: c["delta"].update(tool_calls=None)),
    complete=on_message(setting(tool_calls=None)),
)
plant(
    "opening-without-arguments",
    "the opening entry has no arguments field",
    "arguments-absent-on-opening",
    legal=True,
    stream=opening(in_function(without("arguments"))),
)


def _interleaved(chunks: Chunks) -> Chunks:
    heads = [c for _, _, opens in [(0, 0, 0)] for c in chunks if any(o for _, _, o in entries([c])) and not opens]
    later = [c for c in chunks if any(not o for _, _, o in entries([c]))]
    first = [c for c in later if next(entries([c]))[1]["index"] == 0]
    second = [c for c in later if next(entries([c]))[1]["index"] == 1]
    mixed: Chunks = []
    for number in range(max(len(first), len(second))):
        mixed += first[number : number + 1] + second[number : number + 1]
    rest = [c for c in chunks if c not in heads and c not in later]
    return [rest[0], *heads, *mixed, *rest[1:]]


def _second_first(chunks: Chunks) -> Chunks:
    second = [c for c in chunks if any(e["index"] == 1 for _, e, _ in entries([c]))]
    rest = [c for c in chunks if c not in second]
    return [rest[0], *second, *rest[1:]]


def _one_chunk(chunks: Chunks) -> Chunks:
    whole = retold(lambda t: [t])(chunks)
    calls = [e for _, e, _ in entries(whole)]
    first = copy.deepcopy(whole[0])
    first["choices"][0]["delta"]["tool_calls"] = calls
    first["choices"][0]["finish_reason"] = "tool_calls"
    return [first]


def _empty_choices(chunks: Chunks) -> Chunks:
    return [chunks[0], {**chunks[0], "choices": []}, *chunks[1:]]


def _usage_unasked(chunks: Chunks) -> Chunks:
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    return [*chunks, {**chunks[0], "choices": [], "usage": usage}]


def _usage_on_finish(chunks: Chunks) -> Chunks:
    finish_chunk(chunks)["usage"] = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    return chunks


plant("interleaved", "deltas of two calls interleave", "calls-interleaved", legal=True, ask="two", stream=_interleaved)
plant(
    "second-call-first",
    "index 1 opens before index 0",
    "index-out-of-order",
    legal=True,
    ask="two",
    stream=_second_first,
)
plant(
    "all-in-one-chunk",
    "everything comes in one chunk",
    "delta-on-finish-chunk",
    legal=True,
    ask="two",
    stream=_one_chunk,
)
plant("one-piece", "arguments come in one piece", "arguments-in-one-piece", legal=True, stream=retold(lambda t: [t]))
plant("character-by-character", "arguments come character by character", legal=True, stream=retold(lambda t: ["", *t]))
plant("choices-empty", "a chunk in mid-stream has no choices", "choices-empty", legal=True, stream=_empty_choices)
plant("usage-unasked", "a usage chunk comes unasked", "usage-placement", legal=True, stream=_usage_unasked)
plant("usage-on-finish", "usage comes on the finish chunk", "usage-placement", legal=True, stream=_usage_on_finish)
plant("usage-null", "every chunk carries `usage: null`", legal=True, stream=on_chunks(setting(usage=None)))
plant(
    "content-empty",
    "content is empty beside calls",
    "content-empty-beside-calls",
    legal=True,
    stream=on_choices(lambda c: c["delta"].update(content="") if "role" in c["delta"] else None),
    complete=on_message(setting(content="")),
)
plant(
    "text-and-call",
    "text comes before the call",
    "content-and-calls",
    legal=True,
    complete=on_message(setting(content="Let me look.")),
    stream=on_choices(lambda c: c["delta"].update(content="Let me look.") if "role" in c["delta"] else None),
)
plant(
    "role-everywhere",
    "every delta carries the role",
    "role-repeated",
    legal=True,
    stream=on_choices(lambda c: c["delta"].update(role="assistant")),
)
plant(
    "unknown-fields",
    "there are fields beyond the reference",
    "unknown-fields",
    legal=True,
    stream=on_chunks(setting(obfuscation="aXq", service_tier="default")),
    complete=lambda body: {**body, "service_tier": "default", "timings": {"ms": 3}},
)
plant(
    "signature",
    "calls carry a signature",
    "entry-fields-to-return",
    legal=True,
    stream=opening(setting(extra_content={"google": {"s": "c2ln"}})),
)
plant(
    "reasoning",
    "the answer carries reasoning",
    "reasoning-field",
    legal=True,
    complete=on_message(setting(reasoning_content="Hm.")),
    stream=on_choices(lambda c: c["delta"].update(reasoning_content="Hm.") if "role" in c["delta"] else None),
)
plant(
    "logprobs-null",
    "choices carry `logprobs: null`",
    legal=True,
    stream=on_choices(setting(logprobs=None)),
    complete=on_choice(setting(logprobs=None)),
)
plant(
    "refusal-null",
    "deltas carry `refusal: null`",
    legal=True,
    complete=on_message(setting(refusal=None)),
    stream=on_choices(lambda c: c["delta"].update(refusal=None)),
)
plant(
    "finish-key-absent",
    "chunks leave a null finish reason out",
    "finish-key-absent",
    legal=True,
    stream=on_choices(lambda c: None if c["finish_reason"] else without("finish_reason")(c)),
)
plant(
    "named-stop",
    "a named function's call ends with `stop`",
    legal=True,
    ask="named",
    stream=finish("stop"),
    complete=on_choice(setting(finish_reason="stop")),
)
plant(
    "equal-calls",
    "two calls are equal but for their ids",
    legal=True,
    left="none",
    ask="two",
    stream=retold(lambda _: ["", '{"city":"Paris"}']),
)


def _text_at_the_end(chunks: Chunks) -> Chunks:
    more = copy.deepcopy(chunks[0])
    more["choices"][0]["delta"] = {"content": "One moment."}
    return [*chunks[:-1], more, chunks[-1]]


def _envelope_varies(chunks: Chunks) -> Chunks:
    return [chunks[0], *({**c, "model": "made-up-1-0601", "created": c["created"] + 1} for c in chunks[1:])]


def _numbered(body: dict[str, Any]) -> dict[str, Any]:
    for number, call in enumerate(calls(body)):
        call["index"] = number
    return body


plant("text-after-call", "text comes after the call", "content-after-calls", legal=True, stream=_text_at_the_end)
plant(
    "envelope-varies",
    "model and time change after the first chunk",
    "envelope-varies",
    legal=True,
    stream=_envelope_varies,
)
plant(
    "index-in-document",
    "calls of a complete answer carry an index",
    "index-in-complete-answer",
    legal=True,
    complete=_numbered,
)
plant(
    "refusal",
    "the model refuses",
    "refusal",
    legal=True,
    ask="text",
    stream=on_choices(
        lambda c: c["delta"].update(refusal=c["delta"].pop("content")) if "content" in c["delta"] else None
    ),
    complete=on_message(lambda m: m.update(refusal=m["content"], content=None)),
)


def _cut_before_arguments(reason: str) -> None:
    plant(
        f"{reason.replace('_', '-')}-before-arguments",
        f"`{reason}` ends the answer before any argument text",
        "arguments-truncated-by-length",
        legal=True,
        left="unusable",
        stream=lambda chunks: finish(reason)(retold(lambda _: [""])(chunks)),
        complete=lambda body: on_choice(setting(finish_reason=reason))(
            on_calls(in_function(setting(arguments="")))(body)
        ),
    )


plant(
    "length-in-arguments",
    "`length` ends the answer in the middle of the argument text",
    "arguments-truncated-by-length",
    legal=True,
    left="unusable",
    stream=lambda chunks: finish("length")(retold(lambda t: ["", t[:-4]])(chunks)),
    complete=lambda body: on_choice(setting(finish_reason="length"))(
        on_calls(in_function(lambda f: f.update(arguments=f["arguments"][:-4])))(body)
    ),
)
_cut_before_arguments("length")
_cut_before_arguments("content_filter")

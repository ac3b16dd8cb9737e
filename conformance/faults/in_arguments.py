"""Faults in the arguments of tool calls."""

from __future__ import annotations

import json
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import (
    in_function,
    on_calls,
    on_choice,
    on_choices,
    opening,
    pieces,
    retold,
    setting,
    spoken,
    with_extra_delta,
    without,
)

# --- arguments --------------------------------------------------------------------------------------------------------
plant(
    "arguments-object",
    "arguments are an object",
    "arguments-object",
    stream=retold(lambda t: [json.loads(t)]),
    complete=on_calls(lambda c: in_function(setting(arguments=json.loads(c["function"]["arguments"])))(c)),
)
plant(
    "arguments-array",
    "arguments are an array",
    "arguments-other-value arguments-not-object",
    left="unusable",
    complete=on_calls(in_function(setting(arguments=["Paris"]))),
)
plant(
    "arguments-snapshots",
    "argument deltas are growing snapshots",
    "arguments-snapshots",
    stream=retold(lambda t: [t[:4], t[:9], t]),
)
plant(
    "arguments-full-copy",
    "the whole arguments follow their pieces",
    "arguments-full-copy",
    stream=retold(lambda t: ["", t[:5], t[5:], t]),
)
plant(
    "arguments-leading-braces",
    "`{}` comes before the arguments",
    "arguments-leading-braces",
    stream=retold(lambda t: ["{}", t[:5], t[5:]]),
)
plant(
    "arguments-first-piece-lost",
    "the first piece of the arguments is lost",
    "arguments-lost-braces arguments-not-json",
    stream=retold(lambda t: ["", t[1:6], t[6:]]),
    left="unusable",
)
plant(
    "arguments-pieces-swapped",
    "two pieces of the arguments are swapped",
    "arguments-not-json arguments-trailing-text",
    stream=retold(lambda t: ["", t[8:], t[:8]]),
    left="unusable",
)
plant(
    "arguments-null-first",
    "the opening entry has null arguments",
    "arguments-null-first",
    stream=opening(in_function(setting(arguments=None))),
)
plant(
    "arguments-null-later",
    "a last delta has null arguments",
    "arguments-null-on-continuation",
    stream=lambda chunks: with_extra_delta(chunks, {"index": 0, "function": {"arguments": None}}),
)
plant(
    "arguments-null",
    "arguments are null",
    "arguments-missing",
    left="unusable",
    stream=retold(lambda _: [None]),
    complete=on_calls(in_function(setting(arguments=None))),
)
plant(
    "arguments-absent",
    "there is no arguments field",
    "arguments-missing",
    left="unusable",
    complete=on_calls(in_function(without("arguments"))),
)
plant(
    "arguments-empty",
    "arguments are an empty string",
    "arguments-empty",
    left="unusable",
    stream=retold(lambda _: [""]),
    complete=on_calls(in_function(setting(arguments=""))),
)

for _name, _title, _shows, _make, _left in (
    ("truncated", "the argument text breaks off", "arguments-truncated", lambda t: t[:-4], "unusable"),
    ("double-encoded", "arguments are encoded twice", "arguments-double-encoded", json.dumps, "all"),
    (
        "double-escaped",
        "characters arrive as literal escapes",
        "arguments-double-escaped",
        lambda t: t.replace("Paris", "\\\\u6771\\\\u4eac"),
        "none",
    ),
    (
        "html-entities",
        "characters arrive as HTML entities",
        "arguments-html-entities",
        lambda t: t.replace("Paris", "Paris &amp; Oslo"),
        "none",
    ),
    (
        "replacement-character",
        "a character arrives as U+FFFD",
        "arguments-replacement-character",
        lambda t: t.replace("Paris", "Par\ufffds"),
        "none",
    ),
    (
        "glued",
        "two objects are glued together",
        "arguments-glued",
        lambda t: t + t.replace("Paris", "Oslo"),
        "unusable",
    ),
    (
        "python-literal",
        "arguments are a Python literal",
        "arguments-python-literal",
        lambda t: repr(json.loads(t)),
        "unusable",
    ),
    ("nan", "arguments hold NaN", "arguments-nan", lambda t: t[:-1] + ',"height":NaN}', "unusable"),
    (
        "raw-control",
        "arguments hold a raw line break",
        "arguments-raw-control",
        lambda t: t.replace("Paris", "Par\nis"),
        "unusable",
    ),
    (
        "invalid-escape",
        "arguments hold an invalid escape",
        "arguments-invalid-escape",
        lambda t: t.replace("Paris", "D:\\qParis"),
        "unusable",
    ),
    ("trailing-text", "text follows the arguments", "arguments-trailing-text", lambda t: t + " There.", "unusable"),
    (
        "template-markers",
        "a template marker follows the arguments",
        "arguments-template-markers",
        lambda t: t + "</tool_call>",
        "unusable",
    ),
    (
        "whitespace",
        "the arguments run away into white space",
        "arguments-whitespace-runaway",
        lambda t: t[:8] + "\n" * 200,
        "unusable",
    ),
    ("duplicate-key", "a key stands twice", "arguments-duplicate-key", lambda t: '{"city":"Oslo",' + t[1:], "all"),
    (
        "schema-violation",
        "a required value is missing",
        "arguments-schema-violation",
        lambda _: '{"town":"Paris"}',
        "unusable",
    ),
    (
        "lost",
        "the arguments are `{}` although one is required",
        "arguments-schema-violation",
        lambda _: "{}",
        "unusable",
    ),
):
    _stream, _complete = spoken(_make)
    plant(f"arguments-{_name}", _title, _shows, left=_left, stream=_stream, complete=_complete)  # type: ignore[arg-type]


def _deep(text: str) -> str:
    return text[:-1] + ',"tree":' + "[" * 1000 + "]" * 1000 + "}"


plant(
    "arguments-too-deep",
    "the arguments are nested in a thousand levels",
    "arguments-beyond-limits",
    left="unusable",
    stream=retold(lambda t: ["", _deep(t)]),
    complete=spoken(_deep)[1],
)


def _natively_cut(choice: dict[str, Any]) -> None:
    if choice.get("finish_reason"):
        choice["native_finish_reason"] = "max_output_tokens"


_cut_stream, _cut_complete = spoken(lambda t: t[:-4])
plant(
    "finish-not-length",
    "the limit cuts a call, the gateway says `tool_calls` all the same",
    "finish-not-length",
    left="unusable",
    stream=lambda chunks: on_choices(_natively_cut)(_cut_stream(chunks)),
    complete=lambda body: on_choice(_natively_cut)(_cut_complete(body)),
)


def _split_surrogates(chunks: Chunks) -> Chunks:
    first, second = pieces(chunks)[:2]
    text = "".join(p["function"]["arguments"] for p in pieces(chunks))
    for piece in pieces(chunks):
        piece["function"]["arguments"] = ""
    start = text.index("Paris")
    first["function"]["arguments"] = text[:start] + "\ud83d"
    second["function"]["arguments"] = "\udea9" + text[start:]
    return chunks


plant(
    "arguments-split-surrogates",
    "a surrogate pair is split between two deltas",
    "arguments-surrogate-split",
    stream=_split_surrogates,
    left="none",
)


_strict_stream, _strict_complete = spoken(lambda _: '{"town":"Paris"}')
plant(
    "strict-broken",
    "`strict: true` is not kept",
    "arguments-strict-violated",
    ask="strict",
    left="unusable",
    stream=_strict_stream,
    complete=_strict_complete,
)

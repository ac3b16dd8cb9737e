"""Faults in the entries of tool calls: index, id, type, name, arguments."""

from __future__ import annotations

import copy
import json
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import (
    Entry,
    continuing,
    entries,
    in_function,
    on_calls,
    on_entries,
    opening,
    pieces,
    retold,
    setting,
    spoken,
    without,
)

# --- index ------------------------------------------------------------------------------------------------------------
plant(
    "index-missing", "no entry has an index", "index-missing", stream=on_entries(lambda e, _: e.pop("index") and None)
)
plant(
    "index-missing-two",
    "no entry of two calls has an index",
    "index-missing",
    ask="two",
    stream=on_entries(lambda e, _: (e.pop("index"), None)[1]),
)
plant("index-null", "every index is null", "index-missing", stream=on_entries(lambda e, _: setting(index=None)(e)))
plant("index-negative", "every index is -1", "index-missing", stream=on_entries(lambda e, _: setting(index=-1)(e)))
plant("index-float", "every index is 0.5", "index-missing", stream=on_entries(lambda e, _: setting(index=0.5)(e)))
plant("index-only-first", "only opening entries have an index", "index-missing", stream=continuing(without("index")))
plant(
    "index-all-zero",
    "every call has index 0",
    "index-reused",
    ask="two",
    stream=on_entries(lambda e, _: setting(index=0)(e)),
)
plant(
    "index-from-one",
    "indexes start at 1",
    "index-not-from-zero",
    stream=on_entries(lambda e, _: setting(index=e["index"] + 1)(e)),
)
plant(
    "index-gap",
    "the second call has index 2",
    "index-gap",
    ask="two",
    stream=on_entries(lambda e, _: setting(index=e["index"] * 2)(e)),
)
plant(
    "index-string",
    "every index is a string",
    "index-string",
    stream=on_entries(lambda e, _: setting(index=str(e["index"]))(e)),
)


def _tail_elsewhere(chunks: Chunks) -> Chunks:
    for _, entry, opens in entries(chunks):
        if entry["index"] == 1:
            entry["index"] = 0 if opens else 1
    return chunks


plant(
    "index-head-tail",
    "the second call opens at index 0 and goes on at index 1",
    "index-reused index-stray-tail",
    ask="two",
    stream=_tail_elsewhere,
    left="unusable",
)


def _twice_in_chunk(chunks: Chunks) -> Chunks:
    out: Chunks = []
    for chunk in chunks:
        found = list(entries([chunk]))
        if found and not found[0][2] and out and len(list(entries([out[-1]]))) == 1:
            out[-1]["choices"][0]["delta"]["tool_calls"].append(found[0][1])
        else:
            out.append(chunk)
    return out


plant("index-twice-in-chunk", "two entries of one call in a chunk", "index-repeated-in-chunk", stream=_twice_in_chunk)

# --- id ---------------------------------------------------------------------------------------------------------------
plant("id-missing", "no call has an id", "id-missing", stream=opening(without("id")), complete=on_calls(without("id")))
plant(
    "id-null", "every id is null", "id-missing", stream=opening(setting(id=None)), complete=on_calls(setting(id=None))
)
plant("id-empty", "every id is empty", "id-missing", stream=opening(setting(id="")), complete=on_calls(setting(id="")))
plant(
    "id-number",
    "every id is a number",
    "id-not-string",
    stream=opening(setting(id=7)),
    complete=on_calls(setting(id=7)),
)
plant(
    "id-empty-later", "continuations carry an empty id", "id-empty-on-continuation", stream=continuing(setting(id=""))
)
plant(
    "id-and-name-empty-later",
    "continuations carry an empty id, type and name",
    "id-empty-on-continuation name-empty-on-continuation",
    stream=continuing(lambda e: (setting(id="", type="")(e), in_function(setting(name=""))(e), None)[2]),
)


def _changing(chunks: Chunks) -> Chunks:
    for number, (_, entry, opens) in enumerate(list(entries(chunks))):
        if not opens:
            entry["id"] = f"call_other{number}"
    return chunks


plant("id-changing", "every delta has another id", "id-changing", stream=_changing)


def _id_last(chunks: Chunks) -> Chunks:
    held = ""
    for _, entry, opens in list(entries(chunks)):
        if opens:
            held = entry.pop("id")
    list(entries(chunks))[-1][1]["id"] = held
    return chunks


plant("id-last", "the id comes on the last delta", "id-late", stream=_id_last)
plant(
    "id-duplicate",
    "both calls have one id",
    "id-duplicated",
    ask="two",
    stream=opening(setting(id="call_same")),
    complete=on_calls(setting(id="call_same")),
)
plant(
    "id-long",
    "ids have 60 characters",
    "id-too-long",
    stream=opening(setting(id="call_" + "x" * 55)),
    complete=on_calls(setting(id="call_" + "x" * 55)),
)


def _announced_twice(chunks: Chunks) -> Chunks:
    out: Chunks = []
    for chunk in chunks:
        if chunk["choices"] and chunk["choices"][0]["finish_reason"]:
            for again in list(out):
                if list(entries([again])):
                    more = copy.deepcopy(again)
                    for _, entry, opens in entries([more]):
                        entry["index"] = 1
                        if opens:
                            entry["id"] = "fc_tmp_1"
                    out.append(more)
        out.append(chunk)
    return out


plant(
    "call-announced-twice",
    "the call comes again under an id of another form",
    "same-call-announced-twice",
    stream=_announced_twice,
    left="none",
)

# --- type -------------------------------------------------------------------------------------------------------------
plant(
    "type-missing",
    "no call has a type",
    "type-missing",
    stream=opening(without("type")),
    complete=on_calls(without("type")),
)
plant(
    "type-null",
    "every type is null",
    "type-missing",
    stream=opening(setting(type=None)),
    complete=on_calls(setting(type=None)),
)
plant(
    "type-empty",
    "every type is empty",
    "type-missing",
    stream=opening(setting(type="")),
    complete=on_calls(setting(type="")),
)
plant(
    "type-unknown",
    "the type is `tool`",
    "type-unknown",
    stream=opening(setting(type="tool")),
    complete=on_calls(setting(type="tool")),
)
plant(
    "type-empty-later",
    "continuations carry an empty type",
    "type-empty-on-continuation",
    stream=continuing(setting(type="")),
)

# --- name -------------------------------------------------------------------------------------------------------------


def _name_in_pieces(chunks: Chunks) -> Chunks:
    out: Chunks = []
    for chunk in chunks:
        out.append(chunk)
        for _, entry, opens in list(entries([chunk])):
            if opens:
                name = entry["function"]["name"]
                more = copy.deepcopy(chunk)
                entry["function"]["name"] = name[:3]
                more["choices"][0]["delta"] = {
                    "tool_calls": [{"index": entry["index"], "function": {"name": name[3:]}}]
                }
                out.append(more)
    return out


def _name_last(chunks: Chunks) -> Chunks:
    name = ""
    for _, entry, opens in list(entries(chunks)):
        if opens:
            name = entry["function"].pop("name")
    list(entries(chunks))[-1][1]["function"]["name"] = name
    return chunks


def _name_repeated(chunks: Chunks) -> Chunks:
    names: dict[Any, str] = {}
    for _, entry, opens in list(entries(chunks)):
        if opens:
            names[entry["index"]] = entry["function"]["name"]
        else:
            entry["function"]["name"] = names[entry["index"]]
    return chunks


plant("name-in-pieces", "the name comes in two pieces", "name-split", stream=_name_in_pieces)
plant("name-late", "the name comes on the last delta", "name-late", stream=_name_last)
plant("name-repeated", "every delta repeats the name", "name-repeated", stream=_name_repeated)
plant(
    "name-missing",
    "no call has a name",
    "name-missing",
    stream=opening(in_function(without("name"))),
    complete=on_calls(in_function(without("name"))),
    left="unusable",
)
plant(
    "name-empty-later",
    "continuations carry an empty name",
    "name-empty-on-continuation",
    stream=continuing(in_function(setting(name=""))),
)
plant(
    "name-prefixed",
    "the name carries a prefix",
    "name-not-offered",
    stream=opening(lambda e: in_function(setting(name="functions." + e["function"]["name"]))(e)),
    complete=on_calls(lambda e: in_function(setting(name="functions." + e["function"]["name"]))(e)),
    left="unusable",
)


def _changed_name(chunks: Chunks) -> Chunks:
    list(entries(chunks))[-1][1]["function"]["name"] = "other_tool"
    return chunks


plant("name-changed", "the last delta has another name", "name-changed", stream=_changed_name)
plant(
    "function-null-later",
    "a last delta has `function: null`",
    "function-null-in-delta",
    stream=lambda chunks: _with_extra_delta(chunks, {"index": 0, "function": None}),
)
plant(
    "name-at-top",
    "name and arguments stand beside `function`",
    "name-at-top-level",
    complete=on_calls(lambda c: c.update(c.pop("function"))),
)


def _with_extra_delta(chunks: Chunks, entry: Entry) -> Chunks:
    more = copy.deepcopy(chunks[0])
    more["choices"][0]["delta"] = {"tool_calls": [entry]}
    return [*chunks[:-1], more, chunks[-1]]


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
    stream=lambda chunks: _with_extra_delta(chunks, {"index": 0, "function": {"arguments": None}}),
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


# --- and the rest -----------------------------------------------------------------------------------------------------
plant(
    "id-of-an-earlier-turn",
    "a call has the id of an earlier turn",
    "id-reused-across-turns",
    ask="again",
    stream=opening(setting(id="call_before")),
    complete=on_calls(setting(id="call_before")),
)
plant(
    "type-late",
    "the type comes on the second entry",
    "type-late",
    stream=lambda chunks: continuing(setting(type="function"))(opening(without("type"))(chunks)),
)
plant(
    "name-number",
    "the name is a number",
    "name-not-string",
    left="unusable",
    stream=opening(in_function(setting(name=7))),
    complete=on_calls(in_function(setting(name=7))),
)


def _bare_opening(chunks: Chunks) -> Chunks:
    out: Chunks = []
    for chunk in chunks:
        out.append(chunk)
        for _, entry, opens in list(entries([chunk])):
            if opens:
                more = copy.deepcopy(chunk)
                function = entry.pop("function")
                more["choices"][0]["delta"] = {"tool_calls": [{"index": entry["index"], "function": function}]}
                out.append(more)
    return out


plant("function-absent", "the opening entry has no function object", "function-missing", stream=_bare_opening)
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

"""Faults in the entries of tool calls: index, id, type, name."""

from __future__ import annotations

import copy
from typing import Any

from conformance.faults.catalogue import Chunks, plant
from conformance.faults.edit import (
    continuing,
    entries,
    in_function,
    on_calls,
    on_entries,
    opening,
    retold,
    setting,
    with_extra_delta,
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
plant(
    "index-missing-whole",
    "a call comes whole in one entry, without an index",
    "index-missing",
    stream=lambda chunks: on_entries(lambda e, _: (e.pop("index"), None)[1])(retold(lambda t: [t])(chunks)),
)
plant("index-null", "every index is null", "index-missing", stream=on_entries(lambda e, _: setting(index=None)(e)))
plant("index-negative", "every index is -1", "index-missing", stream=on_entries(lambda e, _: setting(index=-1)(e)))
plant("index-float", "every index is 0.5", "index-missing", stream=on_entries(lambda e, _: setting(index=0.5)(e)))
plant("index-only-first", "only opening entries have an index", "index-missing", stream=continuing(without("index")))
plant(
    "index-not-on-opening",
    "only continuations have an index",
    "index-missing",
    ask="two",
    stream=opening(without("index")),
)
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


plant(
    "id-with-colon",
    "ids hold a dot and a colon",
    "id-not-portable",
    stream=opening(setting(id="functions.get_weather:0")),
    complete=on_calls(setting(id="functions.get_weather:0")),
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
    stream=lambda chunks: with_extra_delta(chunks, {"index": 0, "function": None}),
)
plant(
    "name-at-top",
    "name and arguments stand beside `function`",
    "name-at-top-level",
    complete=on_calls(lambda c: c.update(c.pop("function"))),
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

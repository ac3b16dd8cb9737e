"""The accumulators that the reference documents describe, right and wrong, and what each makes of the same bytes.

Impact is measured, not asserted (DESIGN §4.5): an accumulator is hit by an exchange when the calls it would run differ
from the calls that are there. Each variant is the algorithm of reference document 000 §2 with one difference.
Standard library only but for the reading of events.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from conformance.wire.decode import NotJSON, decode
from conformance.wire.facts import Marks
from conformance.wire.sse import events
from conformance.wire.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Variant:
    """One documented accumulator.

    Attributes:
        name: what reports call it.
        title: what it does, one phrase.
        source: where it is described.
        key: what it files entries by.
        default_zero: an entry without an index goes to 0 (else it is an error).
        overwrite_empty: any id or name that is present overwrites, empty strings included.
        append_names: names are concatenated.
        keep_first_list: the entries of the first delta stay as they are; later pieces go to list positions.
        finish_gated: calls run only if the finish reason is `tool_calls`.
        skip_null_content: a first chunk whose content is null is passed over.
        name_first: an entry that opens a call without a name is an error.
        mint_ids: an empty id is replaced by a new one.
        none_ids: an id that never came is `None` instead of `""`.
        strict_types: absent required fields and unknown enum values are errors.
        parse_early: a call is taken as soon as its arguments parse.
    """

    name: str
    title: str
    source: str
    key: Literal["index", "id", "position", "choice"] = "index"
    default_zero: bool = False
    overwrite_empty: bool = False
    append_names: bool = False
    keep_first_list: bool = False
    finish_gated: bool = False
    skip_null_content: bool = False
    name_first: bool = False
    mint_ids: bool = False
    none_ids: bool = False
    strict_types: bool = False
    parse_early: bool = False


VARIANTS: Final = (
    Variant("reference", "keys by index, non-empty id and name once", "reference 000 §2"),
    Variant(
        "overwrite-with-empty", "overwrites id and name with whatever comes", "reference 000 §5", overwrite_empty=True
    ),
    Variant("default-index-to-zero", "files entries without an index under 0", "reference 003", default_zero=True),
    Variant("key-by-id", "files entries by id instead of index", "reference 000 §8", key="id"),
    Variant("position-in-chunk", "files entries by their position in the chunk", "reference 001", key="position"),
    Variant("append-names", "concatenates names", "reference 001", append_names=True),
    Variant("first-delta-list-kept", "keeps the first list of entries as it is", "reference 003", keep_first_list=True),
    Variant("finish-gated", "runs calls only on `finish_reason: tool_calls`", "reference 001", finish_gated=True),
    Variant(
        "content-null-skips", "passes over chunks whose content is null", "reference 000 §8", skip_null_content=True
    ),
    Variant("name-required-first", "rejects an entry that opens without a name", "reference 003", name_first=True),
    Variant("mint-uuid", "replaces an empty id by a new one", "reference 000 §0, §8", mint_ids=True),
    Variant("id-none", "leaves an id that never came as None", "reference 001", none_ids=True),
    Variant("choice-index-as-key", "takes the choice's index for the call's", "reference 003", key="choice"),
    Variant("strict-types", "rejects absent fields and unknown enum values", "reference 000 §6", strict_types=True),
    Variant("parse-before-end", "takes a call as soon as its arguments parse", "reference 001", parse_early=True),
)


class Rejected(Exception):
    """The accumulator raises on these bytes; the message says at what."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A call that an accumulator would run."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What one accumulator makes of an exchange.

    Attributes:
        variant: its name.
        wrong: whether the calls it runs differ from those that are there, or it raises.
        calls: the calls it runs.
        unparsable: the calls it ends with but cannot run, as their arguments parse to no object.
        error: why it raises, "" if it does not.
    """

    variant: str
    wrong: bool
    calls: Sequence[Ran]
    unparsable: Sequence[Ran]
    error: str


def impact(transcript: Transcript, variants: Sequence[Variant] = VARIANTS) -> list[Effect]:
    """Run the documented accumulators on the bytes of a transcript.

    Returns:
        One effect per variant, in order. Only choice 0 is looked at, as the documents do.
    """
    documents = chunks_of(transcript)
    choices = transcript.choices[:1]
    right = [Ran(c.id, c.name, c.arguments) for choice in choices for c in choice.calls if c.usable]
    run = _run_stream if transcript.mode == "stream" else _run_complete
    effects = []
    for variant in variants:
        try:
            calls = run(documents, variant)
            error = ""
        except Rejected as problem:
            calls, error = [], str(problem)
        runnable = [c for c in calls if _parses(c.arguments)]
        rest = [c for c in calls if not _parses(c.arguments)]
        effects.append(Effect(variant.name, bool(error) or not _same(runnable, right), runnable, rest, error))
    return effects


def chunks_of(transcript: Transcript) -> list[dict[str, Any]]:
    """The JSON objects of an exchange in order, up to `[DONE]`."""
    found: list[dict[str, Any]] = []
    texts = (
        (data for _, data, _, _ in events(transcript.body, Marks())) if transcript.kind == "sse" else [transcript.body]
    )
    for data in texts:
        if data.strip() == b"[DONE]":
            break
        try:
            value = decode(data, None, Marks())
        except NotJSON:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _run_stream(chunks: Sequence[Mapping[str, Any]], v: Variant) -> list[Ran]:
    slots: dict[Any, dict[str, Any]] = {}
    last: Any = None
    finish = ""
    listed: list[dict[str, Any]] | None = None
    for number, chunk in enumerate(chunks):
        if v.strict_types:
            _strict_chunk(chunk)
        choice = next((c for c in _items(chunk.get("choices")) if not c.get("index")), None)
        if choice is None:
            continue
        delta = _object(choice.get("delta"))
        finish = _text(choice.get("finish_reason")) or finish
        if v.skip_null_content and "content" in delta and delta["content"] is None:
            continue
        entries = _items(delta.get("tool_calls"))
        if v.keep_first_list and listed is None and entries:
            listed = [_slot(entry, {}, v) for entry in entries]
            slots = dict(enumerate(listed))
            continue
        for position, entry in enumerate(entries):
            if v.strict_types:
                _strict_entry(entry, first=entry.get("index") not in slots)
            key = _key(entry, position, v, last)
            last = key
            slot = slots.get(key)
            if slot is None:
                if v.name_first and not _name(entry):
                    raise Rejected(f"chunk {number}: an entry opens without a name")
                slot = slots[key] = {"id": "", "name": "", "arguments": "", "taken": ""}
            _slot(entry, slot, v)
    if v.finish_gated and finish != "tool_calls":
        return []
    keys = sorted(slots) if v.key != "id" else list(slots)
    return [_ran(slots[key], v) for key in keys]


def _run_complete(documents: Sequence[Mapping[str, Any]], v: Variant) -> list[Ran]:
    found: list[Ran] = []
    for document in documents[:1]:
        for choice in _items(document.get("choices"))[:1]:
            message = _object(choice.get("message"))
            if v.finish_gated and choice.get("finish_reason") != "tool_calls":
                return []
            for entry in _items(message.get("tool_calls")):
                if v.strict_types:
                    _strict_entry(entry, first=True, index=False)
                found.append(_ran(_slot(entry, {}, v), v))
    return found


def _key(entry: Mapping[str, Any], position: int, v: Variant, last: Any) -> Any:
    if v.key == "position":
        return position
    if v.key == "choice":
        return 0
    if v.key == "id":
        # a delta without an id has no slot of its own: it falls into that of the empty id
        return _text(entry.get("id"))
    index = entry.get("index")
    if isinstance(index, int) and not isinstance(index, bool):
        return index
    if v.default_zero:
        return 0
    raise Rejected(f"an entry has no index (the last one was {last!r})")


def _slot(entry: Mapping[str, Any], slot: dict[str, Any], v: Variant) -> dict[str, Any]:
    slot = slot if slot else {"id": "", "name": "", "arguments": "", "taken": ""}
    function = _object(entry.get("function"))
    entry_id, name, text = entry.get("id"), function.get("name"), function.get("arguments")
    if isinstance(entry_id, str) and (entry_id or v.overwrite_empty):
        slot["id"] = entry_id
    if isinstance(name, str) and (name or v.overwrite_empty):
        slot["name"] = slot["name"] + name if v.append_names else name
    if text is not None and not isinstance(text, str):
        raise Rejected("arguments are not a string")
    if text and not slot["taken"]:
        slot["arguments"] += text
        if v.parse_early and _parses(slot["arguments"]):
            slot["taken"] = "yes"
    return slot


def _ran(slot: Mapping[str, Any], v: Variant) -> Ran:
    missing = f"call_{uuid.uuid4().hex}" if v.mint_ids else "None" if v.none_ids else ""
    call_id = slot["id"] or missing
    return Ran(call_id, slot["name"], slot["arguments"])


def _strict_chunk(chunk: Mapping[str, Any]) -> None:
    for field in ("id", "object", "created", "model", "choices"):
        if chunk.get(field) is None:
            raise Rejected(f"a chunk lacks {field}")
    for choice in _items(chunk["choices"]):
        if not isinstance(choice.get("delta"), dict):
            raise Rejected("a choice lacks delta")
        reason = choice.get("finish_reason")
        if reason is not None and reason not in ("stop", "length", "tool_calls", "content_filter", "function_call"):
            raise Rejected(f"unknown finish_reason {reason!r}")


def _strict_entry(entry: Mapping[str, Any], *, first: bool, index: bool = True) -> None:
    number = entry.get("index")
    if index and (not isinstance(number, int) or isinstance(number, bool)):
        raise Rejected("an entry lacks index")
    kind = entry.get("type")
    if kind not in (("function", "custom") if first and not index else (None, "function", "custom")):
        raise Rejected(f"unknown type {kind!r}")
    if not index and not isinstance(entry.get("id"), str):
        raise Rejected("a call lacks id")


def _items(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _name(entry: Mapping[str, Any]) -> str:
    function = entry.get("function")
    return _text(function.get("name")) if isinstance(function, dict) else ""


def _parses(text: str) -> bool:
    try:
        # one variant asks after every piece: a text that cannot be whole yet is not parsed again and again
        return text.rstrip()[-1:] == "}" and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _same(got: Sequence[Ran], right: Sequence[Ran]) -> bool:
    if len(got) != len(right):
        return False
    pairs: Callable[[Ran], tuple[str, str, Any]] = lambda c: (c.id, c.name, json.loads(c.arguments))  # noqa: E731
    return all(pairs(a) == pairs(b) for a, b in zip(got, right, strict=True))

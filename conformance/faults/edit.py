"""Small edits of chunks and documents that the faults are made of. All work on copies that are theirs to change."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from conformance.faults.catalogue import Chunks

Entry = dict[str, Any]
Edit = Callable[[Chunks], Chunks]


def entries(chunks: Chunks) -> Iterator[tuple[dict[str, Any], Entry, bool]]:
    """Every tool-call entry with its chunk, and whether it opens its call."""
    for chunk in chunks:
        for choice in chunk.get("choices", ()) if isinstance(chunk, dict) else ():
            for entry in choice.get("delta", {}).get("tool_calls", ()):
                yield chunk, entry, "id" in entry


def on_entries(edit: Callable[[Entry, bool], None]) -> Edit:
    """Change every entry; the edit is told whether it opens its call."""

    def change(chunks: Chunks) -> Chunks:
        for _, entry, opening in list(entries(chunks)):
            edit(entry, opening)
        return chunks

    return change


def opening(edit: Callable[[Entry], None]) -> Edit:
    """Change the opening entries."""
    return on_entries(lambda entry, opens: edit(entry) if opens else None)


def continuing(edit: Callable[[Entry], None]) -> Edit:
    """Change the continuations."""
    return on_entries(lambda entry, opens: None if opens else edit(entry))


def on_chunks(edit: Callable[[dict[str, Any]], None]) -> Edit:
    """Change every chunk."""

    def change(chunks: Chunks) -> Chunks:
        for chunk in chunks:
            if isinstance(chunk, dict):
                edit(chunk)
        return chunks

    return change


def on_choices(edit: Callable[[dict[str, Any]], None]) -> Edit:
    """Change every choice of every chunk."""

    def change(chunk: dict[str, Any]) -> None:
        for choice in chunk.get("choices", ()):
            edit(choice)

    return on_chunks(change)


def finish_chunk(chunks: Chunks) -> dict[str, Any]:
    """The (first) chunk with the finish reason."""
    found: dict[str, Any] = next(
        c for c in chunks if isinstance(c, dict) and c["choices"] and c["choices"][0]["finish_reason"]
    )
    return found


def finish(reason: Any) -> Edit:
    """Another finish reason."""

    def change(chunks: Chunks) -> Chunks:
        finish_chunk(chunks)["choices"][0]["finish_reason"] = reason
        return chunks

    return change


def pieces(chunks: Chunks, index: int = 0) -> list[Entry]:
    """The continuations of one call."""
    return [entry for _, entry, opens in entries(chunks) if not opens and entry.get("index") == index]


def with_extra_delta(chunks: Chunks, entry: Entry) -> Chunks:
    """A further delta with this entry comes before the finish chunk."""
    more = copy.deepcopy(chunks[0])
    more["choices"][0]["delta"] = {"tool_calls": [entry]}
    return [*chunks[:-1], more, chunks[-1]]


def text_of(chunks: Chunks, index: int = 0) -> str:
    """The whole argument text of one call."""
    return "".join(entry["function"]["arguments"] for entry in pieces(chunks, index))


def retold(tell: Callable[[str], list[Any]]) -> Edit:
    """The argument text of every call comes in these pieces instead, the first one in the opening entry."""

    def change(chunks: Chunks) -> Chunks:
        said = copy.deepcopy(chunks)
        out: Chunks = []
        for chunk in said:
            listed = list(entries([chunk]))
            if not listed:
                out.append(chunk)
                continue
            _, entry, opens = listed[0]
            if not opens:
                continue
            first, *rest = tell(text_of(chunks, entry["index"])) or [""]
            entry["function"]["arguments"] = first
            out.append(chunk)
            for piece in rest:
                more = copy.deepcopy(chunk)
                more["choices"][0]["delta"] = {
                    "tool_calls": [{"index": entry["index"], "function": {"arguments": piece}}]
                }
                out.append(more)
        return out

    return change


def spoken(make: Callable[[str], str]) -> tuple[Edit, Callable[[dict[str, Any]], dict[str, Any]]]:
    """The same change of the argument text, for a stream (in pieces of nine) and for a document."""

    def tell(text: str) -> list[Any]:
        changed = make(text)
        return ["", *(changed[i : i + 9] for i in range(0, len(changed), 9))]

    def document(body: dict[str, Any]) -> dict[str, Any]:
        for call in calls(body):
            call["function"]["arguments"] = make(call["function"]["arguments"])
        return body

    return retold(tell), document


def calls(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls of a document."""
    return [call for choice in body["choices"] for call in choice["message"].get("tool_calls", ())]


def on_calls(edit: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Change every call of a document."""

    def change(body: dict[str, Any]) -> dict[str, Any]:
        for call in calls(body):
            edit(call)
        return body

    return change


def on_message(edit: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Change the message of every choice of a document."""

    def change(body: dict[str, Any]) -> dict[str, Any]:
        for choice in body["choices"]:
            edit(choice["message"])
        return body

    return change


def on_choice(edit: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Change every choice of a document."""

    def change(body: dict[str, Any]) -> dict[str, Any]:
        for choice in body["choices"]:
            edit(choice)
        return body

    return change


def without(*keys: str) -> Callable[[dict[str, Any]], None]:
    """Take keys away."""

    def edit(item: dict[str, Any]) -> None:
        for key in keys:
            item.pop(key, None)

    return edit


def setting(**values: Any) -> Callable[[dict[str, Any]], None]:
    """Set keys."""

    def edit(item: dict[str, Any]) -> None:
        item.update(copy.deepcopy(values))

    return edit


def in_function(edit: Callable[[dict[str, Any]], None]) -> Callable[[Entry], None]:
    """Change the function object of an entry or call."""
    return lambda entry: edit(entry.setdefault("function", {}))


def event(data: Any) -> bytes:
    """One honest event."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    try:
        raw = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair can only be sent as an escape
        raw = json.dumps(data, separators=(",", ":")).encode()
    return b"data: " + raw + b"\n\n"

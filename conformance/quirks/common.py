"""Vocabulary for quirk files: sources they cite, and short ways to write wire examples.

All example content is invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from conformance.quirks.registry import Example, Hit, Source
from conformance.wire.facts import Mark
from conformance.wire.reasons import tokens_left
from conformance.wire.transcript import Call, Transcript

WEATHER: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}
CLOCK: Final[dict[str, Any]] = {
    "type": "function",
    "function": {"name": "get_time", "parameters": {"type": "object", "properties": {}}},
}
TOOLS: Final[dict[str, Any]] = {"tools": [WEATHER, CLOCK]}


def reference(document: str, section: str = "") -> Source:
    """One of the three reference documents the project comes from: `000`, `001` or `003`."""
    titles = {
        "000": "Reference 000, OpenAI Chat Completions: streaming tool calls",
        "001": "Reference 001, Stream tool calls",
        "003": "Reference 003, Why parallel tool calls merge",
    }
    return Source(titles[document] + (f", {section}" if section else ""), date="2026-11-30")


def api(section: str = "chat-streaming") -> Source:
    """The OpenAI API reference; `chat-streaming` for chunks, `chat` for complete answers."""
    kind = "streaming" if section == "chat-streaming" else "chat completion object"
    return Source(
        f"OpenAI API reference, {kind}", f"https://platform.openai.com/docs/api-reference/{section}", "2026-11-30"
    )


def issue(name: str, provider: str = "", date: str = "") -> Source:
    """A public report, named `owner/repository#number`."""
    repository, number = name.split("#")
    return Source(name, f"https://github.com/{repository}/issues/{number}", date, provider)


SSE_STANDARD: Final = Source(
    "WHATWG HTML, server-sent events, interpreting an event stream",
    "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation",
    "2026-11-30",
)
JSON_STANDARD: Final = Source("RFC 8259", "https://www.rfc-editor.org/rfc/rfc8259", "2026-11-30")
HTTP_STANDARD: Final = Source("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110", "2026-11-30")


# --- examples ---------------------------------------------------------------------------------------------------------


def entry(index: Any = 0, id: Any = ..., name: Any = ..., arguments: Any = ..., **more: Any) -> dict[str, Any]:  # noqa: A002
    """An entry of `tool_calls`; `...` leaves a field out. `type` comes with an id unless given."""
    out: dict[str, Any] = {} if index is ... else {"index": index}
    if id is not ...:
        out["id"] = id
    if "type" in more:
        kind = more.pop("type")
        if kind is not ...:
            out["type"] = kind
    elif isinstance(id, str) and id:
        out["type"] = "function"
    function: dict[str, Any] = {}
    if name is not ...:
        function["name"] = name
    if arguments is not ...:
        function["arguments"] = arguments
    if function:
        out["function"] = function
    return {**out, **more}


def calls(*entries: Any, **more: Any) -> dict[str, Any]:
    """A delta with these entries."""
    return {"tool_calls": list(entries), **more}


def chunk(delta: Any = None, finish: Any = None, /, **more: Any) -> dict[str, Any]:
    """A chunk with one choice."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish}],
        **more,
    }


def events(*chunks: Any) -> str:
    """SSE text: dicts become JSON, strings stand as data lines as they are."""
    texts = (c if isinstance(c, str) else json.dumps(c, ensure_ascii=False, separators=(",", ":")) for c in chunks)
    return "".join(f"data: {text}\n\n" for text in texts)


def stream(
    *deltas: Any, finish: Any = "tool_calls", done: bool = True, request: Mapping[str, Any] | None = None
) -> Example:
    """A stream of these deltas with an honest frame around them: role first, finish chunk, `[DONE]`."""
    first = {"role": "assistant", "content": None, **deltas[0]} if deltas else {"role": "assistant", "content": ""}
    chunks: list[Any] = [chunk(first), *(chunk(d) for d in deltas[1:])]
    if finish is not None:
        chunks.append(chunk({}, finish))
    if done:
        chunks.append("[DONE]")
    return Example(events(*chunks), {**TOOLS, **(request or {})})


def complete(
    *entries: Any, finish: Any = "tool_calls", request: Mapping[str, Any] | None = None, **message: Any
) -> Example:
    """A complete answer with these calls; fields of `message` are added, `...` takes one away."""
    said: dict[str, Any] = {"role": "assistant", "content": None}
    if entries:
        said["tool_calls"] = list(entries)
    said = {k: v for k, v in {**said, **message}.items() if v is not ...}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
    }
    return Example(json.dumps(body, ensure_ascii=False), {**TOOLS, **(request or {})})


def beside(streamed: Example, whole: Example) -> Example:
    """A stream, with the answer to the same request with `stream: false`."""
    return replace(streamed, twin=whole.body)


def past(*messages: dict[str, Any]) -> Example:
    """A request with these messages behind the user's, answered honestly with text."""
    asked = {"messages": [{"role": "user", "content": "Paris?"}, *messages]}
    return stream({"content": "It is "}, {"content": "mild."}, finish="stop", request=asked)


def past_call(id: Any = "call_a1", arguments: Any = '{"city":"Paris"}', **more: Any) -> dict[str, Any]:  # noqa: A002
    """A call as it stands in a history."""
    return {"id": id, "type": "function", "function": {"name": "get_weather", "arguments": arguments}, **more}


def past_turn(*made: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An assistant message with calls."""
    return {"role": "assistant", "content": None, "tool_calls": list(made), **more}


def past_result(id: str = "call_a1", content: str = "mild") -> dict[str, Any]:  # noqa: A002
    """A tool's result."""
    return {"role": "tool", "tool_call_id": id, "content": content}


PARIS: Final = '{"city":"Paris"}'
TOKYO: Final = '{"city":"Tokyo"}'
GOOD_STREAM: Final = stream(
    calls(entry(0, "call_a1", "get_weather", "")),
    calls(entry(0, arguments='{"city":')),
    calls(entry(0, arguments='"Paris"}')),
)
GOOD_PARALLEL: Final = stream(
    calls(entry(0, "call_a1", "get_weather", "")),
    calls(entry(0, arguments=PARIS)),
    calls(entry(1, "call_b2", "get_weather", "")),
    calls(entry(1, arguments=TOKYO)),
)
GOOD_COMPLETE: Final = complete(entry(..., "call_a1", "get_weather", PARIS))
GOOD_TEXT: Final = stream({"content": "It is "}, {"content": "mild."}, finish="stop")
GOOD_PAST: Final = past(past_turn(past_call()), past_result())
GOOD_TEXT_COMPLETE: Final = complete(finish="stop", content="It is mild.")


# --- checks -----------------------------------------------------------------------------------------------------------


def marked(t: Transcript, fact: str, *spellings: str) -> Iterator[tuple[Call, Mark, int]]:
    """The calls with this fact (in one of the spellings, if some are given), its mark, and how often."""
    for call in t.calls:
        count = call.facts.count(fact, *spellings)
        if count:
            yield call, call.facts[fact], count


def spelled(mark: Mark, *spellings: str) -> str:
    """The spellings seen, for a message: `absent`, `null or ""`."""
    words = {"empty": '""'}
    seen = [words.get(s, s) for s in mark.spellings if not spellings or s in spellings]
    return " or ".join(seen) or "odd"


def limited(t: Transcript, call: Call) -> bool:
    """Whether the answer says that the token limit or a filter ended the choice this call belongs to."""
    return any(c.limited for c in t.choices if c.index == call.choice)


def spent(t: Transcript) -> bool:
    """Whether the answer used up the request's token limit, by its own count."""
    left = tokens_left(t.asked.body, t.usage)
    return left is not None and left <= 0 and len(t.choices) == 1


def failed(t: Transcript, call: Call) -> bool:
    """Whether the answer says that the choice this call belongs to failed."""
    return any(c.failed for c in t.choices if c.index == call.choice)


def counted(n: int, one: str, several: str = "") -> str:
    """A number with what is counted, for a message: `1 entry has`, `3 entries have`; `several` is `one` with an s."""
    return f"{n:,} {one if n == 1 else several or one + 's'}"


def in_chunks(t: Transcript, n: int, one: str, several: str) -> str:
    """How many chunks do something, with the verb for one and for several: `3 chunks have`; `the answer has`."""
    return f"the answer {one}" if t.mode == "complete" and n == 1 else counted(n, f"chunk {one}", f"chunks {several}")


def came(field: str, mark: Mark) -> str:
    """What came in a field instead of what it holds elsewhere: `index absent`, `index null`, `index -1`."""
    blank = not {"absent", "null", "empty"}.isdisjoint(mark.spellings)
    return f"{field} {spelled(mark)}" if blank or mark.sample is None else f"{field} {mark.sample}"


def of_call(call: Call) -> str:
    """How to name a call in a message."""
    return f"call {call.index} ({call.name or 'without a name'})"


def answer_hit(mark: Mark, message: str, actual: str = "") -> Hit:
    """A hit about the answer as a whole."""
    return Hit(message, actual, mark)

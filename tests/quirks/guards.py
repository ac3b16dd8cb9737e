"""A streaming accumulator with one line for each thing that a guard of the catalogue replaces, in two languages.

The lines are those of a client that is right about everything else, so that what a guard does shows by itself.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, Final

PYTHON: Final = """
opened, calls, key_of_id, last_key, finish_reason = [], {{}}, {{}}, None, None
native_finish_reason, done, usage = None, False, None
for event, data in events:
    if data == "[DONE]":
        done = True
        continue
    {chunk}
    {error}
    usage = chunk.usage or usage
    {choices}
    for choice in choices or []:
        {finish}
        native_finish_reason = native_finish_reason or choice.native_finish_reason
        delta = choice.delta
        {entries}
        for entry in entries:
            {index}
            {key}
            call = calls.get(key)
            def open_call():
                opened.append(Object(id="", name="", type="", arguments="", pieces=[]))
                return opened[-1]
            if call is None:
                call = calls[key] = open_call()
            {reuse}
            {id}
            {kind}
            call.type = call.type or kind
            piece = entry.function.name if entry.function else None
            {name}
            value = entry.function.arguments if entry.function else None
            {text}
            piece = text
            {copy}
            {add}
            call.pieces.append(piece)
{order}
{end}
results = []
for call in calls:
    text, pieces = call.arguments, call.pieces
    {whole}
    call.arguments = text
    {parse}
    results.append([call.id, call.name, arguments])
"""
PYTHON_LINES: Final = {
    "chunk": "chunk = json.loads(data)",
    "error": "pass",
    "choices": "choices = chunk.choices",
    "finish": "finish_reason = finish_reason or choice.finish_reason",
    "entries": "entries = delta.tool_calls or []",
    "index": "index = entry.index",
    "key": "key = index",
    "reuse": "pass",
    "id": "call.id = call.id or entry.id or ''",
    "kind": "kind = entry.type",
    "name": "call.name = call.name or (entry.function.name if entry.function else None) or ''",
    "text": "text = value or ''",
    "copy": "pass",
    "add": "call.arguments += piece",
    "order": "calls = opened",
    "end": "pass",
    "whole": "pass",
    "parse": "arguments = attempt(text or '{}')",
}

TYPESCRIPT: Final = """
const opened = [], keyOfId = new Map();
let calls = new Map(), lastKey, finishReason = null, nativeFinishReason = null, done = false, usage = null;
const attempt = (text) => {{ try {{ return JSON.parse(text); }} catch {{ return null; }} }};
const openCall = () => {{
  opened.push({{ id: "", name: "", type: "", arguments: "", pieces: [] }});
  return opened.at(-1);
}};
for (const [event, data] of events) {{
  if (data === "[DONE]") {{ done = true; continue; }}
  {chunk}
  {error}
  usage = chunk.usage ?? usage;
  {choices} {{
    {finish}
    nativeFinishReason ||= choice.native_finish_reason;
    const delta = choice.delta;
    {entries}
    {loop} {{
      {index}
      {key}
      let call = calls.get(key);
      if (!call) calls.set(key, (call = openCall()));
      {reuse}
      {id}
      {kind}
      call.type ||= kind;
      let piece = entry.function?.name;
      {name}
      const value = entry.function?.arguments;
      {text}
      piece = text;
      {add}
      call.pieces.push(piece);
    }}
  }}
}}
calls = opened;
{end}
const results = [];
for (const call of calls) {{
  let text = call.arguments;
  const pieces = call.pieces;
  {whole}
  call.arguments = text;
  {parse}
  results.push([call.id, call.name, args]);
}}
return results;
"""
TYPESCRIPT_LINES: Final = {
    "chunk": "const chunk = JSON.parse(data);",
    "error": "",
    "choices": "for (const choice of chunk.choices)",
    "finish": "finishReason ??= choice.finish_reason;",
    "entries": "const entries = delta.tool_calls ?? [];",
    "loop": "for (const entry of entries)",
    "index": "const index = entry.index;",
    "key": "const key = index;",
    "reuse": "",
    "id": 'call.id ||= entry.id ?? "";',
    "kind": "const kind = entry.type;",
    "name": 'call.name ||= entry.function?.name ?? "";',
    "text": 'const text = value ?? "";',
    "add": "call.arguments += piece;",
    "end": "",
    "whole": "",
    "parse": 'const args = attempt(text || "{}");',
}


class Object(dict[str, Any]):
    """A JSON object as the openai SDK shows it: what is absent is None."""

    def __getattr__(self, name: str) -> Any:
        return self.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def _attempt(text: str) -> Any:
    """What the text says, None if it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _filled(program: str, lines: Mapping[str, str], slot: str, code: str) -> str:
    """The program with this code for the slot, at the slot's indentation."""
    said = {**lines, slot: code}
    return (
        re.sub(
            r"^( *)((?:[^{\n]|\{\{)*)\{(\w+)\}(.*)$",
            lambda m: m[1] + m[2] + said[m[3]].replace("\n", "\n" + m[1]) + m[4],
            program,
            flags=re.MULTILINE,
        )
        .replace("{{", "{")
        .replace("}}", "}")
    )


def events_of(body: str) -> list[tuple[str, str]]:
    """The events of a stream that ended, each with its name."""
    found = []
    for event in body.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in event.split("\n"))
        found.append((fields.get("event", ""), fields["data"]))
    return found


def run_python(slot: str, code: str, body: str, **known: Any) -> list[list[Any]]:
    """What the accumulator ends with, as [id, name, arguments]; raises what the guard raises."""
    scope: dict[str, Any] = {
        "events": events_of(body),
        "Object": Object,
        "json": SimpleNamespace(
            loads=lambda text: json.loads(text, object_hook=Object), dumps=lambda v: json.dumps(v, ensure_ascii=False)
        ),
        "log": SimpleNamespace(warning=lambda *_: None),
        "pairwise": pairwise,
        "attempt": _attempt,
        **known,
    }
    exec(_filled(PYTHON, PYTHON_LINES, slot, code), scope)
    return list(scope["results"])


def script(slot: str, code: str) -> str:
    """The body of a JavaScript function of `events` and `maxTokens` with this guard in its place."""
    untyped = re.sub(r"(?<=\))!", "", code)  # `x()!` says to the compiler alone that there is a value
    return _filled(TYPESCRIPT, TYPESCRIPT_LINES, slot, untyped)


def run_typescript(node: str, programs: list[tuple[str, str]], known: Mapping[str, Any]) -> list[Any]:
    """What each program ends with on its stream: a list of calls, or the message of what it throws.

    Args:
        node: the interpreter.
        programs: the function body and the stream of each.
        known: other variables.
    """
    given = json.dumps({"programs": [[code, events_of(body)] for code, body in programs], "known": known})
    main = (
        'const { programs, known } = JSON.parse(require("fs").readFileSync(0, "utf8"));'
        "console.log(JSON.stringify(programs.map(([code, events]) => { try {"
        ' return new Function("events", ...Object.keys(known), `"use strict";${code}`)'
        "(events, ...Object.values(known)); } catch (error) { return String(error); } })));"
    )
    done = subprocess.run([node, "-e", main], input=given, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))

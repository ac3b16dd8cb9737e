"""Why argument text does not parse: exactly one class for each text, so that one fault is one quirk.

The classes come from how servers and models fail, seen in public reports; the order decides where two readings fit.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Final, Literal

from conformance.wire.repair import repair_arguments
from conformance.wire.transcript import Call

ArgumentsFault = Literal[
    "",
    "not-object",
    "beyond-limits",
    "nan",
    "whitespace-runaway",
    "template-markers",
    "glued",
    "trailing-text",
    "lost-braces",
    "python-literal",
    "raw-control",
    "invalid-escape",
    "truncated",
    "not-json",
]

MARKERS: Final = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|<｜[^｜]{1,40}｜>|</?tool_calls?\b[^>]*>|</?function_?calls?\b|</?function\b|</?parameter\b"
    r"|</?invoke\b|\[/?TOOL_CALLS?\]|\[/?INST\]|</s>|<\|eom_id\|>|<(?:end|start)_of_turn>|</?arg_(?:key|value)>",
    re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"\\(.?)", re.DOTALL)
_KNOWN_ESCAPES: Final = frozenset('"\\/bfnrtu')
_RUNAWAY: Final = 40
_MOST_PYTHON: Final = 100_000


def classify(call: Call) -> ArgumentsFault:
    """The one class of fault of a call's argument text; `""` if it parses to an object (or is free text)."""
    error = call.parse_error
    if not error:
        return ""
    if error == "NaN":
        return "nan"
    if error.startswith("beyond limits"):
        return "beyond-limits"
    text = call.arguments
    if error.startswith("not an object"):
        return "not-object"
    end = _end_of_object(text)
    if end is not None:
        rest = text[end:]
        if MARKERS.search(rest):
            return "template-markers"
        return "glued" if _is_object(rest.strip()) or _end_of_object(rest.lstrip()) is not None else "trailing-text"
    stripped = text.strip()
    if len(text) - len(text.rstrip()) >= _RUNAWAY or _inner_runaway(text):
        return "whitespace-runaway"
    if not stripped.startswith(("{", "[", "(")) and _is_object("{" + stripped):
        return "lost-braces"
    if _is_python(stripped):
        return "python-literal"
    if isinstance(call.lenient_value, dict):
        return "raw-control"
    mended = _ESCAPE.sub(_escaped, text)
    if mended != text and (_is_object(mended) or _is_open(mended)):
        return "invalid-escape"
    if MARKERS.search(text):
        return "template-markers"
    if _is_open(text):
        return "truncated"
    return "not-json"


def _escaped(found: re.Match[str]) -> str:
    """An escape, with its backslash escaped if JSON does not know it."""
    char = found.group(1)
    return found.group() if not char or char in _KNOWN_ESCAPES else "\\\\" + char


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text, parse_int=float), dict)  # no digits are too many
    except (ValueError, RecursionError):
        return False


def _end_of_object(text: str) -> int | None:
    """Where a leading object ends, None if the text does not begin with a whole one."""
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] != "{":
        return None
    try:
        _, end = json.JSONDecoder(parse_int=float).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return end


def _is_open(text: str) -> bool:
    """Whether the text is the beginning of an object that goes on."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(text.rstrip()) - 1
        open_string = error.msg.startswith(("Unterminated string", "Invalid \\u", "Invalid \\escape"))
        if not (at_end or open_string or text[error.pos :].strip() in _LITERAL_STARTS):
            return False
    except (ValueError, RecursionError):  # an integer of thousands of digits, or nesting without end
        return False
    mended = repair_arguments(text)
    # what ends in a closing bracket was not cut: a trailing comma, say, is the model's mistake
    return mended.method == "closed" or (mended.method == "trimmed" and not set(mended.removed) & set("}]"))


_LITERAL_STARTS: Final = frozenset(w[:n] for w in ("true", "false", "null") for n in range(1, 5)) | {"-"}


def _inner_runaway(text: str) -> bool:
    run = re.search(r"\s{200,}", text)
    return run is not None


def _is_python(text: str) -> bool:
    if (
        not text.startswith("{")
        or len(text) > _MOST_PYTHON
        or ("'" not in text and not re.search(r"\b(True|False|None)\b", text))
    ):
        return False
    try:
        return isinstance(ast.literal_eval(text), dict)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return False

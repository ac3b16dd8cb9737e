"""Which trait of a request an HTTP error rejects, if the error lets it be known.

Blaming the wrong trait is worse than blaming none: a trait is blamed when the error names it and no other, or when the
error names nothing at all and the request holds nothing else that is unusual.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.quirks.asked import FIELDS, made_up, traits
from conformance.quirks.history._turns import call_ids
from conformance.quirks.traits import Trait
from conformance.wire.transcript import Asked, Transcript

REJECTIONS: Final = frozenset((400, 415, 422, 501))
"""HTTP statuses by which a server rejects a request for what stands in it."""

_ID: Final = (
    r"tool[ _]?call[ _]?ids?\b|tool_calls\W{1,4}\d+\W{1,4}id\b"
    r"|(?<!request[ _])\bids?\b(?=.{0,40}\b(?:string|length|empty|must|invalid|match))"
)
_SCHEMA: Final = r"\bschemas?\b|\b(?:functions?|tools?)\b.{0,60}\bparameters\b"
_NAME: Final = r"\b(?:functions?|tools?)\b.{0,60}\bname\b|\bname\b.{0,40}(?:pattern|match|characters|too long|length)"
_CONTENT: Final = r"\bcontents?\b(?![ _-]?(?:type|filter|policy))"
# vLLM 0.32 stops at the type that holds them
_ARGUMENTS: Final = r"\barguments\b|FunctionToolCallParam\.function\b"
_CHOICE: Final = r"tool[ _]choice|function_call\b"
_PATTERNS: Final[Mapping[Trait, str]] = {
    "content-null": _CONTENT,
    "content-absent": _CONTENT,
    "content-empty": _CONTENT,
    "arguments-empty": _ARGUMENTS,
    "arguments-invalid": _ARGUMENTS,
    "arguments-object": _ARGUMENTS,
    "reasoning": r"reasoning(?![ _]effort)|thinking",
    "empty-id": _ID,
    "long-id": _ID,
    "foreign-id": _ID,
    "result-array": rf"{_CONTENT}|expected a string|\bsequence\b",
    "result-empty": _CONTENT,
    "result-with-ref": r"\$ref|\$defs|referenced name|display_name",
    "result-without-name": r"function_response\W{1,3}name|\btool (?:message|result|response)s?\b.{0,40}\bname\b"
    r"|messages\W{1,4}\d+\W{1,6}name\b",
    "result-missing": r"followed by|respond(?:ing)? to each|not the same number|tool_call_ids did not have"
    r"|(?:missing|no|without) (?:tool )?(?:result|response|output)",
    "result-orphan": r"preced|orphan|tool_call_id\b.{0,60}(?:not found|unknown|no match)|must follow"
    r"|role\W{1,4}tool\W{1,4}(?:must|after)|tool\W{1,4}after",
    "results-reordered": r"\border(?:ed)?\b|expected tool|tool_call_id\b.{0,60}(?:expected|match)",
    "user-after-result": r"role\W{1,3}user|\balternat|user\W{1,4}after|message order",
    "tools-omitted": r"\btools\b|tool_?config",
    "tools-empty": r"\btools\b|too short|at least (?:1|one)|min_?(?:items|length)",
    "too-many-tools": r"\b(?:tools|functions|array|list)\b.{0,80}(?:too (?:many|long)|maximum|at most|exceed|limit)"
    r"|(?:too many|maximum|at most|limit).{0,80}\b(?:tools|functions)\b|\b128\b",
    "parameters-absent": _SCHEMA,
    "properties-empty": rf"\bpropert|{_SCHEMA}",
    "schema-ref": rf"\$ref|\$defs|{_SCHEMA}",
    "schema-union": rf"oneof|anyof|allof|{_SCHEMA}",
    "type-array": rf"\b(?:tools?|functions?|propert\w+)\b.{{0,120}}\btype\b|{_SCHEMA}",
    "strict": r"\bstrict\b",
    "long-name": _NAME,
    "dotted-name": _NAME,
    "duplicate-names": r"duplicat|\bunique|same name|more than once",
    "tool-choice": _CHOICE,
    "choice-without-tools": _CHOICE,
    "choice-unknown": rf"{_CHOICE}|\b(?:tool|function)\b.{{0,80}}not (?:found|present|in\b|offered|defined)",
    "parallel-disabled": r"parallel[ _]?tool",
    "n": r"(?<![\w.\\])(?-i:n)(?![\w.])|number of (?:choices|completions)|multiple (?:choices|completions)",
}
_WORDS: Final = {trait: re.compile(pattern, re.IGNORECASE) for trait, pattern in _PATTERNS.items()}
_UNKNOWN: Final = re.compile(
    r"unknown|unrecogni[sz]ed|unexpected|unsupported|\bextra\b|not (?:permitted|allowed|supported)", re.IGNORECASE
)
_ABOUT_OTHER: Final = re.compile(
    r"api[ _-]?key|authenticat|unauthori[sz]ed|quota|billing|credit|rate.?limit|context.?(?:length|window|size)"
    r"|too many tokens|maximum.{0,30}tokens|model\b[^.]{0,80}\b(?:not (?:found|exist|supported|available)|n't exist"
    r"|decommission|deprecat|no longer)|no such model|content.?(?:filter|policy|management)|moderation"
    r"|failed.generation|tool_use_failed|enable-auto-tool-choice|response_format",
    re.IGNORECASE,
)
_DEMANDED: Final = re.compile(
    r"(?:reasoning_content|reasoning_details|thought[_ ]?signature)\b.{0,120}(?:must|required|missing|pass)"
    r"|missing.{0,60}(?:reasoning_content|reasoning_details|thought.?signature)",
    re.IGNORECASE,
)
_ID_FORM: Final = re.compile(
    r"\blength\b|characters?\b|alphanumeric|a-z|\bpattern|\bformat\b|too long|\bmatch", re.IGNORECASE
)
_ID_WORDS: Final = re.compile(_ID, re.IGNORECASE)
_NOUNS: Final = re.compile(
    r"tool|function|\bmessages?\b|content|schema|argument|\broles?\b|\bmodel\b|token|context|\bids?\b|\bname|choice|key"
    r"|\bfield|propert|\$ref|\$defs|reasoning|thinking|signature|image|\bfile|\buser\b|assistant|parallel|strict",
    re.IGNORECASE,
)
# fmt: off
_COMMON: Final = frozenset((
    "model", "messages", "tools", "stream", "stream_options", "temperature", "top_p", "seed", "user", "max_tokens",
    "max_completion_tokens", "tool_choice", "parallel_tool_calls", "n",
))
# fmt: on
# what errors repeat of the request or of the answer, and what LiteLLM writes behind every error
_ECHOED: Final = frozenset(("input", "ctx", "url", "request", "failed_generation", "user_id", "request_id", "type"))
_ECHO: Final = re.compile(r"['\"]input['\"]: .*|received model group=.*", re.IGNORECASE | re.DOTALL)
_MOST: Final = 4000


def is_rejection(t: Transcript) -> bool:
    """Whether the server rejected the request by an HTTP status."""
    return t.exchange.status in REJECTIONS


def said(t: Transcript) -> str:
    """Everything the error says about the request: message, parameter, code, paths, nested upstream errors."""
    value: Any = t.error
    if value is None or set(value) == {"message"}:
        text = t.body[: 64 * _MOST].decode("utf-8", "replace")
        value = _document(text) or text
    return "\n".join(_texts(value, 0))[:_MOST]


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _texts(value: Any, depth: int) -> Iterator[str]:
    if depth > 8:
        return
    if isinstance(value, str):
        inside = _document(value) if value.lstrip().startswith("{") else None
        yield from [_ECHO.sub("", value)] if inside is None else _texts(inside, depth + 1)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if str(key) not in _ECHOED:
                yield from _texts(inner, depth + 1)
    elif isinstance(value, list):
        if value and all(isinstance(part, str | int) for part in value):
            yield ".".join(map(str, value))  # a path, as FastAPI writes it
        else:
            for inner in value:
                yield from _texts(inner, depth + 1)


def is_vague(t: Transcript) -> bool:
    """Whether the error names no part of the request at all."""
    text = said(t)
    return not _NOUNS.search(text) and not _ABOUT_OTHER.search(text) and not _named(t, text)


def demanded(t: Transcript) -> str:
    """The words by which a rejection demands reasoning or a signature to be sent back; "" if it does not."""
    match = _DEMANDED.search(said(t)) if is_rejection(t) else None
    return match[0] if match else ""


def blamed(t: Transcript) -> Trait | None:
    """The trait that the error is about; None if it is no rejection, is about something else, or cannot be told."""
    if not is_rejection(t) or not t.asked.known:
        return None
    text = said(t)
    if _ABOUT_OTHER.search(text) or _DEMANDED.search(text):
        return None
    named = _named(t, text)
    if not named and _over_ids(t.asked, text):
        return "foreign-id"
    if named:
        return named[0] if len(named) == 1 else None
    unusual = [trait for trait in traits(t.asked) if trait != "result-without-name"]
    return unusual[0] if len(unusual) == 1 and is_vague(t) and _else_plain(t.asked) else None


def _over_ids(asked: Asked, text: str) -> bool:
    """Whether an id is rejected that cannot be the server's own: it demands another form, or a scenario made it up."""
    if not any(call_id for call_id, _ in call_ids(asked.messages)) or not _ID_WORDS.search(text):
        return False
    return made_up(asked) or bool(_ID_FORM.search(text))


def _named(t: Transcript, text: str) -> list[Trait]:
    return [trait for trait, pointer in traits(t.asked).items() if _names(text, trait, pointer)]


def _names(text: str, trait: Trait, pointer: str) -> bool:
    if trait in ("unknown-field", "call-fields"):
        key = re.escape(pointer.rpartition("/")[2])
        named = re.search(rf"(?<!\w){key}(?!\w)", text) is not None
        return named and (trait == "call-fields" or bool(_UNKNOWN.search(text)))
    return bool(_WORDS[trait].search(text)) and _same_place(text, pointer)


def _same_place(text: str, pointer: str) -> bool:
    """False if the error names messages or tools by number, and others than the one at the pointer."""
    parts = pointer.split("/")
    if len(parts) < 3 or not parts[2].isdigit():
        return True
    numbers = re.findall(rf"\b{parts[1]}\b\W{{1,6}}(\d+)", text)
    return not numbers or parts[2] in numbers


def _else_plain(asked: Asked) -> bool:
    """Whether everything else in the request is what every server takes: common fields, text only."""
    if asked.body.keys() & (FIELDS - _COMMON):
        return False
    parts = [p for m in asked.messages if isinstance(m.get("content"), list) for p in m["content"]]
    return all(isinstance(part, Mapping) and part.get("type") == "text" for part in parts)

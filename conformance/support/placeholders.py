"""Placeholders for what people and models wrote: as long as it, of the same form, and saying nothing.

`Anna, 7 May` becomes `Xxxx, 1 Xxx`. Punctuation, white space and escapes stay, because the verdict depends on them; so
do the words that the offered tools consist of, the protocol's own, and the markup of chat templates.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

_LITERALS: Final = ("true", "false", "null", "True", "False", "None", "NaN", "Infinity", "inf", "nan")
PROTOCOL: Final = frozenset(
    (
        *("name", "arguments", "parameters", "function", "type", "id", "tool", "call", "tool_call", "tool_calls"),
        *("tool_call_id", "ref", "defs"),
        *_LITERALS,
    )
)
"""Words that checks look for in text."""

_PROSE: Final = frozenset(("description", "title", "$comment", "examples"))
_KEPT: Final = re.compile(
    r"<\|[^|<>\n]{1,40}\|?>|<｜[^｜<>\n]{1,40}｜?>|<\|tool▁call|</?\w{0,40}:?(?:longcat_tool_call|start_function_call)\b"
    r"|</?\w{0,40}:?(?:tool_?calls?|function_?calls?|function|parameter|invoke|arg_key|arg_value)\b"
    r"|<(?:end|start)_of_turn>|</s>|\[/?(?:TOOL_CALLS?|INST)\]|commentary to=|```(?:json|tool_call|xml)?"
    r"|&(?:lt|gt|amp|quot|apos|#39|#x27|#34);"
    r"|(?-i:\*R(?:[EDACT]|\*R)*)",  # the placeholder of a secret
    re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"(\\+)(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BACKSLASHES: Final = re.compile(r"(?<!\\)(?:\\\\)+(?!\\)")
_WORD: Final = re.compile(r"\w+")
_PART: Final = re.compile(r"\w+|[^\x00-\x7f]")
_ESCAPED_WORD: Final = re.compile(r"(?:\w|(?<!\\)\\+u[0-9a-fA-F]{4})+")
_OTHER_ESCAPE: Final = re.compile(r"(?<!\\)\\+(?!u[0-9a-fA-F]{4})[^\\]", re.DOTALL)
_HEX: Final = re.compile(r"\\+u([0-9a-fA-F]{4})")
_CHARACTER: Final = re.compile(r"[A-Za-z0-9]|[^\x00-\x7f]")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


def placeholder(char: str) -> str:
    """What stands for one character: of the same kind, and as long in UTF-8; punctuation stands for itself."""
    if char.isascii():
        return "1" if char.isdigit() else "X" if char.isupper() else "x"
    point = ord(char)
    if 0xD800 <= point < 0xE000:  # half of a surrogate pair stands for half of one
        return chr(0xD835 if point < 0xDC00 else 0xDC31)
    if char == "\ufffd" or unicodedata.category(char)[0] in "PZC":
        return char
    return "χ" if point < 0x800 else "ẋ" if point < 0x10000 else "\U0001d431"


class Placeholders:
    """Writes placeholders.

    Args:
        keep: words that stay, beside those of the protocol.
    """

    def __init__(self, keep: Iterable[str]) -> None:
        self._keep = PROTOCOL | frozenset(keep)
        self._signs = frozenset(part for part in self._keep if len(part) == 1 and not _WORD.match(part))
        self._stems = frozenset(word[:length] for word in self._keep for length in range(1, len(word)))

    def masked(self, text: str, ends: Collection[int] = (), *, arguments: bool = False) -> str:
        """A text that says nothing any more, character for character as long in UTF-8.

        Args:
            text: what was said: the argument text of a call, or anything else.
            ends: positions at which a piece of the text ends. The beginning of a word to keep stays there, since a
                later piece may say the whole word (growing snapshots do).
            arguments: it is argument text: numbers outside its strings stay.
        """
        fixed = bytearray(len(text))
        for match in _KEPT.finditer(text):
            _fix(fixed, match)
        # the letter of an escape is no part of the word behind it
        for match in _ESCAPED_WORD.finditer(_OTHER_ESCAPE.sub(_blank, text)) if "\\u" in text else ():
            word = match.group()
            if "\\" in word and all(part in self._keep for part in _PART.findall(_unescaped(word))):
                _fix(fixed, match)
        stops = frozenset(ends)
        if "\\\\" in text:
            # an even number of them stands for backslashes, unless the text is encoded twice: then it escapes
            self._fix_words(_BACKSLASHES.sub(_blank, text), stops, fixed)
        text = _without_escapes(text, fixed)
        for match in _numbers(text) if arguments else ():
            _fix(fixed, match)
        self._fix_words(text, stops, fixed)
        return _CHARACTER.sub(
            lambda m: m.group() if fixed[m.start()] or m.group() in self._signs else placeholder(m.group()), text
        )

    def _fix_words(self, text: str, stops: Collection[int], fixed: bytearray) -> None:
        for match in _WORD.finditer(_ESCAPE.sub(_blank, text)):
            word = match.group()
            if word in self._keep or (match.end() in stops and word in self._stems):
                _fix(fixed, match)


def words(*documents: Any, schema: bool = True) -> Iterator[str]:
    """The words of tools, or of the keys of decoded arguments.

    Args:
        documents: decoded JSON.
        schema: strings count as well, but for descriptions, titles and examples; else only keys do.
    """
    stack = list(documents)
    while stack:
        item = stack.pop()
        if isinstance(item, str) and schema:
            yield from _PART.findall(item)
        elif isinstance(item, Mapping):
            for key, value in item.items():
                yield from _PART.findall(str(key))
                if not (is_prose(key) and isinstance(value, str | list)):
                    stack.append(value)
        elif isinstance(item, list | tuple):
            stack.extend(item)


def is_prose(key: object) -> bool:
    """Whether a member of a tool's declaration is written for people and models."""
    return key in _PROSE


def _numbers(text: str) -> Iterator[re.Match[str]]:
    """The numbers outside the strings of argument text."""
    at = 0
    for string in _STRING.finditer(text):
        yield from _NUMBER.finditer(text, at, string.start())
        at = string.end()
    yield from _NUMBER.finditer(text, at)


def _without_escapes(text: str, fixed: bytearray) -> str:
    r"""The text with the escapes in it settled, as argument text has them: `\n` stays, `\u5317` says a letter."""

    def settled(match: re.Match[str]) -> str:
        if match[2] is None or fixed[match.end() - 1]:
            _fix(fixed, match)
            return match.group()
        _fix(fixed, match)
        return f"{match[1]}u{ord(placeholder(chr(int(match[2], 16)))):04x}" if _says(match[2]) else match.group()

    return _ESCAPE.sub(settled, text)


def _unescaped(text: str) -> str:
    said = _HEX.sub(lambda match: chr(int(match[1], 16)), text)
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _says(digits: str) -> bool:
    """Whether an escape stands for a letter, a digit or half of a pair, and not for punctuation or a control."""
    return not chr(int(digits, 16)).isascii() or chr(int(digits, 16)).isalnum()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _fix(fixed: bytearray, match: re.Match[str]) -> None:
    start, end = match.span()
    fixed[start:end] = b"\1" * (end - start)

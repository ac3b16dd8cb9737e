"""YAML of strangers as plain data: no tag makes an object, nothing in it can grow beyond its text."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from conformance.errors import CassetteCorrupt
from conformance.text import visible

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG: Final = "tag:yaml.org,2002:"
_TRUE: Final = frozenset(("true", "yes", "on"))
_INTEGER: Final = re.compile(r"[-+]?\d{1,18}")


def loaded(data: bytes, name: str) -> list[Any]:
    """The documents in a YAML text, at least one, as plain data.

    That is dicts with text keys, lists, text, bytes (`!!binary`), integers, booleans and None.

    Other tags are dropped and their content is kept, so that a cassette of Ruby objects or of an old Python is data
    like any other. Dates, floats and huge integers stay text.

    Raises:
        CassetteCorrupt: it is not YAML, has a key of its top twice, nests too deeply, or stands for far more than it
            says.
    """
    try:
        text = data.decode("utf-8")
        return [_document(node, len(text)) for node in _nodes(_Loader(text))] or [None]
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        why = f"is not UTF-8 (line {line})"
    except yaml.MarkedYAMLError as problem:
        place = f" (line {problem.problem_mark.line + 1})" if problem.problem_mark else ""
        why = f"is not YAML: {problem.problem or 'unreadable'}{place}"
    except yaml.YAMLError:
        why = "is not YAML"
    except RecursionError:
        why = "nests too deeply"
    except _Unreadable as problem:
        why = str(problem)
    raise CassetteCorrupt(f"{name} {why}; restore it, or record it again")


def _nodes(loader: Any) -> Iterator[yaml.Node]:
    """The documents that are not empty."""
    while loader.check_node():
        node = loader.get_node()
        if not (isinstance(node, yaml.ScalarNode) and not node.value):
            yield node


def _document(node: yaml.Node, most: int) -> Any:
    """A document; the top of one with a key twice is two of them, glued together."""
    seen: set[str] = set()
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode):
            if key.value in seen:
                line = key.start_mark.line + 1
                raise _Unreadable(
                    f"has '{visible(key.value, 40)}' twice (line {line}), as two cassettes in one file do"
                )
            seen.add(key.value)
    return _Plain(most).of(node)[0]


class _Unreadable(Exception):
    """Why, as the rest of a sentence that begins with the file's name."""


class _Plain:
    """Nodes as plain data. A node that aliases repeat is read once and shared, and counted as often as it stands."""

    def __init__(self, most: int) -> None:
        self._most = max(most, 1000)  # without aliases there are fewer nodes than characters
        self._done: dict[int, tuple[Any, int]] = {}
        self._open: set[int] = set()

    def of(self, node: yaml.Node) -> tuple[Any, int]:
        """The value of a node, and how many nodes it stands for."""
        known = self._done.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            raise _Unreadable("holds an alias to what it stands in")
        self._open.add(id(node))
        found = (_scalar(node), 1) if isinstance(node, yaml.ScalarNode) else self._collection(node)
        self._open.discard(id(node))
        if found[1] > self._most:
            raise _Unreadable("stands for far more than it says, by aliases of aliases")
        self._done[id(node)] = found
        return found

    def _collection(self, node: yaml.Node) -> tuple[Any, int]:
        size = 1
        if isinstance(node, yaml.SequenceNode):
            items: list[Any] = []
            for child in node.value:
                value, count = self.of(child)
                items.append(value)
                size += count
            return items, size
        fields: dict[str, Any] = {}
        for key, child in node.value:
            value, count = self.of(child)
            size += count
            if isinstance(key, yaml.ScalarNode):
                fields[key.value.removeprefix(":")] = value  # a Ruby symbol is a name with a colon
        return fields, size


def _scalar(node: yaml.ScalarNode) -> Any:
    tag, text = node.tag, node.value
    if tag in (_TAG + "binary", "!binary"):
        try:
            return base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            raise _Unreadable(f"holds damaged base64 (line {node.start_mark.line + 1})") from None
    if tag == _TAG + "null":
        return None
    if tag == _TAG + "bool":
        return text.lower() in _TRUE
    if tag == _TAG + "int" and _INTEGER.fullmatch(text):
        return int(text)
    return text

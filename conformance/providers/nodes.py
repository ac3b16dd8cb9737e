"""YAML text → plain data with the line of every key and item, and everything YAML would silently get wrong.

PyYAML's safe loading keeps the last of two equal keys, reads `NO` as false and `0123` as 83, and forgets where anything
stood. This reads its node tree instead. Aliases, tags, merge keys and deep nesting are refused: a list of endpoints
needs none of them, and with them a file of a few lines can stand for gigabytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from conformance.providers import secrets

Path = tuple[str | int, ...]

MAX_DEPTH: Final = 24
_PREFIX: Final = "tag:yaml.org,2002:"
_INT: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_FLOAT: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,18}(?:[eE][-+]?[0-9]{1,2})?")
_BOOLS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where, and what is wrong in the words that follow the place."""

    line: int
    path: Path
    text: str


@dataclass(slots=True)
class Tree:
    """What a file says.

    Attributes:
        data: mappings, lists, text, numbers, booleans and null, as JSON knows them; None if `problems` left nothing.
        lines: line of the key or item at each path, counted from 1.
        problems: in the order found.
    """

    data: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def line(self, path: Path) -> int:
        """Line of a path, or of the nearest thing around it that exists."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read(text: str) -> Tree:
    """Read one YAML document; never raises on any text."""
    tree = Tree()
    try:
        if _forbidden(text, tree):
            return tree
        root = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        tree.problems.append(_syntax(error, text))
        return tree
    if root is not None:
        tree.lines[()] = root.start_mark.line + 1
        tree.data = _value(root, (), tree)
    return tree


def _forbidden(text: str, tree: Tree) -> bool:
    """Look through the events, which need no memory, for what must not be built into a tree."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark is not None else 1
        if isinstance(event, yaml.AliasEvent):
            tree.problems.append(Problem(line, (), "an alias (*name) is not supported here; write it out"))
        elif getattr(event, "anchor", None) is not None:
            tree.problems.append(Problem(line, (), "an anchor (&name) is not supported here; leave it out"))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                tree.problems.append(Problem(line, (), f"nesting deeper than {MAX_DEPTH} levels is not supported here"))
                return True
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return any("alias" in problem.text for problem in tree.problems)


def _value(node: Node, path: Path, tree: Tree) -> Any:
    kind = node.tag.removeprefix(_PREFIX)
    if isinstance(node, MappingNode) and kind == "map":
        return _mapping(node, path, tree)
    if isinstance(node, SequenceNode) and kind == "seq":
        items = []
        for i, item in enumerate(node.value):
            tree.lines[(*path, i)] = item.start_mark.line + 1
            items.append(_value(item, (*path, i), tree))
        return items
    if isinstance(node, ScalarNode):
        return _scalar(node, kind, path, tree)
    tree.problems.append(Problem(node.start_mark.line + 1, path, "has a tag (!…), which is not supported here"))
    return None


def _mapping(node: MappingNode, path: Path, tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, ScalarNode):
            tree.problems.append(Problem(line, path, "a key is text, and here stands a list or a mapping"))
            continue
        key = key_node.value
        here = (*path, key)
        if key_node.tag == f"{_PREFIX}merge":
            tree.problems.append(Problem(line, path, "a merge key (<<) is not supported here; write it out"))
            continue
        if key in found:
            first = tree.lines[here]
            tree.problems.append(Problem(line, here, f"duplicate key; it stands in line {first} already"))
            _value(value_node, here, tree)
            continue
        tree.lines[here] = line
        if key_node.tag != f"{_PREFIX}str":
            kind = key_node.tag.removeprefix(_PREFIX)
            meaning = {"bool": "true or false", "null": "nothing", "int": "a number", "float": "a number"}.get(kind)
            meaning = meaning or ("a date" if kind == "timestamp" else "something else than text")
            tree.problems.append(Problem(line, here, f"a key is text, and YAML reads this one as {meaning}; quote it"))
        found[key] = _value(value_node, here, tree)
    return found


def _scalar(node: ScalarNode, kind: str, path: Path, tree: Tree) -> Any:
    text: str = node.value
    plain = not node.style  # libyaml's parser says '' for plain, PyYAML's own None
    wrong = ""
    if kind == "str" or (kind == "timestamp" and _DAY.fullmatch(text)):
        if not any("\ud800" <= c <= "\udfff" for c in text):
            return text
        wrong = "holds half of a surrogate pair, which is no character"
    elif not plain:
        wrong = "has a tag (!…), which is not supported here"
    elif kind == "null":
        return None
    elif kind == "bool":
        if text in _BOOLS:
            return _BOOLS[text]
        yes = text.lower() in ("yes", "on", "y")
        wrong = (
            f"{{}} is {str(yes).lower()} to some YAML readers and text to others; write {str(yes).lower()}, or quote it"
        )
    elif kind == "int":
        if _INT.fullmatch(text):
            return int(text)
        wrong = "{} is a number that YAML readers read differently; write it in plain decimal digits, or quote it"
    elif kind == "float":
        if _FLOAT.fullmatch(text):
            return float(text)
        wrong = "{} is no number that every YAML reader reads alike; write it like 1.5, or quote it"
    elif kind == "timestamp":
        wrong = "{} is read as a time; write a date like 2026-11-30, or quote it"
    elif kind in ("value", "merge"):
        wrong = "{} has a meaning of its own in YAML; quote it"
    else:
        wrong = "has a tag (!…), which is not supported here"
    tree.problems.append(Problem(node.start_mark.line + 1, path, wrong.format(_quoted(text, path))))
    return text


def show(value: object, path: Path) -> str:
    """A value for a message: cut at 80 characters, without keys, and not at all where a key may stand."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    if any(isinstance(part, str) and (secrets.is_sensitive(part) or part in ("headers", "query")) for part in path):
        return "this value" if isinstance(value, str) else "this"
    text = (
        secrets.mask(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    )
    text = text if len(text) <= 80 else f"{text[:79]}…"
    return repr(text) if isinstance(value, str) else text


def _quoted(text: str, path: Path) -> str:
    shown = show(text, path)
    return f"`{shown[1:-1]}`" if shown[:1] in "'\"" else shown


def _syntax(error: yaml.YAMLError, text: str) -> Problem:
    """A syntax error in one line; PyYAML's own rendering quotes the file, which may hold a key."""
    if isinstance(error, yaml.reader.ReaderError):
        position = error.position if isinstance(error.position, int) else 0
        return Problem(text.count("\n", 0, position) + 1, (), "holds a control character, which YAML does not allow")
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark is not None else 1
    what = getattr(error, "problem", None) or "it cannot be read"
    context = getattr(error, "context", None)
    return Problem(line, (), secrets.mask(f"is not valid YAML: {what}{f' {context}' if context else ''}"))

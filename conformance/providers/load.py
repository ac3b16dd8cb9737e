"""Load `providers.yaml` strictly: every mistake in one pass, each as one sentence with its line.

providers.yaml:12: providers.acme.base_ur: unknown key; did you mean 'base_url'? Valid keys: api_key_env, …
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from conformance.errors import ConfigError
from conformance.providers import nodes, secrets
from conformance.providers.checks import NOT_A_NAME, Several, Whole
from conformance.providers.models import Expectation, Features, Model, Provider, ProvidersFile, Source
from conformance.providers.nodes import Problem

_HOW: Final = "to test one endpoint without a file: conformance run --base-url URL --model NAME"
_MODELS: Final[dict[str, type[BaseModel]]] = {
    "features": Features,
    "models": Model,
    "source": Source,
    "expectations": Expectation,
}
_KINDS: Final = {
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "dict_type": "must be a mapping (key: value)",
    "mapping_type": "must be a mapping (key: value)",
    "model_type": "must be a mapping (key: value)",
    "model_attributes_type": "must be a mapping (key: value)",
    "list_type": "must be a list (one '- …' a line)",
    "tuple_type": "must be a list (one '- …' a line)",
}
_LIMITS: Final = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
}


def load(
    path: str | Path,
    *,
    known_quirks: Collection[str] | None = None,
    known_scenarios: Collection[str] | None = None,
) -> ProvidersFile:
    """Read a providers file.

    Args:
        path: the file; also how messages name it.
        known_quirks: slugs of the catalogue; an expectation that matches none is a mistake. None = not checked.
        known_scenarios: the same for scenario names.

    Raises:
        ConfigError: the file is missing, unreadable or wrong; it carries every mistake.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; run in the folder that holds it, or, {_HOW}") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the name is not possible"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    return parse(data, name=str(path), known_quirks=known_quirks, known_scenarios=known_scenarios)


def parse(
    data: bytes,
    *,
    name: str = "providers.yaml",
    known_quirks: Collection[str] | None = None,
    known_scenarios: Collection[str] | None = None,
) -> ProvidersFile:
    """Read the bytes of a providers file; see `load`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{name}:{line}: is not UTF-8 (byte {error.start}); save the file as UTF-8") from None
    tree = nodes.read(text)
    problems = list(tree.problems)
    checked: ProvidersFile | None = None
    if tree.data is not None:
        taken = {problem.path for problem in problems}
        context = {"quirks": known_quirks, "scenarios": known_scenarios}
        try:
            checked = ProvidersFile.model_validate(tree.data, context=context)
        except ValidationError as error:
            found = (p for details in error.errors(include_url=False) for p in _sentences(details, tree))
            problems += [p for p in found if p.path not in taken]
        problems += _inner_names(tree)
    elif not problems:
        raise ConfigError(f"{name}: is empty; it needs 'providers:' with at least one provider, or, {_HOW}")
    if problems or checked is None:
        problems.sort(key=lambda problem: problem.line)
        raise ConfigError(*dict.fromkeys(_render(name, problem) for problem in problems))
    return checked


def _render(name: str, problem: Problem) -> str:
    place = secrets.mask(_dotted(problem.path))
    return f"{name}:{problem.line}: {f'{place}: ' if place else ''}{problem.text}"


def _dotted(path: nodes.Path) -> str:
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            plain = re.fullmatch(r"[A-Za-z0-9_-]{1,80}", part)
            shown = part if plain else repr(part if len(part) <= 40 else f"{part[:39]}…")
            text += f".{shown}" if text else shown
    return text


def _sentences(details: ErrorDetails, tree: nodes.Tree) -> Iterator[Problem]:
    """One error of pydantic as problems in our words."""
    kind = details["type"]
    path: nodes.Path = tuple(details["loc"])
    error = details.get("ctx", {}).get("error")
    if path[-1:] == ("[key]",):
        path = path[:-1]
        yield Problem(
            tree.line(path),
            path,
            "a provider's name is lower-case letters and digits in groups joined by '-', like my-server",
        )
    elif len(path) == 3 and path[0] == "providers" and path[2] == "name" and not isinstance(error, Whole):
        return  # the same mistake as that of the key
    elif kind == "too_short" and details["input"]:
        return  # pydantic counts without the items that are wrong themselves
    elif isinstance(error, Several):
        for below, text in error.parts:
            yield Problem(tree.line((*path, *below)), (*path, *below), secrets.mask(text))
    elif isinstance(error, Whole):
        yield Problem(tree.line(path[:-1]), path[:-1], str(error))
    else:
        yield Problem(tree.line(path), path, _phrase(kind, path, details, error))


def _phrase(kind: str, path: nodes.Path, details: ErrorDetails, error: object) -> str:
    value, ctx = details["input"], details.get("ctx", {})
    if kind == "value_error":
        return secrets.mask(str(error))
    if kind == "extra_forbidden":
        return _unknown_key(path)
    if kind == "missing":
        return "is missing"
    if path[-1:] == ("api_key_env",):
        return NOT_A_NAME
    if kind in _LIMITS:
        word, name = _LIMITS[kind]
        return f"must be {word} {ctx[name]:g}, not {nodes.show(value, path)}"
    if kind == "model_type" and path[-2:-1] == ("models",):
        return f"must be a model's name (quoted, if it looks like a number), not {nodes.show(value, path)}"
    if kind in _KINDS:
        return f"{'' if path else 'the file '}{_KINDS[kind]}, not {nodes.show(value, path)}"
    if kind == "string_too_short":
        return "must not be empty"
    if kind == "too_short":
        return "must not be empty; it needs at least one provider" if path == ("providers",) else "must not be empty"
    if kind == "string_pattern_mismatch" and path[-1:] == ("quirk",):
        return (
            f"{nodes.show(value, path)} is no quirk's name (lower-case letters, digits, '-'; '*' and '?' as wildcards)"
        )
    if kind == "literal_error":
        return f"must be {ctx['expected']}, not {nodes.show(value, path)}"
    return f"{details['msg'][:1].lower()}{details['msg'][1:]}, not {nodes.show(value, path)}"


def _unknown_key(path: nodes.Path) -> str:
    valid = sorted(_fields(path[:-1]))
    close = get_close_matches(str(path[-1]), valid, n=1, cutoff=0.6)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"unknown key{hint} Valid keys: {', '.join(valid)}"


def _fields(path: nodes.Path) -> Collection[str]:
    """Valid keys of the mapping at a path."""
    names = [part for part in path if isinstance(part, str)]
    if not names:
        return ProvidersFile.model_fields
    if len(names) == 2:
        return Provider.model_fields.keys() - {"name"}
    return _MODELS[names[-1]].model_fields


def _inner_names(tree: nodes.Tree) -> Iterator[Problem]:
    """`name:` inside a provider, whose key is its name already."""
    providers: Any = tree.data.get("providers") if isinstance(tree.data, dict) else None
    for key, entry in providers.items() if isinstance(providers, dict) else ():
        if isinstance(entry, dict) and "name" in entry:
            path = ("providers", key, "name")
            yield Problem(tree.line(path), path, f"leave it out: the key above it, {nodes.show(key, ())}, is the name")

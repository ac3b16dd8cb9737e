"""Observations: facts about recordings that somebody else published, as JSON Lines without any of their text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypedDict, cast

from conformance.errors import InputError
from conformance.model import Level, Mode


class Observation(TypedDict):
    """One line; `observation.schema.json` says what each field means, and the same to other languages."""

    provider: str
    model: str
    mode: Mode
    quirk: str
    level: Level
    occurrences: int
    applicable: int
    first: str | None
    last: str | None
    repository: str
    commit: str
    path: str
    interaction: int | None
    licence: str


_ORDER: Final = ("provider", "model", "mode", "quirk", "repository", "commit", "licence")


def dumps(observations: Iterable[Observation]) -> str:
    """The lines, sorted, so that the same observations are the same text."""
    ordered = sorted(observations, key=lambda one: tuple(str(one[key]) for key in _ORDER))
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in ordered)


def load(path: Path) -> tuple[Observation, ...]:
    """Read observations.

    Raises:
        InputError: the file cannot be read, is empty, or a line is not what the schema says.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror or problem}; give what audit --observations wrote") from None
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8 at byte {problem.start}, so these are no observations") from None
    found = [_line(path, number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not found:
        raise InputError(f"{path}: no observation in it; write it anew with audit --observations")
    return tuple(found)


def schema() -> dict[str, Any]:
    """The JSON Schema of one line."""
    text = resources.files("conformance.audit").joinpath("observation.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _line(path: Path, number: int, line: str) -> Observation:
    try:
        row = json.loads(line)
    except ValueError as problem:
        raise InputError(f"{path}: line {number} is not JSON ({problem}); the file is cut or altered") from None
    fault = next(iter(_validator().iter_errors(row)), None)
    if fault is not None:
        place = "".join(f"/{step}" for step in fault.instance_path) or "the line"
        raise InputError(f"{path}: line {number}: {place}: {str(fault.message)[:160]}; this is no observation")
    if row["occurrences"] > row["applicable"]:
        raise InputError(f"{path}: line {number}: more occurrences than applicable exchanges; the file is altered")
    row.setdefault("interaction", None)
    return cast("Observation", row)


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema())

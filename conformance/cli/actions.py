"""GitHub Actions: annotations and the step summary.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from conformance.cli import log
from conformance.errors import ConfigError, ConformanceError

if TYPE_CHECKING:
    from conformance.report.annotations import Annotation
    from conformance.report.grid import Matrix

SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_PLACE: Final = re.compile(r":(?P<line>[1-9][0-9]*): ")


def running() -> bool:
    """Whether this is a step of a job: what is printed is a log that GitHub reads along."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def annotate(annotations: Iterable[Annotation]) -> None:
    """Print them as commands, on standard error, so that a command's output stays what it was."""
    log.issue(*map(command, annotations))


def command(one: Annotation) -> str:
    """An annotation as a workflow command: one line, whatever it says."""
    fields = {"file": one.file, "line": str(one.line or ""), "col": str(one.column or ""), "title": one.title}
    told = {name: value for name, value in fields.items() if value and (one.file or name == "title")}
    given = ",".join(f"{name}={_property(value)}" for name, value in told.items())
    return f"::error {given}::{_data(one.message)}"


def problems(error: ConformanceError) -> Iterator[Annotation]:
    """What is wrong, at the place in a file that a sentence begins with."""
    from conformance.report.annotations import Annotation

    texts = error.problems if isinstance(error, ConfigError) else (str(error),)
    title = "conformance: configuration" if isinstance(error, ConfigError) else "conformance"
    for text in texts:
        path, line = _place(text)
        column = _column(path, line) if line else None
        yield Annotation(title, text, in_workspace(path), line, column)


def _place(text: str) -> tuple[str, int | None]:
    """File and line that a sentence begins with; a name may hold anything, so the file has to be there."""
    for found in _PLACE.finditer(text):
        path = text[: found.start()]
        with contextlib.suppress(OSError, ValueError):
            if Path(path).is_file():
                return path, int(found["line"])
    return "", None


def in_workspace(path: str | Path) -> str:
    """A file as an annotation names it: from the root of the repository; empty if it is not in there."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if not path or not root:
        return str(path)
    whole = Path(path).resolve()
    root_path = Path(root).resolve()
    return whole.relative_to(root_path).as_posix() if whole.is_relative_to(root_path) else ""


def lines_of(path: Path) -> Callable[[str, str], int | None]:
    """The lines of a providers file that a run has loaded, for `conformance.report.annotations`."""
    from conformance.providers import nodes

    try:
        tree = nodes.read(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        tree = nodes.Tree()

    def line(provider: str, quirk: str) -> int | None:
        here = ("providers", provider)
        if here not in tree.lines:
            return None
        expected = tree.data["providers"][provider].get("expectations", ()) if quirk else ()
        places = [(*here, "expectations", number) for number, one in enumerate(expected) if one["quirk"] == quirk]
        return tree.line(places[0] if places else here)

    return line


def summary_file(given: str) -> Path:
    """Where the step summary goes: the file that was given, or the one of this step.

    Raises:
        ConfigError: no file was given, and this is no step; or the file cannot be written.
    """
    name = given or os.environ.get(SUMMARY, "")
    if not name:
        raise ConfigError(f"--step-summary: {SUMMARY} is not set, so this is no step of a job; name a file")
    path = Path(name)
    if path.is_dir() or not path.parent.is_dir():
        raise ConfigError(f"--step-summary {name}: cannot be written; name a file in a folder that is there")
    return path


def summarise(matrix: Matrix, path: Path) -> None:
    """Append the step summary to a file, as large as GitHub still takes with what is there."""
    from conformance.report.step_summary import LIMIT, SMALLEST, render

    room = LIMIT - (path.stat().st_size if path.exists() else 0)
    if room < SMALLEST:
        click.echo(f"{path}: holds so much that GitHub would show no more; no summary is added", err=True)
        return
    try:
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(render(matrix, room))
    except OSError as problem:
        raise ConfigError(f"--step-summary {path}: cannot be written ({problem.strerror}); name another file") from None


def _column(path: str, line: int) -> int | None:
    """Where a line of a file begins, counted from 1; None if it cannot be told."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig").split("\n")[line - 1]
    except (OSError, ValueError, IndexError):
        return None
    return len(text) - len(text.lstrip(" -")) + 1


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

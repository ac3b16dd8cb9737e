"""Views of run records (DESIGN §4.8): the matrix, and one module per format. Checks are never run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from conformance.report import badges, files, json_, junit, markdown, step_summary
from conformance.report.matrix import Matrix, build
from conformance.report.publish import publish
from conformance.run.record import Record

if TYPE_CHECKING:
    from conformance.audit.observation import Observation

__all__ = ["BADGES", "FORMATS", "WRITTEN", "build", "write", "write_all"]


def _html(matrix: Matrix, base: str) -> str:
    from conformance.report import html  # jinja2 is slow to import, and most views do without

    return html.render(matrix, base)


FORMATS: Final[Mapping[str, tuple[str, Callable[[Matrix, str], str]]]] = {
    "markdown": ("quirks.md", markdown.render),
    "html": ("quirks.html", _html),
    "json": ("quirks.json", lambda matrix, _: json_.render(matrix)),
    "junit": ("junit.xml", lambda matrix, _: junit.render(matrix)),
    "step-summary": ("step-summary.md", lambda matrix, _: step_summary.render(matrix)),
}
"""File name by format, and what makes its text from a matrix and the way to the folder that evidence is relative to."""

WRITTEN: Final = ("markdown", "html", "json", "junit")
"""The formats that a run writes, and a report if nobody names one."""

BADGES: Final = "badges"
"""The format that is a file for each row (`conformance.report.badges`)."""


def write_all(record: Record, directory: Path, observations: Sequence[Observation] = ()) -> list[Path]:
    """Write `quirks.md`, `quirks.html`, `quirks.json` and `junit.xml`; the same input gives the same bytes.

    Raises:
        ConfigError: a file cannot be written.
    """
    return write(build(record, observations=observations), directory, *WRITTEN)


def write(matrix: Matrix, directory: Path, *formats: str) -> list[Path]:
    """Write the named formats (of `FORMATS`, or `BADGES`) into a folder, each file as a whole.

    Badges of an earlier time that are no longer among them are removed.

    Raises:
        ConfigError: a file cannot be written, or one of somebody else's is where a badge is to go.
    """
    base = files.base_for(matrix, directory)
    texts = [(name, make(matrix, base)) for name, make in (FORMATS[one] for one in formats if one != BADGES)]
    written = [files.write(directory / name, text) for name, text in texts]
    if BADGES in formats:
        shown = {name: text.encode("utf-8") for name, text in badges.render(matrix).items()}
        publish(directory, shown, badges.CHECKSUMS)
        written += [directory / name for name in shown]
    return written

"""How far `conformance clients run` is, on a terminal; elsewhere a line for each client as it comes."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from conformance.impact.measure import Column


@dataclass(frozen=True, slots=True)
class Progress:
    """What to tell.

    Attributes:
        step: that a case of a column is done; from any thread.
        done: that a column is done, and the line to print about it.
    """

    step: Callable[[Column], None]
    done: Callable[[Column, str], None]


@contextmanager
def progress(columns: int, cases: int) -> Iterator[Progress]:
    """Show a bar while the block runs, if somebody is looking.

    Args:
        columns: how many are measured.
        cases: of each.
    """
    if not sys.stderr.isatty():
        yield Progress(lambda _: None, lambda _, line: click.echo(line, err=True))
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    steps: Counter[str] = Counter()
    guard = threading.Lock()
    with Bar(*shown, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("answers", total=columns * cases)

        def step(column: Column) -> None:
            with guard:
                steps[column.key] += 1
            bar.advance(task)

        def done(column: Column, line: str) -> None:
            bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
            bar.advance(task, cases - steps[column.key])  # what was not asked

        yield Progress(step, done)

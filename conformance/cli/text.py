"""Put a view on standard output: wrapped and coloured on a terminal, plain and unwrapped in a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

PIPE_WIDTH: Final = 120
"""Columns that tables take where nobody knows how wide a line may be."""


def show(parts: Iterable[RenderableType]) -> None:
    """Print them. Colours are as `NO_COLOR`, `FORCE_COLOR` and the terminal want them."""
    coloured = colours()
    text = rendered(parts, width=width(), coloured=coloured, wrapped=terminal())
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    # a terminal that is not UTF-8 shows escapes instead of failing
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False, color=coloured)


def rendered(parts: Iterable[RenderableType], *, width: int, coloured: bool = False, wrapped: bool = True) -> str:
    """The text of a view.

    Args:
        parts: what to render, in order.
        width: columns of a table, and of any line if `wrapped`.
        coloured: with terminal codes.
        wrapped: lines longer than `width` go on in the next one; otherwise they stay whole.
    """
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=coloured,
        color_system="standard" if coloured else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for part in parts:
        console.print(part, soft_wrap=not wrapped)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def terminal() -> bool:
    """Whether somebody reads along."""
    return sys.stdout is not None and sys.stdout.isatty()


def colours() -> bool:
    """Whether to colour (see `conformance.cli.group` for the variables)."""
    context = click.get_current_context(silent=True)
    wanted = context.color if context is not None else None
    return terminal() if wanted is None else wanted


def width() -> int:
    """Columns to fill."""
    import shutil

    return shutil.get_terminal_size().columns if terminal() else PIPE_WIDTH

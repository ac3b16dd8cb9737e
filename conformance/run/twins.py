"""Complete answers of a run, kept as shapes until the streams that answer the same requests are judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from conformance.model import Mode
from conformance.run.plan import Cell
from conformance.run.rows import ExchangeRow
from conformance.wire.shape import Shape

KEPT: Final[Mode] = "complete"
"""The mode that is measured first, so that its shapes are there when the other one is judged."""


class Twins:
    """Shapes by what was asked."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[str, str, str, int, int], Shape] = {}

    def add(self, rows: Iterable[ExchangeRow]) -> None:
        """Keep what whole answers with `stream: false` look like."""
        for row in rows:
            shape = row.get("shape")
            if shape is not None and shape["mode"] == row["mode"] == KEPT:
                key = (row["provider"], row["model"], row["scenario"], row["step"], row["sample"])
                self._shapes[key] = Shape.of(shape)

    def of(self, cell: Cell, step: int) -> Shape | None:
        """The twin of a stream: of the same repetition, or of the first one where there were fewer."""
        if cell.mode == KEPT:
            return None
        key = (cell.provider.name, cell.model, cell.scenario.name, step)
        return self._shapes.get((*key, cell.sample)) or self._shapes.get((*key, 0))

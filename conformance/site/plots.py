"""Histograms as inline SVG that a style sheet colours: no script, no address, nothing that differs from run to run."""

from __future__ import annotations

import importlib
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final
from xml.etree import ElementTree

from markupsafe import Markup

from conformance.text import visible

_WIDTH: Final = 640
_HEIGHT: Final = 260
_SVG: Final = "{http://www.w3.org/2000/svg}"
_KEPT: Final = frozenset(("class", "transform", "x", "y", "width", "height", "d", "text-anchor", "viewBox"))
_DROPPED: Final = frozenset(("defs", "desc", "title", "script", "style"))
_UNSEEN: Final = ("tooltip-overlay", "titles", "overlay")


@dataclass(frozen=True, slots=True)
class Bin:
    """Values from `low` on and below `high` (None: without end), and how many there are."""

    low: float
    high: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How values are spread; at least one.

    Attributes:
        bins: from the first to the last that holds a value, none left out in between.
        number: of values.
        least, middle, most: smallest, median and largest value.
    """

    bins: tuple[Bin, ...]
    number: int
    least: float
    middle: float
    most: float


def spread(values: Iterable[float], edges: Sequence[float]) -> Spread | None:
    """Count values.

    Args:
        values: none of them below the first edge.
        edges: where bins begin, ascending; the last bin has no end.

    Returns:
        None if there are no values.
    """
    found = sorted(values)
    if not found:
        return None
    counts = [0] * len(edges)
    for value in found:
        counts[bisect_right(edges, value) - 1] += 1
    used = [number for number, count in enumerate(counts) if count]
    bins = tuple(
        Bin(edges[number], edges[number + 1] if number + 1 < len(edges) else None, counts[number])
        for number in range(used[0], used[-1] + 1)
    )
    return Spread(bins, len(found), found[0], median(found), found[-1])


def _pygal() -> Any:
    """The library, without the old-style import hook that it leaves behind: Python warns of it at each later import.

    It is imported when called: that takes a tenth of a second, and only these pages need it.
    """
    before = list(sys.meta_path)
    pygal = importlib.import_module("pygal")
    sys.meta_path[:] = [one for one in sys.meta_path if one in before or hasattr(one, "find_spec")]
    return pygal


def histogram(name: str, title: str, description: str, bars: Sequence[tuple[str, int]]) -> Markup:
    """A bar for each label.

    Args:
        name: of the plot, unique in its page, letters and hyphens only.
        title, description: what a screen reader says; no text of a provider.
        bars: label and height.

    Returns:
        An `svg` element without styles; its classes are pygal's.
    """
    chart = _pygal().Bar(
        width=_WIDTH,
        height=_HEIGHT,
        show_legend=False,
        print_values=True,
        print_values_position="top",
        x_labels=[visible(label, 40) for label, _ in bars],
        y_labels_major_count=4,
        margin=16,
        js=(),
        css=(),
    )
    chart.add("", [count for _, count in bars])
    tree = _plain(chart.render_tree())
    tree.set("viewBox", f"0 0 {_WIDTH} {_HEIGHT}")
    tree.set("role", "img")
    tree.set("aria-labelledby", f"{name}-title {name}-description")
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        told = ElementTree.Element(f"{_SVG}{tag}", id=f"{name}-{'title' if tag == 'title' else 'description'}")
        told.text = visible(text, 1000)
        tree.insert(place, told)
    ElementTree.register_namespace("", _SVG[1:-1])
    # the serialiser escapes all text
    return Markup(ElementTree.tostring(tree, encoding="unicode"))


def _plain(element: ElementTree.Element) -> ElementTree.Element:
    """The element with what draws alone: no scripts and styles, comments (one holds the day), ids, tooltips."""
    made = ElementTree.Element(
        f"{_SVG}{_name(element)}", {key: value for key, value in element.attrib.items() if key in _KEPT}
    )
    made.text = element.text
    for child in element:
        classes = child.get("class", "").split()
        if isinstance(child.tag, str) and _name(child) not in _DROPPED and not any(c in _UNSEEN for c in classes):
            made.append(_plain(child))
    return made


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]

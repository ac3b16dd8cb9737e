"""An audit as text, Markdown or JSON. None of them says how it was counted: the same exchanges give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import click

from conformance.audit.summary import Entry, Line, Summary
from conformance.model import LEVELS
from conformance.report.text import plural, prose, visible

SCHEMA: Final = "conformance/audit/1"
"""Names the JSON document; a later format counts on."""

ACROSS: Final = 8
"""Groups side by side in a Markdown table."""

_COLOURS: Final = {"must": "red", "should": "yellow", "info": "cyan"}


def table(summary: Summary, width: int) -> str:
    """Plain text with colours: the groups, then each quirk with the groups that show it.

    Args:
        summary: what to show.
        width: columns of the terminal.
    """
    heads = [" ".join(summary.by), "exchanges", "calls", "usable", "must", "should", "info", "recorded"]
    rows = [[visible(line.name, 60), *_counts(line), _period(line)] for line in summary.lines]
    parts = ["\n".join(_aligned([heads, *rows], numbers=range(1, 7)))] if rows else []
    if summary.quirks:
        parts.append("\n".join(_sparse(summary, width)))
    return "\n\n".join([*parts, _total(summary)]) + "\n"


def markdown(summary: Summary) -> str:
    """Tables for GitHub: the groups, then quirks × groups."""
    lines = ["# Audit", "", _total(summary), ""]
    if summary.lines:
        lines += [f"| {' | '.join(summary.by)} | exchanges | calls | usable | must | should | info | recorded |"]
        lines += [f"|{' --- |' * len(summary.by)} ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
        for line in summary.lines:
            names = [prose(label) or "unknown" for label in line.labels]
            lines.append(f"| {' | '.join([*names, *_counts(line), _period(line)])} |")
    for start in range(0, len(summary.lines), ACROSS):
        some = summary.lines[start : start + ACROSS]
        told = [(slug, level) for slug, level in summary.quirks if any(_shows(line, slug) for line in some)]
        if told:
            lines += ["", f"| quirk | level | {' | '.join(prose(line.name) for line in some)} |"]
            lines += [f"| --- | --- |{' ---: |' * len(some)}"]
            for slug, level in told:
                cells = [entry.count if (entry := line.entries.get(slug)) is not None else "–" for line in some]
                lines.append(f"| {slug} | {level} | {' | '.join(cells)} |")
    for problem in summary.tally.problems:
        lines += ["", f"- not read: {prose(problem, 1000)}"]
    return "\n".join(lines) + "\n"


def json_(summary: Summary) -> str:
    """The document for programs; `audit.schema.json` describes it."""
    tally = summary.tally
    head = {
        "schema": SCHEMA,
        "by": list(summary.by),
        "files": tally.files,
        "exchanges": tally.exchanges,
        "bytes": tally.size,
        "left_out": dict(sorted(tally.left_out.items())),
        "bad": {"count": tally.bad, "problems": tally.problems},
        "found": [{"quirk": slug, "level": level} for slug, level in summary.quirks],
    }
    lines = [f"{_dump(key)}: {_dump(value)}" for key, value in head.items()]
    groups = ",\n".join(_group(summary, line) for line in summary.lines)
    lines.append(f'"groups": [\n{groups}\n]' if groups else '"groups": []')
    return "{" + ",\n".join(lines) + "}\n"


def _group(summary: Summary, line: Line) -> str:
    group = line.group
    head = {
        "labels": dict(zip(summary.by, line.labels, strict=True)),
        "exchanges": group.seen.count,
        "complete": group.complete,
        "with_calls": group.with_calls,
        "calls": group.calls,
        "usable": group.usable,
        "first": group.seen.first or None,
        "last": group.seen.last or None,
    }
    entries = ",\n".join(_dump(_entry(entry)) for entry in line.entries.values())
    return _dump(head)[:-1] + (f', "quirks": [\n{entries}\n]}}' if entries else ', "quirks": []}')


def _entry(entry: Entry) -> dict[str, Any]:
    document: dict[str, Any] = {
        "quirk": entry.quirk,
        "level": entry.level,
        "occurrences": entry.occurrences,
        "applicable": entry.applicable.count,
    }
    found = entry.found
    if found is not None:
        file, position = found.seen.place or ("", 0)
        document |= {
            "findings": found.findings,
            "layers": dict(sorted(found.layers.items())),
            "example": {
                "source": f"{file}#{position}",
                "where": {"event": found.where.event, "byte": found.where.byte, "pointer": found.where.pointer},
            },
        }
    return document


def _sparse(summary: Summary, width: int) -> Iterator[str]:
    """A quirk a line with the groups that show it: most cells of the full table would be empty."""
    wide = max(len(slug) for slug, _ in summary.quirks)
    yield f"{'quirk':{wide}}  level   found in / could show in"
    for slug, level in summary.quirks:
        cells = [f"{visible(line.name, 60)} {line.entries[slug].count}" for line in summary.lines if _shows(line, slug)]
        able = sum(line.entries[slug].applicable.count for line in summary.lines if slug in line.entries)
        found = sum(line.entries[slug].occurrences for line in summary.lines if slug in line.entries)
        head = f"{slug:{wide}}  {click.style(f'{level:6}', fg=_COLOURS[level])}  "
        total = [f"{found}/{able}:"] if len(summary.lines) > 1 else []
        rows = _folded([*total, *(f"{cell}," for cell in cells[:-1]), *cells[-1:]], max(width - wide - 10, 30))
        yield head + rows[0]
        yield from (" " * (wide + 10) + row for row in rows[1:])


def _folded(words: Sequence[str], width: int) -> list[str]:
    rows = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".lstrip()
    return rows


def _aligned(rows: Sequence[Sequence[str]], numbers: range) -> Iterator[str]:
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            f"{cell:>{w}}" if n in numbers else f"{cell:<{w}}"
            for n, (cell, w) in enumerate(zip(row, wide, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _counts(line: Line) -> list[str]:
    group = line.group
    return [str(n) for n in (group.seen.count, group.calls, group.usable, *map(line.found, LEVELS))]


def _period(line: Line) -> str:
    seen = line.group.seen
    return seen.first if seen.first == seen.last else f"{seen.first} to {seen.last}"


def _total(summary: Summary) -> str:
    tally = summary.tally
    parts = [f"{plural(tally.exchanges, 'exchange')} judged", f"{plural(tally.files, 'file')} read"]
    parts += [f"{count} {why} left out" for why, count in sorted(tally.left_out.items())]
    parts += [f"{plural(tally.bad, 'file')} or parts of files could not be read"] if tally.bad else []
    return ", ".join(parts) + "."


def _shows(line: Line, slug: str) -> bool:
    return slug in line.entries and line.entries[slug].found is not None


def _dump(value: Any) -> str:
    # ASCII only: names may hold halves of surrogate pairs, which UTF-8 cannot carry
    return json.dumps(value, separators=(", ", ": "))

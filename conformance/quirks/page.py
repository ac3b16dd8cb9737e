"""A quirk as a Markdown page, made from its declaration alone."""

from __future__ import annotations

import json
from collections.abc import Sequence

from conformance.quirks.impact import quirk_impact
from conformance.quirks.registry import Example, Quirk, Source, catalogue

_MOST = 1200
_ABOUT_REQUESTS = ("request", "history", "link")
"""Areas whose quirks cannot be understood from the answer alone."""
_LEVELS = (
    "Made from the declarations by `conformance docs`. Levels: **must**: the source requires it, and a careful reader"
    " loses, corrupts or wrongly runs a call; **should**: the source says otherwise, a careful reader survives;"
    " **info**: a legal variation worth knowing. The level is that of the rule; an occurrence that is less grave is"
    " reported below it."
)


def page(quirk: Quirk) -> str:
    """The page about one quirk."""
    parts = [
        f"# {quirk.slug}",
        f"{quirk.title}.",
        " · ".join(
            (
                f"Area `{quirk.area}`",
                f"level **{quirk.level}**",
                f"blames the {quirk.layer}",
                f"mode {' and '.join(quirk.modes)}",
                f"since {quirk.since}",
            )
        ),
        quirk.doc,
        f"**Expected:** {quirk.expected}",
        "## Guard\n\n" + quirk.guard,
    ]
    for language, code in (("python", quirk.guard_python), ("typescript", quirk.guard_typescript)):
        if code:
            parts.append(f"```{language}\n{code}\n```")
    hit = quirk_impact(quirk.slug)
    parts.append(
        "## Impact\n\n"
        + (
            "Documented accumulators that end with wrong calls on the examples below: " + ", ".join(hit) + "."
            if hit
            else "No documented accumulator ends with wrong calls on the examples below."
        )
    )
    asked = quirk.area in _ABOUT_REQUESTS
    parts.append("## Examples (invented)\n\nGood:\n\n" + _example(quirk.good[0], asked))
    parts += [
        f"Bad{f' ({n})' if len(quirk.bad) > 1 else ''}:\n\n{_example(e, asked)}" for n, e in enumerate(quirk.bad, 1)
    ]
    if quirk.report:
        parts.append("## What to tell the provider\n\n> " + quirk.report)
    parts.append("## Sources\n\n" + _sources(quirk.sources))
    if quirk.seen:
        parts.append("Seen in:\n\n" + _sources(quirk.seen))
    return "\n\n".join(part for part in parts if part) + "\n"


def index() -> str:
    """The table of all quirks."""
    lines = [
        "# Quirks",
        "",
        _LEVELS,
        "",
    ]
    area = ""
    for quirk in catalogue():
        if quirk.area != area:
            area = quirk.area
            lines += ["", f"## {area}", "", "| quirk | level | what |", "|---|---|---|"]
        lines.append(f"| [{quirk.slug}]({quirk.slug}.md) | {quirk.level} | {quirk.title} |")
    return "\n".join(lines) + "\n"


def _example(example: Example, with_request: bool) -> str:
    shown = _code(example.body)
    request = {key: value for key, value in (example.request or {}).items() if key != "stream"}
    if with_request and request:
        shown = f"{_code(json.dumps(request, ensure_ascii=False))}\n\ngets HTTP {example.status}:\n\n{shown}"
    return (
        f"{shown}\n\nwhere the same request with `stream: false` gets:\n\n{_code(example.twin)}"
        if example.twin
        else shown
    )


def _code(body: str) -> str:
    text = body if len(body) <= _MOST else body[:_MOST] + "…\n"
    text = text.replace("\r", "␍").replace("\ufeff", "")
    text = text.encode("utf-8", "replace").decode("utf-8")
    kind = "" if text.lstrip().startswith(("data", "event", ":")) else "json"
    return f"```{kind}\n{text.rstrip()}\n```"


def _sources(sources: Sequence[Source]) -> str:
    return "\n".join(
        "- "
        + (f"[{s.title}]({s.url})" if s.url else s.title)
        + (f", {s.provider}" if s.provider else "")
        + (f" ({s.date})" if s.date else "")
        for s in sources
    )

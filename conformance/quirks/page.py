"""A quirk as a Markdown page, made from its declaration alone, and the parts that other pages about it share."""

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
    parts += [f"```{language.lower()}\n{code}\n```" for language, code in guards(quirk)]
    parts.append("## Impact\n\n" + impact(quirk))
    parts.append("## Examples (invented)\n\nGood:\n\n" + _example(quirk, quirk.good[0]))
    parts += [
        f"Bad{f' ({n})' if len(quirk.bad) > 1 else ''}:\n\n{_example(quirk, e)}" for n, e in enumerate(quirk.bad, 1)
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


def guards(quirk: Quirk) -> list[tuple[str, str]]:
    """What a client does about it as code: language and code, where code is needed."""
    code = (("Python", quirk.guard_python), ("TypeScript", quirk.guard_typescript))
    return [(language, text) for language, text in code if text]


def impact(quirk: Quirk) -> str:
    """What it does to the documented accumulators, measured on its examples, in one sentence."""
    hit = quirk_impact(quirk.slug)
    if not hit:
        return "No documented accumulator ends with wrong calls on the examples below."
    return "Documented accumulators that end with wrong calls on the examples below: " + ", ".join(hit) + "."


def exchange_parts(quirk: Quirk, example: Example) -> list[tuple[str, str]]:
    """An example as a reader needs it: what each part is (empty for the first), and its text.

    The request is among them only where the quirk cannot be understood without it. The answer is `example.body` as it
    is, so that a place in it can be marked.
    """
    parts = []
    request = {key: value for key, value in (example.request or {}).items() if key != "stream"}
    if quirk.area in _ABOUT_REQUESTS and request:
        parts.append(("", json.dumps(request, ensure_ascii=False)))
    parts.append((f"gets HTTP {example.status}:" if parts else "", example.body))
    if example.twin:
        parts.append(("where the same request with `stream: false` gets:", example.twin))
    return parts


def _example(quirk: Quirk, example: Example) -> str:
    return "\n\n".join(
        f"{caption}\n\n{_code(text)}" if caption else _code(text) for caption, text in exchange_parts(quirk, example)
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

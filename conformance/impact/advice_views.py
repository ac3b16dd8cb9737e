"""Advice as text, Markdown and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Final

from conformance.impact import words
from conformance.impact.advice import Advice, Harm
from conformance.impact.join import STANDINGS
from conformance.impact.judge import OUTCOMES
from conformance.impact.pairs import proof
from conformance.impact.table import Row
from conformance.report.text import code, prose, ticked
from conformance.text import plural, visible

SCHEMA: Final = "conformance/advice/1"
_WIDE: Final = 100
_LABEL: Final = 10


def text(advice: Sequence[Advice]) -> str:
    """For a terminal."""
    return "\n".join(line for one in advice for line in _text(one))


def markdown(advice: Sequence[Advice]) -> str:
    """For a document or an issue."""
    return "\n".join(line for one in advice for line in _markdown(one))


def json_(client: Row, advice: Sequence[Advice]) -> str:
    """For programs."""
    said = client.client
    document = {
        "schema": SCHEMA,
        "client": {
            **{key: said[key] for key in ("key", "name", "language", "version", "judged", "why")},
            "honest_wrong": [dict(case) for case in client.lost],
        },
        "advice": [
            {
                "provider": one.pair.provider.name,
                "model": one.pair.provider.model,
                "standing": one.pair.standing,
                "harms": [_harm(harm) for harm in one.harms],
                "depends": [_harm(harm) for harm in one.depends],
                "unharmed": list(one.pair.unharmed),
                "unknown": list(one.unknown),
            }
            for one in advice
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def headline(one: Advice) -> str:
    """The answer in one sentence."""
    pair = one.pair
    who = f"{pair.client.label} on {pair.provider.label}"
    if not pair.hits:
        return f"{who}: {STANDINGS['not-judged' if pair.standing == 'not-judged' else pair.there]}."
    parts = []
    if pair.silent:
        parts.append(f"through {plural(len(pair.silent), 'quirk')} calls are lost or corrupted without a word")
    if pair.loud:
        parts.append(f"through {plural(len(pair.loud), 'quirk')} good calls are lost with an error")
    if pair.flagged:
        parts.append(f"through {plural(len(pair.flagged), 'quirk')} {STANDINGS['flagged']}")
    return f"{who}: {', '.join(parts)}."


def _honest(one: Advice) -> str:
    """What the client loses on any provider, in one sentence; `""` if nothing."""
    client = one.pair.client
    wrong = "; ".join(words.honest(client)) if client.client["judged"] else ""
    return f"{client.label} gets honest answers wrong, whatever the provider: {wrong}." if wrong else ""


def _perhaps(harm: Harm) -> str:
    where = words.only(harm.hit.modes)
    return f"{words.evidence(harm.hit.proof, harm.hit.by)}; at worst {harm.hit.outcome}" + (
        f" ({where})" if where else ""
    )


def _happens(harm: Harm) -> str:
    where = words.only(harm.hit.modes)
    return f"{harm.hit.outcome}: {OUTCOMES[harm.hit.outcome]}" + (f" ({where})" if where else "")


def _looks(harm: Harm) -> str:
    detail = harm.example.get("detail", "")
    return f"{harm.planted or harm.example['fault']}: {detail}" if detail else harm.planted


def _text(one: Advice) -> Iterator[str]:
    if wrong := _honest(one):
        yield _wrapped(visible(wrong, 2000), "  ")
    yield visible(headline(one), 400)
    for number, harm in enumerate(one.harms, 1):
        level = f" [{harm.level}]" if harm.level else ""
        yield f"\n{number}. {visible(harm.hit.proof.quirk, 80)}{level} {visible(harm.title, 200)}".rstrip()
        yield _labelled("outcome", _happens(harm))
        yield _labelled("evidence", words.evidence(harm.hit.proof, harm.hit.by))
        yield _labelled("example", _looks(harm))
        yield _labelled("guard", harm.guard or "unknown: the quirk is not in this version's catalogue")
        yield from (f"{' ' * (_LABEL + 7)}{line}" for line in harm.code.splitlines())
    if one.depends:
        yield "\n" + _wrapped(words.DEPENDS, "")
        yield from (_wrapped(f"- {harm.hit.proof.quirk}: {_perhaps(harm)}", "  ") for harm in one.depends)
    if one.pair.unharmed:
        yield "\n" + _wrapped(f"Survived: {', '.join(one.pair.unharmed)}.", "")
    yield "\nNot known:"
    yield from (_wrapped(f"- {sentence}", "  ") for sentence in one.unknown)
    yield ""


def _labelled(label: str, said: str) -> str:
    return _wrapped(f"   {label.ljust(_LABEL)}{visible(said, 2000)}", " " * (_LABEL + 3))


def _wrapped(said: str, indent: str) -> str:
    shown = visible(said.strip(), 4000)
    first = said[: len(said) - len(said.lstrip())]
    lines = textwrap.wrap(
        shown,
        _WIDE,
        initial_indent=first,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
        drop_whitespace=True,
    )
    return "\n".join(lines)


def _markdown(one: Advice) -> Iterator[str]:
    pair = one.pair
    yield f"## {prose(pair.client.label)} on {prose(pair.provider.label)}\n"
    if wrong := _honest(one):
        yield f"**{prose(wrong, 2000)}**\n"
    yield f"{prose(headline(one))}\n"
    for harm in one.harms:
        level = f" ({harm.level})" if harm.level else ""
        yield f"### {prose(harm.hit.proof.quirk)}{level}\n"
        if harm.title:
            yield f"{ticked(harm.title)}.\n"
        yield f"- **Outcome:** {prose(_happens(harm))}"
        yield f"- **Evidence:** {prose(words.evidence(harm.hit.proof, harm.hit.by))}"
        yield f"- **Example:** {prose(harm.planted or harm.example['fault'])}"
        if harm.example.get("detail"):
            yield f"  {code(harm.example['detail'])}"
        yield f"- **Guard:** {ticked(harm.guard) if harm.guard else 'unknown'}\n"
        if harm.code:
            yield f"```{harm.language}\n{harm.code}\n```\n"
    if one.depends:
        yield f"<details><summary>{plural(len(one.depends), 'quirk')} more, by the form of the answer</summary>\n"
        yield f"{words.DEPENDS}\n"
        yield from (f"- {prose(harm.hit.proof.quirk)}: {prose(_perhaps(harm))}" for harm in one.depends)
        yield "\n</details>\n"
    if pair.unharmed:
        yield f"**Survived:** {prose(', '.join(pair.unharmed), 4000)}.\n"
    yield "### Not known\n"
    yield from (f"- {prose(sentence, 4000)}" for sentence in one.unknown)
    yield ""


def _harm(harm: Harm) -> dict[str, Any]:
    hit = harm.hit
    return {
        "quirk": hit.proof.quirk,
        "level": harm.level,
        "title": harm.title,
        "outcome": hit.outcome,
        "means": OUTCOMES[hit.outcome],
        "silent": hit.silent,
        "modes": list(hit.modes),
        "evidence": proof(hit.proof),
        "cases": [dict(case) for case in hit.cases],
        "guard": {"text": harm.guard, "language": harm.language, "code": harm.code},
    }

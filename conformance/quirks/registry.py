"""How a quirk is declared, found and asked.

A quirk file holds a docstring, one `@quirk(...)` declaration and its check. The check looks at a `Transcript` of facts
and yields `Hit`s; it does no I/O, knows no provider and never raises. Whether the exchange can show the quirk at all is
decided by `needs`, before the check runs, so that *ok* and *not applicable* stay apart (DESIGN §4.6).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from conformance.model import Finding, Layer, Level, Mode
from conformance.quirks.needs import Need, offers
from conformance.wire.facts import Fact, Mark
from conformance.wire.transcript import Call, Choice, Transcript


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule comes from, or where the deviation was seen.

    Attributes:
        title: document and section, or repository and issue number.
        url: link; empty for the three reference documents (cited as `reference 000 §1` and so on).
        date: when it was read or seen (ISO 8601).
        provider: for a sighting: the provider or server that showed it; empty for a rule.
    """

    title: str
    url: str = ""
    date: str = ""
    provider: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """Minimal wire bytes, invented for the catalogue.

    Attributes:
        body: SSE text (events separated by blank lines) or one JSON document.
        request: request fields the verdict depends on, merged into a minimal request; `{"stream": ...}` is derived.
        headers: response headers; `content-type` is derived from the body when absent.
        status: HTTP status.
        ended: how the body ended, if not regularly.
        twin: the body that answers the same request in the other mode; empty where it does not matter.
    """

    body: str
    request: dict[str, Any] | None = None
    headers: dict[str, str] | None = None
    status: int = 200
    ended: str = "end"
    twin: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """What a check yields; the registry completes it to a `Finding`.

    Attributes:
        message: one sentence, present tense, with the facts of this occurrence.
        actual: what came.
        mark: the fact that shows it (count and place are taken from it), or None with `event`/`pointer`/`count` given.
        call, choice: what it is about; None for the answer as a whole.
        expected: overrides the quirk's own `expected`.
        level, layer: override the quirk's where an occurrence is less grave or to be blamed elsewhere.
    """

    message: str
    actual: str = ""
    mark: Mark | None = None
    call: Call | None = None
    choice: Choice | None = None
    event: int | None = None
    pointer: str = ""
    count: int = 1
    expected: str = ""
    level: Level | None = None
    layer: Layer | None = None


Check = Callable[[Transcript], Iterable[Hit]]


@dataclass(frozen=True, slots=True, eq=False)
class Quirk:
    """One named way to deviate.

    Attributes:
        slug: kebab-case name of the bad pattern; the file has the same name with underscores.
        area: the folder it lives in.
        title: one sentence in present tense naming the deviation, at most 70 characters, no closing stop.
        doc: what it is and why it hurts (Markdown; the file's docstring after its first line).
        level, layer: DESIGN §4.5; who is to blame as a rule.
        sources: at least one rule; the first is what `level` rests on.
        seen: who was seen doing it.
        modes: the modes it can show in.
        needs: what an exchange must offer to be able to show it (names in `conformance.quirks.needs`).
        expected: what the source asks for, one phrase.
        guard: what a client does about it, in one or two sentences.
        guard_python, guard_typescript: the guard as code; `""` where no code is needed.
        report: the sentence to send to the provider.
        good, bad: examples; the whole registry stays at `info` or below on good ones, and finds exactly
            `{slug} | also` at `must` or `should` (or `info`, for an info quirk) on bad ones.
        also: other quirks that `bad` legitimately shows.
        since: version of this project that introduced it.
        check: the pure function.
    """

    slug: str
    area: str
    title: str
    doc: str
    level: Level
    layer: Layer
    sources: Sequence[Source]
    seen: Sequence[Source]
    modes: Sequence[Mode]
    needs: Sequence[Need]
    expected: str
    guard: str
    guard_python: str
    guard_typescript: str
    report: str
    good: Sequence[Example]
    bad: Sequence[Example]
    also: Collection[str]
    since: str
    check: Check

    def finding(self, hit: Hit, transcript: Transcript) -> Finding:
        """Complete what the check yielded on this transcript."""
        event, pointer, count = hit.event, hit.pointer, hit.count
        if hit.mark is not None:
            event, pointer, count = hit.mark.event, hit.mark.pointer, hit.mark.count
        call = hit.call
        choice = call.choice if call is not None else hit.choice.index if hit.choice is not None else None
        return Finding(
            quirk=self.slug,
            level=hit.level or self.level,
            layer=hit.layer or self.layer,
            message=hit.message,
            expected=hit.expected or self.expected,
            actual=hit.actual if len(hit.actual) <= 200 else hit.actual[:199] + "…",
            count=count,
            where=transcript.where(event, pointer),
            choice=choice,
            call=call.index if call is not None else None,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the catalogue says about one exchange.

    Attributes:
        findings: in order of place in the body, then slug.
        applicable: slugs of the quirks the exchange could show (found or not).
    """

    findings: tuple[Finding, ...]
    applicable: frozenset[str]


_BOTH: Final[tuple[Mode, ...]] = ("stream", "complete")


def quirk(
    *,
    level: Level,
    sources: Sequence[Source],
    good: Sequence[Example],
    bad: Sequence[Example],
    expected: str,
    guard: str,
    report: str,
    layer: Layer = "server",
    seen: Sequence[Source] = (),
    modes: Sequence[Mode] = _BOTH,
    needs: Sequence[Need] = (),
    assembled: bool = False,
    guard_python: str = "",
    guard_typescript: str = "",
    also: Collection[str] = (),
    since: str = "0.1",
) -> Callable[[Check], Quirk]:
    """Declare a quirk; slug and area come from the file's place, title and `doc` from its docstring.

    Args:
        assembled: it also shows, and is never made, where a client or gateway put the answer together; otherwise `wire`
            is one of its needs.

    Raises:
        ValueError: a `must` or `should` quirk without a source, or a file outside an area folder.
    """

    def declare(check: Check) -> Quirk:
        module = importlib.import_module(check.__module__)
        parts = check.__module__.split(".")
        if len(parts) != 4:
            raise ValueError(f"{check.__module__}: a quirk file lives in conformance/quirks/<area>/")
        if level != "info" and not sources:
            raise ValueError(f"{check.__module__}: level {level} needs a source")
        title, _, doc = (module.__doc__ or "").strip().partition("\n")
        return Quirk(
            slug=parts[3].replace("_", "-"),
            area=parts[2],
            title=title.rstrip("."),
            doc=doc.strip(),
            level=level,
            layer=layer,
            sources=tuple(sources),
            seen=tuple(seen),
            modes=tuple(modes),
            needs=tuple(needs) if assembled else (*needs, "wire"),
            expected=expected,
            guard=guard,
            guard_python=guard_python,
            guard_typescript=guard_typescript,
            report=report,
            good=tuple(good),
            bad=tuple(bad),
            also=frozenset(also),
            since=since,
            check=check,
        )

    return declare


@cache
def catalogue() -> tuple[Quirk, ...]:
    """Every quirk, by area folder and slug.

    Raises:
        ValueError: two quirks with one slug, or a file in an area folder that declares none or several.
    """
    import conformance.quirks as package

    found: dict[str, Quirk] = {}
    for area in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        if not area.ispkg:
            continue
        folder = importlib.import_module(f"{package.__name__}.{area.name}")
        for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda m: m.name):
            if info.name.startswith("_"):
                continue
            module = importlib.import_module(f"{folder.__name__}.{info.name}")
            declared = [value for value in vars(module).values() if isinstance(value, Quirk)]
            if len(declared) != 1:
                raise ValueError(f"{module.__name__}: declares {len(declared)} quirks, a file declares one")
            (one,) = declared
            if one.slug in found:
                raise ValueError(f"{module.__name__}: the slug {one.slug} is taken")
            found[one.slug] = one
    return tuple(found.values())


@cache
def _by_slug() -> dict[str, Quirk]:
    return {q.slug: q for q in catalogue()}


def get(slug: str) -> Quirk:
    """The quirk with this slug.

    Raises:
        KeyError: there is none.
    """
    return _by_slug()[slug]


@lru_cache(maxsize=4096)
def _applicable(quirks: tuple[Quirk, ...], mode: Mode, offered: frozenset[Need]) -> tuple[Quirk, ...]:
    """The quirks that an exchange of this mode can show; few combinations occur, in an audit again and again."""
    return tuple(q for q in quirks if mode in q.modes and offered.issuperset(q.needs))


def judge(transcript: Transcript, quirks: Sequence[Quirk] | None = None) -> Verdict:
    """Ask every quirk (or those given) about one exchange; of one not read in full, those that stand anyway."""
    asked = catalogue() if quirks is None else tuple(quirks)
    if Fact.TOO_DEEP in transcript.facts:
        from conformance.quirks.early import early  # it needs the catalogue itself

        asked = tuple(q for q in asked if q in early())
    applicable = _applicable(asked, transcript.mode, offers(transcript))
    findings = [q.finding(hit, transcript) for q in applicable for hit in q.check(transcript)]
    findings.sort(key=lambda f: (-1 if f.where.event is None else f.where.event, f.quirk, f.choice or 0, f.call or 0))
    return Verdict(tuple(findings), frozenset([q.slug for q in applicable]))

"""`inspect` for people: everything about one exchange, from the headline to the verdict.

Whatever a provider controls is shown escaped: it can hold anything, terminal codes included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from conformance.quirks import Verdict
from conformance.text import plural, visible
from conformance.view import EVENTS
from conformance.view.accumulators import accumulators_section
from conformance.view.calls import calls_section
from conformance.view.deltas import Deltas
from conformance.view.events import by_event, events_section
from conformance.view.findings import Language, findings_section
from conformance.view.folding import bounded, folded
from conformance.view.parts import BAD, GOOD, Line
from conformance.view.timeline import timeline
from conformance.wire.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Options:
    """How much is shown.

    Attributes:
        events: rows of events at most, None for all.
        language: of the guards.
        strict: whether `should` findings count.
    """

    events: int | None = EVENTS
    language: Language = "python"
    strict: bool = False


def report(transcript: Transcript, verdict: Verdict, options: Options) -> Iterator[RenderableType]:
    """The sections of the report."""
    yield headline(transcript)
    events = timeline(transcript) if options.events != 0 else []
    marked = by_event(verdict.findings)
    rows = bounded(folded(events, marked), options.events, marked)
    yield from events_section(events, rows, verdict.findings)
    if events:
        keys = [(call.choice, call.index) for call in transcript.calls]
        yield Deltas(rows, keys, limited=options.events is not None)
    yield from calls_section(transcript)
    yield from accumulators_section(transcript)
    yield from findings_section(verdict, options.language)
    yield Text()
    yield conclusion(transcript, verdict, options.strict)
    yield Text()


def headline(t: Transcript, name: str = "") -> Line:
    """Which exchange it is (and what it is called here), what kind of answer, how long, and whether it is whole."""
    source = Text(f"{name}  " if name else "").append(visible(t.exchange.source), "bold").append("  ")
    if t.kind == "empty" and not t.exchange.fidelity.whole and t.asked.known:
        asked = f"{plural(len(t.asked.messages), 'message')}, {plural(len(t.asked.tools), 'tool')}"
        return Line(source, f"a request without its answer: {asked}")
    kind = f"stream, {plural(t.events, 'event')}" if t.mode == "stream" else "complete answer"
    status = f"HTTP {t.exchange.status}, " if t.exchange.status is not None else ""
    reason = f"finish_reason {visible(t.finish_reason, 40)}" if t.finish_reason else "no finish_reason"
    text = Text(f"{status}{kind}, {plural(len(t.body), 'byte')}, {reason}, ")
    if t.complete:
        return Line(source, text.append("complete", GOOD))
    return Line(source, text.append(f"{'CUT' if t.cut else 'not complete'}: do not run the calls", BAD))


def conclusion(transcript: Transcript, verdict: Verdict, strict: bool) -> Line:
    """The last line: what counts, and how much of the catalogue could be asked."""
    counted = {"must", "should"} if strict else {"must"}
    loud = [f for f in verdict.findings if f.level in counted]
    rest = [f for f in verdict.findings if f.level == "should" and f.level not in counted]
    applied = f"{plural(len(verdict.applicable), 'check')} applied"
    if loud:
        slugs = ", ".join(dict.fromkeys(f.quirk for f in loud))
        return Line("  ", Text(f"{plural(len(loud), 'finding')}: {slugs}", BAD).append(f" ({applied})", "default"))
    status = transcript.exchange.status
    if rest:
        slugs = ", ".join(dict.fromkeys(f.quirk for f in rest))
        return Line("  ", f"nothing that counts without --strict: {slugs} ({applied})")
    if status is not None and status >= 400:
        return Line("  ", f"HTTP {status}: an error, not an answer; there is nothing to judge")
    so_far = "" if transcript.complete or transcript.kind != "sse" else " in what is there"
    return Line("  ", Text(f"nothing deviates{so_far}", GOOD).append(f" ({applied})", "default"))

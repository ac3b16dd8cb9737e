"""`inspect` for people: a headline, the calls, each finding with what was expected, what came, where, and the guard.

Text that a provider controls is shown escaped: it can hold anything, terminal codes included.
"""

from __future__ import annotations

from itertools import groupby

import click

from conformance.model import Finding
from conformance.quirks import Verdict, get
from conformance.wire.documented import impact
from conformance.wire.transcript import Call, Transcript

_COLOURS = {"must": "red", "should": "yellow", "info": "cyan"}
_MOST = 110


def render(transcript: Transcript, verdict: Verdict) -> str:
    """The whole report about one exchange."""
    lines = [_headline(transcript)]
    for call in transcript.calls:
        lines.extend(_call(call))
    if not transcript.calls and transcript.body:
        text = transcript.choices[0].content if transcript.choices else ""
        lines.append(f"  no calls{f'; content {quoted(text)}' if text else ''}")
    loud = [f for f in verdict.findings if f.level != "info"]
    for finding in sorted(loud, key=lambda f: f.level != "must"):
        lines.append("")
        lines.extend(_finding(finding))
    quiet = sorted({f.quirk for f in verdict.findings if f.level == "info"})
    if quiet:
        lines += ["", f"  legal variations: {', '.join(quiet)}"]
    if loud and transcript.chunks:
        lines.extend(_impact(transcript))
    status = transcript.exchange.status
    if status is not None and status >= 400 and not loud:
        lines.append(f"  HTTP {status}: an error, not an answer; there is nothing to judge")
    elif not loud:
        lines.append(f"  nothing deviates ({len(verdict.applicable)} checks applied)")
    return "\n".join(lines) + "\n"


def quoted(text: str, limit: int = _MOST) -> str:
    """Text in quotes, cut, with control characters escaped."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(shown)


def _headline(t: Transcript) -> str:
    if t.kind == "empty" and not t.exchange.fidelity.whole:
        asked = f"{len(t.asked.messages)} messages, {len(t.asked.tools)} tools"
        return click.style(t.exchange.source, bold=True) + f"  a request without its answer: {asked}"
    kind = {"stream": f"stream, {t.events} events", "complete": "complete answer"}[t.mode]
    status = f"HTTP {t.exchange.status}, " if t.exchange.status is not None else ""
    end = "complete" if t.complete else "CUT: do not run the calls" if t.cut else "not complete: do not run the calls"
    reason = f"finish_reason {t.finish_reason}" if t.finish_reason else "no finish_reason"
    return (
        click.style(printable(t.exchange.source), bold=True) + f"  {status}{kind}, {len(t.body)} bytes, {reason}, {end}"
    )


def _call(call: Call) -> list[str]:
    use = "usable" if call.usable else click.style(f"not usable ({', '.join(call.unusable_because)})", fg="red")
    where = f"choice {call.choice} " if call.choice else ""
    lines = [f"  {where}call {call.index}: {quoted(call.name, 60)} id {quoted(call.id, 60)}, {use}"]
    lines.append(f"      {quoted(call.arguments)}" + (f"  (repaired: {call.repair})" if call.repair else ""))
    return lines


def _finding(finding: Finding) -> list[str]:
    quirk = get(finding.quirk)
    place = [f"event {finding.where.event}"] if finding.where.event is not None else []
    place += [f"byte {finding.where.byte}"] if finding.where.byte is not None else []
    place += [finding.where.pointer] if finding.where.pointer else []
    times = f" ({finding.count}x)" if finding.count > 1 else ""
    level = click.style(finding.level, fg=_COLOURS[finding.level], bold=True)
    lines = [
        f"  {level} {finding.quirk}: {printable(finding.message)}{times}  [{finding.layer}]",
        f"      expected  {finding.expected}",
        f"      actual    {printable(finding.actual) or '-'}",
        f"      where     {', '.join(place) or 'the body'}",
        f"      source    {quirk.sources[0].title if quirk.sources else '-'}",
    ]
    if quirk.guard:
        lines.append(f"      guard     {quirk.guard}")
    return lines


def printable(text: str) -> str:
    """Text on one line, with anything that is not printable escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _impact(transcript: Transcript) -> list[str]:
    effects = impact(transcript)
    lines = ["", "  what documented accumulators make of it:"]
    for wrong, group in groupby(sorted(effects, key=lambda e: e.wrong), key=lambda e: e.wrong):
        names = ", ".join(e.variant for e in group)
        lines.append(f"      {'wrong' if wrong else 'right'}: {names}")
    return lines

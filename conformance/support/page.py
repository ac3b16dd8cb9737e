"""The page to paste into a provider's issue tracker. All text of provider, model and user stands in it escaped."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib import metadata
from typing import Final

from conformance.model import Fidelity, Finding, Where
from conformance.quirks import get
from conformance.report.text import code, plural, prose, ticked, visible
from conformance.support.minimal import Minimal
from conformance.support.redaction import Redacted
from conformance.transport.interaction import version
from conformance.view.accumulators import how_wrong, right_calls, wrong_anyway
from conformance.wire.documented import VARIANTS, impact
from conformance.wire.source import source_of
from conformance.wire.transcript import Transcript

_EXCERPT: Final = 1600
_FINDINGS: Final = 20
_CALLS: Final = 20
_PACKAGES: Final = ("openai", "httpx2")
_NOT_KEPT: Final = {
    "framing": "the framing of events",
    "presence": "absent against null",
    "text": "the spelling of JSON",
    "whole": "the whole body",
    "ids": "the ids",
    "headers": "the headers",
    "wire": "how the answer came",
}
_REQUEST_ID: Final = re.compile(r"(?:.*-)?request-?id|cf-ray")


def page(redacted: Redacted, findings: Sequence[Finding], part: Minimal | None, files: Sequence[str]) -> str:
    """The whole page as Markdown.

    Args:
        redacted: the exchange it is about.
        findings: what to report, the gravest first; at least one.
        part: the smallest part of the stream that shows the gravest.
        files: names of the files that lie beside the page.
    """
    first = findings[0]
    quirk = get(first.quirk)
    parts = [
        f"# {ticked(quirk.title)}",
        quirk.report and ticked(quirk.report),
        _facts(redacted, first),
        "## Evidence",
        _excerpt(redacted.transcript, first.where),
        *_calls(redacted.transcript),
        *_clients(redacted.transcript),
        *_others(findings[1:]),
        "## Reproduce",
        "\n".join(_reproduce(redacted, part, files)),
        "## What was taken out",
        _taken_out(redacted),
        f"---\n\nRead by {', '.join(_versions())}.",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _facts(redacted: Redacted, finding: Finding) -> str:
    exchange = redacted.exchange
    quirk = get(finding.quirk)
    status = "" if exchange.status is None else f", HTTP {exchange.status}"
    asked = {"stream": ", asked for with `stream: true`", "complete": ", asked for without `stream: true`"}
    came = "a stream" if redacted.transcript.mode == "stream" else "a complete answer"
    rows = [
        ("Provider", prose(exchange.provider)),
        ("Model", exchange.model and code(exchange.model)),
        ("Answer", f"{came}{asked.get(exchange.asked_mode or '', '')}{status}"),
        ("Recorded", prose(exchange.recorded_at or "")),
        ("Not kept by the recording", ", ".join(_not_kept(exchange.fidelity))),
        *((prose(name), code(value)) for name, value in exchange.headers.items() if _REQUEST_ID.fullmatch(name)),
        ("Finding", f"{code(finding.quirk)}, {finding.level}: {prose(finding.message)}{_times(finding)}"),
        ("Expected", ticked(finding.expected)),
        ("Actual", code(finding.actual) if finding.actual else "as the bytes below show"),
        ("Where", place(finding.where)),
        ("Rule", "; ".join(f"[{prose(s.title)}]({s.url})" if s.url else prose(s.title) for s in quirk.sources)),
        ("Seen elsewhere", "; ".join(f"[{prose(s.title)}]({s.url})" for s in quirk.seen if s.url)),
    ]
    return "\n".join(f"- **{name}:** {text}" for name, text in rows if text)


def _not_kept(fidelity: Fidelity) -> Iterator[str]:
    """What a recording cannot show; nothing is judged by it."""
    return (_NOT_KEPT.get(f.name, f.name) for f in fields(fidelity) if not getattr(fidelity, f.name))


def place(where: Where) -> str:
    """A place in a response body, in words."""
    parts = [] if where.event is None else [f"event {where.event} (counted from 0)"]
    parts += [] if where.byte is None else [f"byte {where.byte} of the body"]
    parts += [code(where.pointer)] if where.pointer else []
    return ", ".join(parts) or "the answer as a whole"


def _times(finding: Finding) -> str:
    return f" ({finding.count} times)" if finding.count > 1 else ""


def _excerpt(transcript: Transcript, where: Where) -> str:
    """The bytes of the event, or the beginning of the body."""
    start, end = 0, len(transcript.body)
    if where.event is not None and where.byte is not None:
        start = where.byte
        later = [offset for offset in transcript.event_offsets[where.event + 1 : where.event + 2] if offset > start]
        end = later[0] if later else end
    data = transcript.body[start:end]
    if not data.strip():
        return "The body is empty." if not transcript.body.strip() else "The event is empty."
    what = f"Event {where.event}" if where.event is not None else "The body"
    if where.event is None and len(data) > _EXCERPT and (part := _part(data, where.pointer)):
        what, data = f"The body at {code(part[0])}", part[1]
    cut = f", its first {_EXCERPT} of {len(data)} bytes" if len(data) > _EXCERPT else ""
    return f"{what}{cut}:\n\n{_fenced(data[:_EXCERPT])}"


def _part(body: bytes, pointer: str) -> tuple[str, bytes] | None:
    """The text of a document at a pointer, or above it where nothing stands there."""
    text = body.decode("utf-8", "replace")
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    while steps:
        found = source_of(text, [int(step) if step.isdecimal() else step for step in steps])
        if found is not None:
            return "/" + "/".join(steps), found.encode()
        steps.pop()
    return None


def _fenced(data: bytes) -> str:
    lines = [visible(line, 2 * _EXCERPT * 4) for line in data.decode("utf-8", "backslashreplace").rstrip().split("\n")]
    text = "\n".join(line.removesuffix("\\r") for line in lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def _calls(transcript: Transcript) -> Iterator[str]:
    calls = transcript.calls
    if not calls:
        return
    yield "## The calls these bytes hold"
    lines = []
    for call in calls[:_CALLS]:
        use = "usable" if call.usable else f"not usable ({', '.join(call.unusable_because)})"
        where = f"choice {call.choice}, " if call.choice else ""
        lines.append(
            f"- {where}call {call.index}: {code(call.name)}, id {code(call.id)}, {use}: {code(call.arguments)}"
        )
    lines += [f"- and {len(calls) - _CALLS} more"] if len(calls) > _CALLS else []
    end = "The answer is complete." if transcript.complete else "The answer is not complete: none of them may be run."
    yield "\n".join(lines)
    yield end


def _clients(transcript: Transcript) -> Iterator[str]:
    """What documented ways to accumulate a stream make of it, where honest bytes would have served them well."""
    right = right_calls(transcript)
    if not transcript.chunks:
        return
    anyway = wrong_anyway(transcript, right)
    titles = {variant.name: variant.title for variant in VARIANTS}
    alike: dict[str, list[str]] = {}
    for effect in impact(transcript):
        if effect.wrong and effect.variant not in anyway:
            told = prose("; ".join(how_wrong(effect, right)), 600)
            alike.setdefault(told, []).append(f"{code(effect.variant)} ({ticked(titles[effect.variant])})")
    if alike:
        yield "## What clients end up with"
        yield "Accumulators that are right on honest bytes for the same calls, and wrong on these:"
        yield "\n".join(f"- {', '.join(names)}: {told}" for told, names in alike.items())


def _others(findings: Sequence[Finding]) -> Iterator[str]:
    if not findings:
        return
    yield "## Also found"
    lines = [
        f"- {code(f.quirk)}, {f.level}: {prose(f.message)}{_times(f)}; expected {ticked(f.expected)}; {place(f.where)}"
        for f in findings[:_FINDINGS]
    ]
    lines += [f"- and {plural(len(findings) - _FINDINGS, 'finding')} more"] if len(findings) > _FINDINGS else []
    yield "\n".join(lines)


def _reproduce(redacted: Redacted, part: Minimal | None, files: Sequence[str]) -> Iterator[str]:
    if "reproduce.sh" in files:
        yield "- `BASE_URL=… API_KEY=… sh reproduce.sh` sends the recorded request (`request.json`) again, with curl."
        if redacted.content:
            yield "  Its text is replaced by placeholders, so that the model may answer otherwise."
    else:
        yield "- The request was not recorded; `conformance inspect … --request FILE --report DIR` adds it."
    yield "- `conformance inspect capture.json` shows this finding again, from the recorded response."
    if part is not None:
        also = "" if part.pure else " (what else it shows comes from what was left out)"
        request = " --request request.json" if "request.json" in files else ""
        yield f"- `conformance inspect minimal.sse{request}`: {len(part.body)} bytes of it that show the same{also}."
    body = next((name for name in files if name.startswith("response.")), "")
    yield f"- `{body}` is the body alone." if body else "- The response has no body."


def _taken_out(redacted: Redacted) -> str:
    masked = f"Keys, cookies, accounts and addresses: {plural(redacted.masked, 'string')} changed."
    content = (
        " What people and models wrote is replaced by placeholders of the same length." if redacted.content else ""
    )
    kept = "" if redacted.content else " What people and models wrote is still there."
    return f"{masked}{content}{kept} {redacted.changed or 'The verdict is the same as before.'}"


def _versions() -> Iterator[str]:
    yield f"conformance {version()}"
    yield f"Python {platform.python_version()}"
    for name in _PACKAGES:
        yield f"{name} {metadata.version(name)}"

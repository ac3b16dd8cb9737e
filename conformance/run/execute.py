"""One cell: drive the scenario's conversation, read and judge each answer, and make the lines of the run record."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, Protocol

from conformance import text
from conformance.errors import CassetteCorrupt, CassetteError, CassetteMissing, CassetteStale, NotRun
from conformance.model import Exchange, Finding
from conformance.providers.expect import expected_by
from conformance.quirks import Quirk, Verdict, catalogue, judge
from conformance.quirks.probe import shown
from conformance.quirks.rejection import blamed
from conformance.run.ask import adapt
from conformance.run.outcome import day_of
from conformance.run.plan import GATEWAY, LOCAL, Cell
from conformance.run.retry import Attempt, Sent, retry_after
from conformance.run.rows import AttemptRow, CallRow, EvidenceRow, ExchangeRow, FindingRow, finding_document
from conformance.wire.read import read
from conformance.wire.shape import Shape, shape_of
from conformance.wire.transcript import Transcript

SAYS_NOTHING: Final = frozenset((401, 402, 403, 404, 407, 408, 425, 429, 502, 503, 504, 529))
"""HTTP statuses that are about access, load or gateways, and say nothing about tool calling."""

_LATER: Final = "wait, then run again, or raise --retries"
_HTTP_FIXES: Final[Mapping[int, str]] = {
    402: "pay the provider's bill, or use another key",
    404: "check 'base_url' and the model's name",
    407: "check HTTPS_PROXY, and the name and password in it",
    408: "run again",
    425: "run again",
    429: _LATER,
    502: "look at the server behind the gateway, then run again",
    503: _LATER,
    504: "look at the server behind the gateway, then run again",
    529: _LATER,
}
_ADDRESS: Final = "check 'base_url': its scheme, its host, and its path"
_ADVICE: Final = re.compile(r";(?: restore it, or)? record it again(?:: conformance run [^\n]*)?")


class Sender(Protocol):
    """Gets the answer to one request."""

    def __call__(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Sent:
        """Send and wait, again where that is worth it.

        Raises:
            NotRun: there is no answer.
            CassetteError: there is no recording that may stand for one.
        """
        ...


def run_cell(
    cell: Cell,
    send: Sender,
    *,
    source: str,
    evidence: str | None,
    twin: Callable[[Cell, int], Shape | None] = lambda _cell, _step: None,
) -> Iterator[ExchangeRow]:
    """Run one cell.

    Args:
        cell: what to run.
        send: gets the answers.
        source: id of the pytest item.
        evidence: the cassette as reports name it; None if nothing is recorded.
        twin: the shape of the answer to a step's request in the other mode, where it is known.

    Yields:
        One line per request, as its answer comes. When there is no answer that can be judged, that line and those of
        the steps behind it say *not run*.
    """
    conversation = cell.scenario.conversation(cell.model)
    step = played = 0
    ask = next(conversation)
    while True:
        place: EvidenceRow | None = {"cassette": evidence, "interaction": played} if evidence else None
        try:
            sent = send(adapt(ask.body, cell.provider, cell.model, cell.mode), ask.headers)
        except (NotRun, CassetteError) as problem:
            there = isinstance(problem, (CassetteStale, CassetteCorrupt))
            yield from not_run(cell, as_not_run(problem, cell), source, step, place if there else None)
            return
        exchange = sent.exchange
        if place is not None:
            place["interaction"] += sum(attempt.exchange is not None for attempt in sent.attempts)
            played = place["interaction"] + 1
        transcript = read(exchange)
        transcript.twin = twin(cell, step)
        verdict = judge(transcript, _about_providers())
        row = _row(cell, step, source, exchange, transcript, verdict, place)
        row["attempts"] = [_attempt(attempt) for attempt in sent.attempts]
        failure = _given_up(exchange) or _http_failure(cell, transcript, row["findings"])
        if failure is not None:
            row["not_run"] = {"reason": failure.reason, "detail": failure.detail, "fix": failure.fix}
            row["applicable"], row["findings"] = [], []
            yield row
            yield from not_run(cell, failure, source, step + 1, None)
            return
        if (shape := shape_of(transcript)) is not None:
            row["shape"] = shape.row()
        yield row
        try:
            ask = conversation.send(transcript)
        except StopIteration:
            return
        step += 1


def not_run(
    cell: Cell, problem: NotRun, source: str, first: int = 0, evidence: EvidenceRow | None = None
) -> Iterator[ExchangeRow]:
    """The lines of a cell's steps from `first` on, all not run for the same reason."""
    for step in range(first, cell.scenario.steps):
        yield not_run_row(cell, problem, source, step, evidence if step == first else None)


def not_run_row(
    cell: Cell, problem: NotRun, source: str, step: int, evidence: EvidenceRow | None = None
) -> ExchangeRow:
    """The line of one exchange that was not had."""
    row = _empty(cell, step, source)
    row["not_run"] = {"reason": problem.reason, "detail": problem.detail, "fix": problem.fix}
    row["evidence"] = evidence
    return row


def as_not_run(problem: NotRun | CassetteError, cell: Cell) -> NotRun:
    """A problem with a cassette as the reason why a cell was not run, with the command that helps."""
    if isinstance(problem, NotRun):
        return problem
    reasons = {
        CassetteMissing: "cassette-missing",
        CassetteStale: "cassette-stale",
        CassetteCorrupt: "cassette-corrupt",
    }
    reason = next((name for kind, name in reasons.items() if isinstance(problem, kind)), "cassette-corrupt")
    # the same advice stands in `fix`, with the model
    detail = _ADVICE.sub("", str(problem))
    return NotRun(reason, detail, command(cell, "--record"))


def keeps(row: ExchangeRow) -> bool:
    """Whether an exchange is worth a recording: its answer is the provider's own word on the request."""
    return row["not_run"] is None or (row["status"] is not None and row["status"] not in SAYS_NOTHING)


def command(cell: Cell, flag: str = "") -> str:
    """The line for a shell that runs this cell again."""
    provider = cell.provider
    words = ["conformance", "run"]
    if provider.name in (LOCAL, GATEWAY):
        words += [*text.option("--base-url", provider.base_url), *text.option("--model", cell.model)]
        words += text.option("--api-key-env", provider.api_key_env) if provider.api_key_env else []
        flag = ""
    else:
        words += text.option("--provider", provider.name)
        words += [] if cell.is_default else text.option("--model", cell.model)
    words += ["--scenario", cell.scenario.name, "--mode", cell.mode, *([flag] if flag else [])]
    return text.command(*words)


@cache
def _about_providers() -> tuple[Quirk, ...]:
    """The quirks without those that blame the client: in a run the client is the scenario, which does it on purpose."""
    return tuple(quirk for quirk in catalogue() if quirk.layer != "client")


def _given_up(exchange: Exchange) -> NotRun | None:
    """An answer that a limit of ours ended, as *not run*: the server might have gone on."""
    if exchange.ended.kind != "limit":
        return None
    fix = "raise --timeout or --max-bytes (or the provider's limits in its file), or look at why the answer is so long"
    return NotRun("limit", f"the answer was given up: {exchange.ended.detail}", fix)


def _http_failure(cell: Cell, transcript: Transcript, findings: Sequence[FindingRow]) -> NotRun | None:
    """An answer that is only an HTTP error, as *not run*; None if it is an answer.

    So is an error that shows a deviation, one that somebody expects, and one that rejects what is unusual about the
    request and lets it be known: that is what the scenarios of the request side ask. Those about links ask it with a
    request that differs in its ids alone from one that was answered.
    """
    status = transcript.exchange.status
    if status is None or 200 <= status < 300:
        return None
    telling = any(f["level"] != "info" or f["expected_by"] for f in findings)
    telling = telling or blamed(transcript) is not None or shown(transcript) is not None
    if 300 <= status < 400:
        return _redirect(status, transcript.exchange.headers.get("location", ""))
    if status not in SAYS_NOTHING and telling:
        return None
    said = _error_text(transcript)
    asked = retry_after(transcript.exchange.headers) if status in (429, 503, 529) else None
    later = f"; it asks to wait {math.ceil(asked)} s" if asked else ""
    key = cell.provider.api_key_env
    fix = _HTTP_FIXES.get(status, "")
    if status in (401, 403):
        fix = f"check the key in {key}" if key else "name the variable of a key with 'api_key_env' or --api-key-env"
    return NotRun(f"http-{status}", f"the server answered HTTP {status}{f': {said}' if said else ''}{later}", fix)


def _redirect(status: int, location: str) -> NotRun:
    """An answer that points elsewhere; it is not followed, because the key would go there."""
    if not location:
        return NotRun(f"http-{status}", f"the server answered HTTP {status}, and not where to go", _ADDRESS)
    target = text.visible(location.partition("?")[0], 200)
    base = target.removesuffix("/").removesuffix("/chat/completions")
    fix = f"if that is the right place, set 'base_url' to {base}" if "://" in base else _ADDRESS
    return NotRun(
        f"http-{status}", f"the server answered HTTP {status}: it redirects to {target}, which is not followed", fix
    )


def _error_text(transcript: Transcript) -> str:
    said = ""
    if transcript.error is not None:
        message = transcript.error.get("message")
        said = message if isinstance(message, str) else ""
    if not said:
        said = transcript.body[:400].decode("utf-8", "replace")
    said = " ".join(said.split())
    return said if len(said) <= 160 else said[:159] + "…"


def _attempt(attempt: Attempt) -> AttemptRow:
    exchange = attempt.exchange
    return {
        "status": exchange.status if exchange is not None else None,
        "reason": attempt.reason,
        "detail": attempt.detail if exchange is None else _error_text(read(exchange)) or attempt.detail,
        "waited_ms": round(attempt.waited * 1000),
    }


def _empty(cell: Cell, step: int, source: str) -> ExchangeRow:
    return {
        "type": "exchange",
        "provider": cell.provider.name,
        "model": cell.model,
        "scenario": cell.scenario.name,
        "mode": cell.mode,
        "step": step,
        "sample": cell.sample,
        "source": source,
        "not_run": None,
        "evidence": None,
        "recorded_at": None,
        "status": None,
        "answered_mode": None,
        "complete": None,
        "finish_reason": None,
        "calls": [],
        "bytes": None,
        "sha256": None,
        "duration_ms": None,
        "applicable": [],
        "findings": [],
    }


def _row(
    cell: Cell,
    step: int,
    source: str,
    exchange: Exchange,
    transcript: Transcript,
    verdict: Verdict,
    evidence: EvidenceRow | None,
) -> ExchangeRow:
    row = _empty(cell, step, source)
    calls: list[CallRow] = [
        {"id": text.bounded(call.id), "name": text.bounded(call.name), "usable": call.usable}
        for call in transcript.calls
    ]
    reason = transcript.finish_reason
    row.update(
        {
            "evidence": evidence,
            "recorded_at": exchange.recorded_at,
            "status": exchange.status,
            "answered_mode": transcript.mode,
            "complete": transcript.complete,
            "finish_reason": reason and text.bounded(reason),
            "calls": calls,
            "bytes": len(exchange.body),
            "sha256": hashlib.sha256(exchange.body).hexdigest(),
            "duration_ms": round(exchange.pieces[-1].at_ms, 1) if exchange.pieces else None,
            "applicable": sorted(verdict.applicable),
            "findings": [_finding(cell, finding, day_of(exchange.recorded_at)) for finding in verdict.findings],
        }
    )
    return row


def _finding(cell: Cell, finding: Finding, day: date | None) -> FindingRow:
    known = expected_by(cell.provider, finding.quirk, cell.mode, cell.scenario.name, cell.model, day)
    return {**finding_document(finding), "expected_by": known.reason if known is not None else None}

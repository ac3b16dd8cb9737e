"""What happens to a copy, in a process of its own: it is redacted, read, judged and written."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import httpx2
from vcr.request import Request

from conformance.errors import ConformanceError
from conformance.model import Exchange
from conformance.quirks import Verdict, judge
from conformance.quirks.early import early
from conformance.run.execute import SAYS_NOTHING
from conformance.tap.passed import Glimpse, Judged, Passed, Settings, Standing
from conformance.tap.privacy import document, private
from conformance.tap.save import write
from conformance.transport.endpoint import Endpoint
from conformance.transport.interaction import Labels, to_exchange, to_vcr
from conformance.transport.privacy import recorded_request, redacted, redactor_for
from conformance.wire.read import read
from conformance.wire.redact import Redactor
from conformance.wire.transcript import Transcript


def look(passed: Passed, settings: Settings) -> Glimpse:
    """What is certain of an answer that is still coming."""
    exchange, _, _ = _exchange(passed, settings)
    return Glimpse(passed.number, exchange.model, judge(read(exchange), early()).findings)


def conclude(passed: Passed, settings: Settings) -> Judged:
    """What became of an exchange."""
    if not passed.chat:
        return _without(passed, settings, "other")
    if passed.failure or passed.head is None:
        return _without(passed, settings, "not judged", passed.failure or "the client went away before an answer came")
    exchange, request, response = _exchange(passed, settings)
    transcript = read(exchange)
    left = transcript.cut and exchange.ended.kind == "client-closed"
    verdict = judge(transcript, early() if left else None)
    standing, why = _standing(transcript, verdict, left)
    document = settings.describe(transcript, verdict) if settings.describe is not None else None
    if standing == "not judged":
        verdict = Verdict((), frozenset())
    cassette, problem = None, ""
    if settings.save is not None and not left and exchange.status not in SAYS_NOTHING:
        try:
            cassette = write(settings.save, f"{settings.begun}-{passed.number:04}.{transcript.mode}", request, response)
        except ConformanceError as error:
            problem = str(error)
    return Judged(
        number=passed.number,
        started=passed.started,
        request=_line(passed, settings),
        status=passed.status,
        size=passed.size,
        ms=passed.ms,
        standing=standing,
        model=exchange.model,
        mode=transcript.mode,
        why=why,
        complete=transcript.complete,
        calls=len(transcript.calls),
        usable=sum(call.usable for call in transcript.calls),
        findings=verdict.findings,
        applicable=verdict.applicable,
        document=document,
        cassette=cassette,
        problem=problem,
    )


def unjudged(passed: Passed, settings: Settings, why: str) -> Judged:
    """An exchange that was not judged, through no fault of its own."""
    return _without(passed, settings, "not judged", why, ours=True)


def _standing(transcript: Transcript, verdict: Verdict, left: bool) -> tuple[Standing, str]:
    if left:
        return "in part", "the client went away before the answer ended"
    status = transcript.exchange.status
    if status is None or 200 <= status < 300:
        return "judged", ""
    # as in a run: an error about access or load says nothing about tool calling, another one only if it deviates
    if status not in SAYS_NOTHING and any(f.level != "info" for f in verdict.findings):
        return "judged", ""
    return "not judged", f"HTTP {status}"


def _without(passed: Passed, settings: Settings, standing: Standing, why: str = "", *, ours: bool = False) -> Judged:
    redactor = _redactor(settings.base_url, passed.secrets)
    return Judged(
        number=passed.number,
        started=passed.started,
        request=_line(passed, settings),
        status=passed.status,
        size=passed.size,
        ms=passed.ms,
        standing=standing,
        model=_model(redactor.body(passed.body)),
        why=why,
        ours=ours or passed.ours,
    )


def _exchange(passed: Passed, settings: Settings) -> tuple[Exchange, Request, dict[str, Any]]:
    """The exchange as its cassette will hold it, so that a replay is judged on the same bytes; request and response."""
    received = passed.received()
    assert received is not None
    endpoint = Endpoint(settings.base_url)
    redactor = _redactor(settings.base_url, passed.secrets)
    url = httpx2.URL(settings.base_url).copy_with(raw_path=passed.target.encode("latin-1"))
    content, fields, received = private(passed, received, redactor)
    sent = httpx2.Request(passed.method, url, headers=list(fields), content=content)
    request = recorded_request(sent, endpoint, settings.provider, redactor)
    asked = document(request.body or b"")
    labels = Labels(settings.provider, _model(request.body or b""), "", "stream" if asked.get("stream") else "complete")
    response = to_vcr(redacted(received, redactor), request, labels)
    return to_exchange(request, response, f"tap#{passed.number}"), request, response


@lru_cache(maxsize=8)
def _redactor(base_url: str, secrets: tuple[str, ...]) -> Redactor:
    return redactor_for(Endpoint(base_url, secrets=secrets))


def _line(passed: Passed, settings: Settings) -> str:
    path = passed.target.partition("?")[0]
    return f"{passed.method} {_redactor(settings.base_url, passed.secrets).text(path)}"


def _model(body: bytes) -> str:
    model = document(body).get("model")
    return model if isinstance(model, str) else ""

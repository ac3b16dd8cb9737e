"""An exchange without secrets, and on demand without what people and models wrote.

Keys, cookies, accounts and e-mail addresses go always, also where a stream spells one out over many pieces. Every
length is kept, so that offsets, pointers and the framing stay true. What that does to the verdict is measured and said.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypedDict

from conformance.errors import InputError
from conformance.model import End, Exchange, Finding
from conformance.quirks import Verdict, judge
from conformance.support import known
from conformance.support import request as requests
from conformance.support.body import Body
from conformance.support.placeholders import Placeholders, words
from conformance.support.quotes import Quotes
from conformance.support.secrets import Secrets
from conformance.wire.facts import Fact
from conformance.wire.read import read
from conformance.wire.redact import Redactor
from conformance.wire.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Redacted:
    """A redacted exchange, and what redaction did.

    Attributes:
        exchange: without secrets; a body that came compressed stands decoded where it had to be changed.
        transcript, verdict: of the redacted exchange.
        masked: number of strings, headers among them, that a secret was taken out of.
        content: whether the text of people and models is replaced as well.
        changed: what redaction does to the verdict, one sentence; `""` if nothing.
    """

    exchange: Exchange
    transcript: Transcript
    verdict: Verdict
    masked: int
    content: bool
    changed: str


def redact(exchange: Exchange, *, content: bool = False, secrets: Iterable[str] = ()) -> Redacted:
    """Take everything out of an exchange that must not be told.

    Args:
        exchange: any exchange.
        content: replace what people and models wrote as well: messages, answers, argument strings, descriptions.
        secrets: more values to mask, beside those of the environment and of the exchange's own headers.

    Raises:
        InputError: the request is nested too deeply to be gone through.
    """
    try:
        return _redact(exchange, content, tuple(secrets))
    except RecursionError:
        raise InputError(f"{exchange.source}: the request is nested too deeply to redact it") from None


def _redact(exchange: Exchange, content: bool, values: tuple[str, ...]) -> Redacted:
    before = read(exchange)
    found = judge(before)
    body = Body(before.body)
    secrets = _secrets(exchange, body, values)
    best: Redacted | None = None
    for way in _ways(before) if content else (_Way(),):
        bare, masked = _without(exchange, before, body, secrets, way)
        after = read(bare)
        verdict = judge(after)
        changed = _difference(found.findings, verdict.findings)
        candidate = Redacted(bare, after, verdict, masked, content, changed)
        if not changed:
            return candidate
        best = best or candidate
    assert best is not None  # there is at least one way
    return best


class _Way(TypedDict, total=False):
    """How text is replaced; nothing of it where it stays."""

    words: Placeholders
    together: bool
    quotes: Quotes


def _ways(transcript: Transcript) -> Iterator[_Way]:
    """The ways to replace text, the most thorough first; a later one is taken if the verdict hangs on it."""
    request = transcript.exchange.request or {}
    words = Placeholders(_vocabulary(transcript))
    yield {"words": words}
    # growing snapshots are beginnings of each other only if each is masked by itself
    yield {"words": words, "together": False}
    # some findings read the words of an error
    yield {"words": words, "quotes": Quotes(requests.written(request))}


def _without(
    exchange: Exchange, transcript: Transcript, body: Body, secrets: Secrets, way: _Way
) -> tuple[Exchange, int]:
    data, masked = body.redacted(secrets, **way)
    request = exchange.request
    if request is not None:
        request, more = requests.redacted(request, secrets, way.get("words"))
        masked += more
    headers = {name: secrets.masked(value) for name, value in Redactor().headers(exchange.headers.items())}
    masked += sum(headers[name.lower()] != value for name, value in exchange.headers.items())
    ended = End(exchange.ended.kind, secrets.masked(exchange.ended.detail))
    masked += ended != exchange.ended
    bare = replace(
        exchange,
        headers=headers,
        request=request,
        provider=secrets.masked(exchange.provider),
        model=secrets.masked(exchange.model),
        ended=ended,
    )
    if data == transcript.body:
        return bare, masked
    if transcript.body == exchange.body:
        return replace(bare, body=data), masked
    # compressed: the lengths on the wire cannot be kept, those of the decoded body are
    headers.pop("content-length", None)
    if Fact.ENCODING_UNDECLARED in transcript.facts:
        data = gzip.compress(data, mtime=0)
    else:
        headers.pop("content-encoding", None)
    return replace(bare, body=data, headers=headers, pieces=()), masked


def _secrets(exchange: Exchange, body: Body, values: tuple[str, ...]) -> Secrets:
    request = exchange.request or {}
    named = (*values, *known.of_environment(), *known.of_headers(exchange.headers), *requests.private(request))
    asked = (*requests.keys(request), *(text for _, text in requests.texts(request)))
    texts = (*body.texts(), *asked, *exchange.headers.values())
    return Secrets((*named, *body.private()), texts)


def _vocabulary(transcript: Transcript) -> set[str]:
    found = set(requests.vocabulary(transcript.exchange.request or {}))
    for call in transcript.calls:
        found.update(words(call.value, call.lenient_value, schema=False))
    return found


def _difference(before: tuple[Finding, ...], after: tuple[Finding, ...]) -> str:
    """What changed between two verdicts, one sentence; `""` if nothing."""
    one, other = Counter(map(_key, before)), Counter(map(_key, after))
    lost, new = (sorted({key[0] for key in (a - b)}) for a, b in ((one, other), (other, one)))
    if not lost and not new:
        return ""
    parts = [f"no longer shows {', '.join(lost)} as before"] if lost else []
    parts += [f"now shows {', '.join(new)}"] if new else []
    return f"Redaction changes the verdict: the exchange {' and '.join(parts)}."


def _key(finding: Finding) -> tuple[str, object]:
    place = (finding.where, finding.choice, finding.call)
    return finding.quirk, (finding.level, finding.layer, finding.count, place)

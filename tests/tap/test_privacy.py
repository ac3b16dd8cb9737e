"""Keys pass, and stay nowhere: not in a file, not in a line, not in a document."""

from __future__ import annotations

import base64
import gzip
import json
import queue
import re
import socket
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from conformance.cli.tap import describe
from conformance.tap.address import Upstream
from conformance.tap.lines import Lines
from conformance.tap.passed import Glimpse, Judged, Settings
from conformance.tap.server import Tap
from conformance.transport import read_cassette
from conformance.wire.read import read
from tests.tap.asking import BODY, KEY, PATIENCE, Provider, ask
from tests.transport.server import head, raw, sized

COOKIE, ORGANISATION, QUERY = "cookie-value-1234", "org-secret-567890", "query-secret-1234"
SECRETS = (KEY, COOKIE, ORGANISATION, QUERY, base64.b64encode(KEY.encode()).decode())
FIELDS = {
    "Authorization": f"Bearer {KEY}",
    "Cookie": f"session={COOKIE}",
    "OpenAI-Organization": ORGANISATION,
    "X-Stainless-OS": "Linux",
}


def _exchange(
    provider: Provider, save: Path, path: str, body: dict[str, Any], fields: dict[str, str] = FIELDS
) -> tuple[Judged, bytes, str]:
    """Pass one exchange; what was judged, what the client got, and all that was shown."""
    events: queue.SimpleQueue[Glimpse | Judged] = queue.SimpleQueue()
    settings = Settings(provider.url, "local", save, "t", describe)
    with Tap(Upstream.parse(provider.url), settings, events.put) as tap:
        got = ask(f"{tap.origin}{path}", body, headers=fields)
        judged = events.get(timeout=PATIENCE)
    assert isinstance(judged, Judged)
    shown = "\n".join(Lines().judged(judged)) + (judged.document or b"").decode() + repr(judged)
    return judged, got.body, shown


def test_no_secret_is_written_or_shown_wherever_it_comes_up(provider: Provider, tmp_path: Path) -> None:
    said = f"{' '.join(SECRETS)} 127.0.0.1:{provider.port}"
    call = {"id": KEY, "type": "function", "function": {"name": said, "arguments": json.dumps({"a": KEY})}}
    message = {"role": "assistant", "content": said, "tool_calls": [call, {**call, "type": KEY}]}
    answer = json.dumps({"model": KEY, "choices": [{"index": 0, "message": message, "finish_reason": QUERY}]}).encode()
    provider.answer = sized(answer, "200 OK", f"Set-Cookie: session={COOKIE}", f"X-Said: {KEY}")
    body = {**BODY, "model": f"m-{KEY}", "user": said, "stream": False}
    judged, got, shown = _exchange(provider, tmp_path, f"/v1/{KEY}/chat/completions?api-key={QUERY}", body)
    assert got == answer
    assert judged.standing == "judged"
    assert judged.cassette is not None
    written = judged.cassette.read_text(encoding="utf-8")
    for secret in (*SECRETS, str(provider.port)):
        assert secret not in written
        assert secret not in shown
    assert "x-stainless" not in written
    assert "authorization:" in written
    (exchange,) = read_cassette(judged.cassette)
    assert len(exchange.body) == len(answer)
    sent = provider.requests[0].decode()
    assert all(secret in sent for secret in (KEY, COOKIE, ORGANISATION, QUERY))


@pytest.mark.parametrize("declared", [True, False])
def test_a_compressed_answer_that_repeats_a_key_is_kept_decoded(
    provider: Provider, tmp_path: Path, declared: bool
) -> None:
    plain = json.dumps({"choices": [], "said": f"{KEY} at 127.0.0.1:{provider.port}"}).encode()
    packed = gzip.compress(plain)
    coding = ("Content-Encoding: gzip",) if declared else ()
    provider.answer = raw(head("200 OK", *coding, f"Content-Length: {len(packed)}"), packed)
    judged, got, shown = _exchange(provider, tmp_path, "/v1/chat/completions", BODY)
    assert got == packed
    assert judged.standing == "judged"
    assert judged.cassette is not None
    (exchange,) = read_cassette(judged.cassette)
    assert "content-encoding" not in exchange.headers
    kept = exchange.body if declared else gzip.decompress(exchange.body)
    assert len(kept) == len(plain)
    for text in (kept.decode(), shown):
        assert KEY not in text
        assert str(provider.port) not in text


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Provider, Callable[..., tuple[Judged, str]]]]:
    """A provider, and what passes one exchange in front of it: what was judged, and all that was shown."""
    events: queue.SimpleQueue[Glimpse | Judged] = queue.SimpleQueue()
    provider = Provider()
    settings = Settings(provider.url, "local", tmp_path_factory.mktemp("kept"), "t", describe)

    def pass_on(body: dict[str, Any], fields: dict[str, str]) -> tuple[Judged, str]:
        assert ask(f"{tap.origin}/v1/chat/completions", body, headers=fields).status == 200
        while not isinstance(judged := events.get(timeout=PATIENCE), Judged):
            pass
        return judged, "\n".join(Lines().judged(judged)) + (judged.document or b"").decode() + repr(judged)

    with Tap(Upstream.parse(provider.url), settings, events.put) as tap:
        yield provider, pass_on
    provider.close()


UNFORMED = "zq-9f8e7d6c5b4a39281"
"""How keys begin that no issuer's form gives away."""
PLACES: dict[str, Callable[[str], tuple[dict[str, str], dict[str, Any]]]] = {
    "authorization": lambda key: ({"Authorization": f"Bearer {key}"}, {}),
    "google": lambda key: ({"X-Goog-Api-Key": key}, {}),
    "portkey": lambda key: ({"X-Portkey-Api-Key": key}, {}),
    "azure": lambda key: ({"Ocp-Apim-Subscription-Key": key}, {}),
    "custom header": lambda key: ({"X-Custom-Thing": key}, {}),
    "named field": lambda key: ({}, {"api_key": key}),
    "custom field": lambda key: ({}, {"custom_thing": {"inner": [key]}}),
}
KEYS = (f"{UNFORMED}{number}" for number in count(100))
"""A new one for each exchange: a tap remembers those it has seen."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("where", ["content", "reasoning_content", "arguments"])
@pytest.mark.parametrize("size", [1, 3])
def test_a_key_that_the_answer_spells_out_goes_wherever_it_came_from(
    watched: tuple[Provider, Callable[..., tuple[Judged, str]]], place: str, where: str, size: int
) -> None:
    provider, pass_on = watched
    key = next(KEYS)
    fields, more = PLACES[place](key)
    parts = [key[at : at + size] for at in range(0, len(key), size)]
    deltas: list[dict[str, Any]] = [{where: text} for text in ("Your key is ", *parts)]
    if where == "arguments":
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": ""}}
        texts = ['{"city":"', *parts, '"}']
        deltas = [{"tool_calls": [call]}, *({"tool_calls": [{"index": 0, "function": {where: t}}]} for t in texts)]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    provider.answer = sized(body.encode())
    judged, shown = pass_on({**BODY, **more}, fields)
    assert judged.cassette is not None
    (exchange,) = read_cassette(judged.cassette)
    assert len(exchange.body) == len(body)
    transcript = read(exchange)
    (choice,) = transcript.choices
    said = "".join((choice.content, choice.reasoning, *(call.arguments for call in transcript.calls)))
    assert "*REDACTED*REDACTED*REDA" in said
    for text in (said, shown, judged.cassette.read_text(encoding="utf-8")):
        assert UNFORMED[:8] not in text


def test_who_asks_and_for_whom_is_not_kept(provider: Provider, tmp_path: Path) -> None:
    told = {
        "user": "anna@example.com",
        "safety_identifier": "anna-7",
        "prompt_cache_key": "anna",
        "metadata": {"customer": "Acme 12", "why": "a trial"},
        "messages": [{"role": "user", "content": "Write to anna@example.com, password=Tr0ub4dor&3x"}],
    }
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "bob@example.com"}}]}
    provider.answer = sized(json.dumps(answer).encode())
    fields = {"X-OpenWebUI-User-Name": "Anna", "X-Contact": "anna@example.com"}
    judged, _, shown = _exchange(provider, tmp_path, "/v1/chat/completions", {**BODY, **told, "stream": False}, fields)
    assert judged.cassette is not None
    written = judged.cassette.read_text(encoding="utf-8")
    (exchange,) = read_cassette(judged.cassette)
    assert exchange.request == {
        **BODY,
        "stream": False,
        "user": "*REDACTED*REDACT",
        "safety_identifier": "*REDAC",
        "prompt_cache_key": "*RED",
        "metadata": {"customer": "*REDACT", "why": "*REDACT"},
        "messages": [{"role": "user", "content": "Write to *REDACTED*REDACT, password=*REDACTED*RE"}],
    }
    assert b"*REDACTED*REDAC" in exchange.body
    for text in (written, shown):
        assert not re.search("anna|bob@|acme|trial|Tr0ub", text, re.IGNORECASE)


def test_requests_of_other_kinds_are_not_kept(provider: Provider, tmp_path: Path) -> None:
    judged, _, shown = _exchange(provider, tmp_path, f"/v1/files/{KEY}?key={QUERY}", {"input": KEY})
    assert judged.standing == "other"
    assert judged.request.startswith("POST /v1/files/*REDACTED")
    assert KEY not in shown
    assert QUERY not in shown
    assert list(tmp_path.iterdir()) == []


def test_what_a_provider_says_cannot_steer_the_terminal(provider: Provider, tmp_path: Path) -> None:
    def answer(connection: socket.socket) -> None:
        call = {
            "id": "\u001b]0;x\u0007",
            "type": "\u001b[2J",
            "function": {"name": "\u001b[31m\u202e", "arguments": "\u001b"},
        }
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        sized(json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "\r"}]}).encode())(connection)

    provider.answer = answer
    judged, _, _ = _exchange(
        provider, tmp_path, "/v1/chat/completions", {**BODY, "model": "\u001b[5m", "stream": False}
    )
    plain = "\n".join(Lines().judged(judged))
    for style in ("\x1b[1m", "\x1b[0m", "\x1b[31m", "\x1b[33m"):  # our own
        plain = plain.replace(style, "")
    assert {c for c in plain if not c.isprintable()} == {"\n"}
    assert "\\x1b[5m" in plain

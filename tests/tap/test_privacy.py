"""Keys pass, and stay nowhere: not in a file, not in a line, not in a document."""

from __future__ import annotations

import base64
import gzip
import json
import queue
import socket
from pathlib import Path
from typing import Any

from conformance.cli.tap import describe
from conformance.tap.address import Upstream
from conformance.tap.lines import Lines
from conformance.tap.passed import Glimpse, Judged, Settings
from conformance.tap.server import Tap
from conformance.transport import read_cassette
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


def _exchange(provider: Provider, save: Path, path: str, body: dict[str, Any]) -> tuple[Judged, bytes, str]:
    """Pass one exchange; what was judged, what the client got, and all that was shown."""
    events: queue.SimpleQueue[Glimpse | Judged] = queue.SimpleQueue()
    settings = Settings(provider.url, "local", save, "t", describe)
    with Tap(Upstream.parse(provider.url), settings, events.put) as tap:
        got = ask(f"{tap.origin}{path}", body, headers=FIELDS)
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


def test_a_compressed_answer_that_repeats_a_key_is_not_kept(provider: Provider, tmp_path: Path) -> None:
    packed = gzip.compress(json.dumps({"choices": [], "said": KEY}).encode())
    provider.answer = raw(head("200 OK", "Content-Encoding: gzip", f"Content-Length: {len(packed)}"), packed)
    judged, got, shown = _exchange(provider, tmp_path, "/v1/chat/completions", BODY)
    assert got == packed
    assert (judged.standing, judged.ours) == ("not judged", True)
    assert "the compressed answer repeats a key" in judged.why
    assert KEY not in shown
    assert list(tmp_path.iterdir()) == []


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

"""What is asked again, how long is waited, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from conformance.cli import call
from conformance.errors import NotRun
from conformance.importers import load
from conformance.model import Exchange
from conformance.run.record import load_record
from conformance.run.retry import LONGEST_WAIT, retry_after, with_retries

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
"""
CALL = {"id": "call_a1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}
ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m1",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
            "finish_reason": "tool_calls",
        }
    ],
}


class Moody:
    """A server that answers each request with the next status of a list; 0 closes the connection without a word."""

    def __init__(self, *statuses: int, retry_after: str = "0") -> None:
        self.statuses = list(statuses)
        self.asked = 0
        moody = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                moody.asked += 1
                status = moody.statuses.pop(0) if moody.statuses else 200
                if not status:
                    return
                body = json.dumps(ANSWER if status == 200 else {"error": {"message": f"no {status}"}}).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.send_header("retry-after", retry_after)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Moody:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


pytestmark = pytest.mark.usefixtures("project")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(server: Moody, monkeypatch: pytest.MonkeyPatch, *args: str) -> tuple[int, Any]:
    """Run one cell against the server; exit code and the line of the record."""
    monkeypatch.setenv("ACME_URL", server.url)
    code = call(["run", "-p", "acme", "-s", "single_call", "--mode", "complete", "-o", "out", *args])
    (row,) = load_record(Path("out/run.jsonl")).exchanges
    return code, row


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_an_answer_that_says_nothing_is_asked_for_again_and_kept(
    status: int, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Moody(status, status) as server:
        code, row = run(server, monkeypatch, "--record")
        assert server.asked == 3
    assert code == 0
    assert row["status"] == 200
    assert [(one["status"], one["reason"], one["detail"]) for one in row["attempts"]] == [
        (status, f"http-{status}", f"no {status}")
    ] * 2
    cassette = project / "cassettes" / "acme" / "single_call.complete.yaml"
    assert [exchange.status for exchange in load(cassette)] == [status, status, 200]
    assert row["evidence"] == {"cassette": "cassettes/acme/single_call.complete.yaml", "interaction": 2}

    monkeypatch.setenv("ACME_URL", "http://127.0.0.1:9/v1")
    assert call(["run", "-p", "acme", "-s", "single_call", "--mode", "complete", "-o", "replay"]) == 0
    (replayed,) = load_record(Path("replay/run.jsonl")).exchanges
    assert [one["status"] for one in replayed["attempts"]] == [status, status]
    assert replayed["evidence"] == row["evidence"]
    assert replayed["sha256"] == row["sha256"]


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_an_answer_that_will_not_change_is_not(
    status: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Moody(status) as server:
        _, row = run(server, monkeypatch, "--live")
        assert server.asked == 1
    assert row["attempts"] == []


def test_the_last_failure_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    with Moody(429, 429, 429) as server:
        code, row = run(server, monkeypatch, "--live")
        assert server.asked == 3
    assert code == 1
    assert row["not_run"]["reason"] == "http-429"
    assert len(row["attempts"]) == 2


def test_a_lost_connection_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with Moody(0) as server:
        code, row = run(server, monkeypatch, "--live")
    assert code == 0
    assert [(one["status"], one["reason"]) for one in row["attempts"]] == [(None, "no-response")]
    with Moody(0, 0, 0) as server:
        code, row = run(server, monkeypatch, "--live")
    assert code == 1
    assert row["not_run"]["detail"].endswith("closed the connection without an answer (3 attempts)")


def test_the_number_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    with Moody(503) as server:
        code, _ = run(server, monkeypatch, "--live", "--retries", "0")
        assert (code, server.asked) == (1, 1)
    with Moody(503, 503, 503, 503) as server:
        code, _ = run(server, monkeypatch, "--live", "--retries", "4")
        assert (code, server.asked) == (0, 5)


def test_further_attempts_count_as_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    with Moody(503, 503) as server:
        code, row = run(server, monkeypatch, "--live", "--max-requests", "2")
        assert server.asked == 2
    assert code == 1
    assert row["not_run"]["reason"] == "http-503"


@pytest.fixture
def waits() -> list[float]:
    """What was waited, in seconds."""
    return []


def answers(*given: tuple[int, dict[str, str]]) -> Iterator[Exchange]:
    return iter([Exchange("x", b"{}", status, headers) for status, headers in given])


def test_the_wait_is_the_servers_and_bounded(waits: list[float]) -> None:
    sequence = answers((429, {"retry-after": "2"}), (503, {}), (429, {"retry-after": "86400"}), (200, {}))
    sent = with_retries(lambda: next(sequence), retries=5, sleep=waits.append)
    assert sent.exchange.status == 200
    assert waits == [2.0, 1.0, LONGEST_WAIT]
    assert [attempt.waited for attempt in sent.attempts] == waits


def test_nobody_waits_past_the_deadline(waits: list[float]) -> None:
    sequence = answers((429, {"retry-after": "20"}), (200, {}))
    sent = with_retries(lambda: next(sequence), left=lambda: 10.0, sleep=waits.append)
    assert (sent.exchange.status, waits) == (429, [])


def test_a_replay_does_not_wait(waits: list[float]) -> None:
    sequence = answers((429, {"retry-after": "20"}), (200, {}))
    assert with_retries(lambda: next(sequence), repeats=lambda: True, sleep=waits.append).exchange.status == 200
    assert waits == []


def test_what_no_attempt_helps_is_raised_at_once(waits: list[float]) -> None:
    def ask() -> Exchange:
        raise NotRun("no-key", "ACME_KEY is not set")

    with pytest.raises(NotRun, match=r"^ACME_KEY is not set$"):
        with_retries(ask, sleep=waits.append)
    assert waits == []


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 55 < (retry_after({"retry-after": soon}) or 0) <= 60

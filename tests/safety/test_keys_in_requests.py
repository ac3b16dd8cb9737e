"""Keys and text that get in each other's way: likeness with our own requests, text that UTF-8 cannot carry."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from conformance.cli import call
from conformance.run.record import load_record
from tests.fake_provider import FakeProvider

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
    api_key_env: ACME_API_KEY
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("key", ["sk-1234567890", "local-0123456789abcdef", "weather-in-Paris-1"])
def test_a_key_that_looks_like_our_own_request_leaves_the_recording_whole(
    key: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_API_KEY", key)
    some = ("-p", "acme", "-s", "history_id_long,history_plain,single_call")
    with FakeProvider() as server:
        monkeypatch.setenv("ACME_URL", server.url)
        assert call(["run", "--record", *some, "-o", "out"]) == 0
    for again in (key, None):
        if again is None:
            monkeypatch.delenv("ACME_API_KEY")
        assert call(["run", *some, "-o", "replay"]) == 0
        assert [row["not_run"] for row in load_record(Path("replay/run.jsonl")).exchanges if row["not_run"]] == []
    assert key not in "".join(path.read_text("utf-8") for path in project.rglob("*") if path.is_file())


@pytest.fixture
def surrogates(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that answers with halves of surrogate pairs, as JSON may hold them."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            call_ = {"id": "\udc00", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
            message = {"role": "assistant", "content": "\ud800", "tool_calls": [call_]}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
            body = json.dumps({"id": "\udfff", "object": "chat.completion", "created": 1, "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("ACME_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    yield
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.usefixtures("project", "surrogates")
def test_halves_of_surrogate_pairs_beside_a_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACME_API_KEY", "-".join(("sk", "planted", "KEY1234567890", "abcdef")))
    call(["run", "--live", "-p", "acme", "-s", "single_call", "--mode", "complete", "-o", "out"])
    said = capsys.readouterr()
    assert "Error" not in said.err
    (row,) = load_record(Path("out/run.jsonl")).exchanges
    assert row["not_run"] is None
    assert [one["id"] for one in row["calls"]] == ["\udc00"]

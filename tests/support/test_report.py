"""The folder for the provider: complete, free of secrets, safe to paste, and its script really asks again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from conformance.errors import ConfigError, InputError
from conformance.faults import find
from conformance.faults.respond import respond
from conformance.faults.server import FaultServer
from conformance.importers import load
from conformance.importers.load import from_bytes
from conformance.model import Exchange, Fidelity, Mode
from conformance.quirks import judge
from conformance.run.selftest import request_for
from conformance.support import write_report
from conformance.wire.read import read
from tests.fake_provider import FakeProvider
from tests.support.exchanges import KEY, TOOL, UNFORMED, corpus, entry, opening, served, streamed, verdict

NAMES = {"REPORT.md", "capture.json", "request.json", "reproduce.sh"}
HOSTILE = 'm\'; touch /tmp/x; "$(id)" `id` \\ \n# é'
CURL = shutil.which("curl")
needs_curl = pytest.mark.skipif(CURL is None, reason="curl is not installed")


def faulty(name: str, mode: Mode = "stream", **more: Any) -> Exchange:
    """An answer of the fault server."""
    request = {**request_for(find(name), mode), **more}
    wire = respond(request, find(name))
    return Exchange(f"{name}#0", wire.body, wire.status, dict(wire.headers), request, mode)


def text_of(folder: Path) -> dict[str, str]:
    """The files of a bundle."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_a_stream_gives_every_file(tmp_path: Path) -> None:
    exchange = faulty("index-missing", messages=[{"role": "user", "content": "get_weather of Paris and Tokyo?"}])
    files = write_report(exchange, tmp_path / "out")
    assert files[0] == tmp_path / "out" / "REPORT.md"
    assert {file.name for file in files} == NAMES | {"response.sse", "minimal.sse"}
    assert {file.name for file in (tmp_path / "out").iterdir()} == {file.name for file in files}
    assert (tmp_path / "out" / "response.sse").read_bytes() == exchange.body
    assert json.loads((tmp_path / "out" / "request.json").read_text()) == exchange.request
    (back,) = load(tmp_path / "out" / "capture.json")
    assert verdict(back) == verdict(exchange)


def test_the_page_says_what_a_provider_asks_for(tmp_path: Path) -> None:
    exchange = replace(faulty("index-missing"), provider="acme", model="large")
    exchange = replace(exchange, headers={**exchange.headers, "x-request-id": "req_7"}, recorded_at="2026-11-30")
    write_report(exchange, tmp_path)
    page = (tmp_path / "REPORT.md").read_text()
    (finding,) = [f for f in judge(read(exchange)).findings if f.level == "must"]
    assert page.startswith("# ")
    for part in (
        "index-missing", "**Provider:** acme", "**Model:** `large`", "HTTP 200", "**Recorded:** 2026-11-30",
        "`req_7`", "**Expected:**", "**Actual:**", f"event {finding.where.event} (counted from 0)",
        f"byte {finding.where.byte} of the body", f"`{finding.where.pointer}`", "**Rule:**",
        "platform.openai.com/docs/api-reference/chat-streaming", '`{"city":"Paris"}`',
        "sh reproduce.sh", "conformance inspect capture.json", "Python 3.", "openai ", "httpx2 ",
        "The verdict is the same as before.",
    ):  # fmt: skip
        assert part in page, part
    start = finding.where.byte or 0
    assert exchange.body[start : exchange.body.index(b"\n\n", start)].decode() in page


def test_what_the_recording_did_not_keep_is_told(tmp_path: Path) -> None:
    write_report(replace(faulty("index-missing"), fidelity=Fidelity(framing=False, ids=False)), tmp_path)
    assert "**Not kept by the recording:** the framing of events, the ids\n" in (tmp_path / "REPORT.md").read_text()


def test_of_a_long_answer_the_place_is_shown(tmp_path: Path) -> None:
    call = {"type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Paris"}'}}
    message = {"role": "assistant", "content": "word " * 900, "tool_calls": [call]}
    choices = [{"index": 0, "message": message, "finish_reason": "tool_calls"}]
    answer = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    write_report(Exchange("x#0", json.dumps(answer).encode(), asked_mode="complete"), tmp_path)
    page = (tmp_path / "REPORT.md").read_text()
    assert "id-missing" in page
    assert f"The body at `/choices/0/message/tool_calls/0`:\n\n```\n{json.dumps(call)}\n```" in page


def test_what_clients_end_up_with_is_told(tmp_path: Path) -> None:
    write_report(faulty("index-all-zero"), tmp_path)
    assert "## What clients end up with" in (tmp_path / "REPORT.md").read_text()


@pytest.mark.parametrize(
    ("exchange", "names"),
    [
        (faulty("id-missing", "complete"), NAMES | {"response.json"}),
        (replace(faulty("index-missing"), request=None), {"REPORT.md", "capture.json", "response.sse", "minimal.sse"}),
        (Exchange("x#0", b"<html>no</html>", asked_mode="stream"), {"REPORT.md", "capture.json", "response.txt"}),
        (Exchange("x#0", b"", status=200, asked_mode="stream"), {"REPORT.md", "capture.json"}),
    ],
    ids=["complete", "no request", "no answer", "nothing"],
)  # fmt: skip
def test_what_there_is_no_bytes_for_is_left_out(tmp_path: Path, exchange: Exchange, names: set[str]) -> None:
    written = {file.name for file in write_report(exchange, tmp_path)}
    assert written | {"minimal.sse"} == names | {"minimal.sse"}
    page = (tmp_path / "REPORT.md").read_text()
    assert ("sh reproduce.sh" in page) is ("reproduce.sh" in names)
    assert ("minimal.sse" in page) is ("minimal.sse" in written)


@pytest.mark.parametrize("content", [False, True])
def test_no_file_holds_a_secret(tmp_path: Path, content: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_API_KEY", UNFORMED)
    arguments = json.dumps({"city": f"{KEY} {UNFORMED} anna@mail.example"})
    request = {
        "model": "m", "stream": True, "user": "anna-of-acme", "tools": [TOOL], "api_key": UNFORMED,
        "messages": [{"role": "user", "content": f"My key is {KEY}."}],
    }  # fmt: skip
    headers = {"authorization": f"Bearer {KEY}", "set-cookie": "sid=Abcdefgh12345", "content-type": "text/event-stream"}
    deltas = [opening(None), *(entry(None, piece) for piece in arguments), {"content": "Abcdefgh12345"}]
    write_report(streamed(deltas, request=request, headers=headers), tmp_path, content=content)
    (back,) = load(tmp_path / "capture.json")
    assert len(read(back).calls[0].arguments) == len(arguments)
    told = [*text_of(tmp_path).values(), *(call.arguments for call in read(back).calls)]
    for name in ("response.sse", "minimal.sse"):
        if (tmp_path / name).exists():
            (part,) = from_bytes((tmp_path / name).read_bytes(), name)
            told += [call.arguments_raw for call in read(part).calls]
    for secret in (KEY, KEY[8:], UNFORMED, "anna", "Abcdefgh"):
        assert not any(secret in text for text in told), secret


def test_nothing_of_the_machine_is_told(tmp_path: Path) -> None:
    write_report(replace(faulty("index-missing"), source=f"{tmp_path}/private/capture.sse#0"), tmp_path / "out")
    assert not any(str(tmp_path) in text for text in text_of(tmp_path / "out").values())


def test_text_of_the_provider_is_no_markup(tmp_path: Path) -> None:
    evil = "</code><script>x</script> ![x](http://evil.example) @everyone \x1b[31m | ``` ~~~ \u202e"
    deltas = [{"content": evil}, opening(None, evil, "```\n# x\n</pre><b>")]
    exchange = replace(streamed(deltas), provider=evil, model=evil, headers={"x-request-id": evil})
    write_report(exchange, tmp_path)
    page = (tmp_path / "REPORT.md").read_text()
    assert page.isprintable() or {c for c in page if not c.isprintable()} == {"\n"}
    shown = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(page)
    assert "<script" not in shown
    assert "<b>" not in shown
    assert "<img" not in shown
    assert 'href="http://evil' not in shown


@pytest.mark.parametrize("exchange", list(served()), ids=lambda exchange: exchange.source)
def test_every_deviation_can_be_reported(tmp_path: Path, exchange: Exchange) -> None:
    loud = [f for f in judge(read(exchange)).findings if f.level != "info" and f.layer != "client"]
    if not loud:
        with pytest.raises(InputError, match=r"nothing to report|client's to mend"):
            write_report(exchange, tmp_path / "out")
        assert not (tmp_path / "out").exists()
        return
    write_report(exchange, tmp_path / "out")
    page = (tmp_path / "out" / "REPORT.md").read_text()
    gravest = "must" if any(f.level == "must" for f in loud) else "should"
    assert f", {gravest}: " in page
    if (tmp_path / "out" / "minimal.sse").exists():
        (part,) = load(tmp_path / "out" / "minimal.sse", exchange.request)
        again = {(f.quirk, f.level) for f in judge(read(part)).findings if f.level != "info"}
        assert again & {(f.quirk, f.level) for f in loud if f.level == gravest}
        assert len(part.body) < len(read(exchange).body)


@needs_curl
@pytest.mark.parametrize(
    ("name", "mode"),
    [(name, mode) for name in ("id-missing", "finish-stop", "index-missing") for mode in find(name).modes],
)
def test_the_script_shows_the_finding_again(tmp_path: Path, fault_server: FaultServer, name: str, mode: Mode) -> None:
    write_report(faulty(name, mode), tmp_path / "a folder")
    url = fault_server.url_of(find(name))
    printed = run(tmp_path / "a folder" / "reproduce.sh", {"BASE_URL": f"{url}/", "API_KEY": KEY})
    (again,) = from_bytes(printed, "again", faulty(name, mode).request)
    assert again.status == 200
    assert again.headers["x-made-up"] == "conformance fault server"
    loud = {f.quirk for f in judge(read(again)).findings if f.level != "info"}
    assert loud & find(name).shows


@needs_curl
def test_the_script_sends_the_recorded_request_whatever_is_in_it(tmp_path: Path) -> None:
    exchange = faulty("index-missing", model=HOSTILE, max_tokens=64)
    write_report(exchange, tmp_path)
    assert "touch" not in (tmp_path / "reproduce.sh").read_text()
    with FakeProvider() as server:
        run(tmp_path / "reproduce.sh", {"BASE_URL": server.url, "API_KEY": KEY})
        run(tmp_path / "reproduce.sh", {"BASE_URL": server.url})
    assert server.requests == [exchange.request, exchange.request]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in server.headers[1]


def test_no_process_list_shows_the_key(tmp_path: Path) -> None:
    write_report(faulty("index-missing"), tmp_path / "out")
    (tmp_path / "bin").mkdir()
    shim = tmp_path / "bin" / "curl"
    shim.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\necho ---\ncat\n')
    shim.chmod(0o755)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    printed = run(tmp_path / "out" / "reproduce.sh", {"BASE_URL": "http://127.0.0.1:9", "API_KEY": KEY, "PATH": path})
    arguments, handed = printed.decode().split("---\n")
    assert KEY not in arguments
    assert handed == f"Authorization: Bearer {KEY}\n"


def test_the_script_says_what_it_needs(tmp_path: Path) -> None:
    write_report(faulty("index-missing"), tmp_path)
    done = subprocess.run(["sh", tmp_path / "reproduce.sh"], capture_output=True, env={"PATH": os.environ["PATH"]})
    assert done.returncode != 0
    assert b"BASE_URL" in done.stderr
    assert b"https://api.example.com/v1" in done.stderr


def run(script: Path, environment: dict[str, str]) -> bytes:
    """What the script prints."""
    return subprocess.run(
        [script], capture_output=True, check=True, timeout=60, env={"PATH": os.environ["PATH"], **environment}
    ).stdout


def test_an_earlier_bundle_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write_report(faulty("index-missing"), tmp_path)
    write_report(faulty("id-missing", "complete"), tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == NAMES | {"response.json"}


@pytest.mark.parametrize("held", ["notes.txt", "request.json", "capture.json"])
def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path, held: str) -> None:
    (tmp_path / held).write_text("mine")
    with pytest.raises(ConfigError, match=f"holds '{held}'"):
        write_report(faulty("index-missing"), tmp_path)
    assert text_of(tmp_path) == {held: "mine"}


@pytest.mark.parametrize("place", ["file", "file/below", "a\0b"])
def test_a_place_that_takes_no_folder_is_told(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ConfigError, match="folder"):
        write_report(faulty("index-missing"), tmp_path / place)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_clients_own_fault_is_not_the_providers(tmp_path: Path) -> None:
    exchange = next(e for e in corpus() if e.source.startswith("result-missing") and judge(read(e)).findings)
    assert {f.layer for f in judge(read(exchange)).findings if f.level != "info"} == {"client"}
    with pytest.raises(InputError, match="client's to mend"):
        write_report(exchange, tmp_path / "out")

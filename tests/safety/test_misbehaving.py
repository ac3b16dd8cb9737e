"""Whatever a server does: the right reason or finding, a sentence that helps, exit code 1, no hang, no traceback."""

from __future__ import annotations

import gzip
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import brotli
import pytest
import zstandard

from conformance.cli import call
from conformance.run.record import load_record
from conformance.transport import read_cassette
from tests.safety import answers
from tests.transport import server
from tests.transport.server import Answer, serving

KEY: Final = "sk-live-0123456789abcdef"
FILE: Final = (
    "providers:\n  acme: {base_url: '${ACME_URL:-http://127.0.0.1:9/v1}', models: [m], api_key_env: ACME_API_KEY}\n"
)
LIMITS: Final = ("--timeout", "0.4", "--max-bytes", "30000", "--retries", "0")
HTML: Final = b"<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body>nginx</body></html>"
ELSEWHERE: Final = "Location: https://elsewhere.example/v1/chat/completions?token=abcdefgh"
ZEROS: Final = b"\0" * (4 << 20)


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACME_API_KEY", KEY)


def run(url: str, monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setenv("ACME_URL", url)
    return call(["run", "-p", "acme", "-s", "single_call", "--mode", "stream", *LIMITS, "-o", "out", *args])


def row() -> Any:
    (found,) = load_record(Path("out/run.jsonl")).exchanges
    return found


def fields_for_ever(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-Wait: for it\r\n")


def half_a_chunk(connection: socket.socket) -> None:
    connection.sendall(server.CHUNKED + server.chunk(answers.GOOD[0]) + b"ff\r\ndata: {")


def one_long_line(connection: socket.socket) -> None:
    connection.sendall(server.head("200 OK", "Content-Type: text/event-stream") + b"data: ")
    for _ in range(200):
        connection.sendall(b"x" * (1 << 20))


def slow_body(connection: socket.socket) -> None:
    connection.sendall(server.head("200 OK", "Content-Type: text/event-stream", "Content-Length: 100000") + b"data: ")
    server.trickle(connection, b"x")


def compressed(coding: str, data: bytes) -> Answer:
    return answers.body(data, "200 OK", "Content-Type: text/event-stream", f"Content-Encoding: {coding}")


NOT_RUN: Final[dict[str, tuple[Answer, str, str, str]]] = {
    "never answers": (server.silent, "timeout", r"\S+ sent nothing within 0\.4 s", "raise --timeout"),
    "trickles in the head": (
        server.trickling_head, "timeout", r"\S+ gave no complete answer head within 0\.4 s", "raise --timeout"
    ),
    "head without end": (fields_for_ever, "not-http", r"\S+ sends a head that is too long", "look at the server"),
    "trickles in the body": (slow_body, "limit", r"the answer was given up: longer than 0\.4 s", "raise --timeout"),
    "head and no more": (
        server.greeting(server.CHUNKED), "limit", r"the answer was given up: longer than 0\.4 s", "raise --timeout"
    ),
    "stream without end": (
        server.endless, "limit", "the answer was given up: more than 30000 bytes", "raise --timeout or --max-bytes"
    ),
    "line of 200 MB": (
        one_long_line, "limit", "the answer was given up: more than 30000 bytes", "raise --timeout or --max-bytes"
    ),
    "gzip bomb": (
        compressed("gzip", gzip.compress(ZEROS)),
        "limit",
        r"the answer was given up: \d+ compressed bytes decode to more than 30000; they are not kept",
        "--max-bytes",
    ),
    "brotli bomb": (compressed("br", brotli.compress(ZEROS)), "limit", ".* decode to more than 30000; .*", "--max-byt"),
    "zstd bomb": (
        compressed("zstd", zstandard.compress(ZEROS)), "limit", ".* decode to more than 30000; .*", "--max-bytes"
    ),
    "bomb that is not declared": (
        answers.body(gzip.compress(ZEROS)), "limit", ".* decode to more than 30000; .*", "--max-bytes"
    ),
    "redirect": (
        answers.body(b"", "307 Temporary Redirect", ELSEWHERE),
        "http-307",
        "the server answered HTTP 307: it redirects to https://elsewhere.example/v1/chat/completions, which is not .*",
        "if that is the right place, set 'base_url' to https://elsewhere.example/v1",
    ),
    "redirect with a page": (
        answers.body(HTML, "301 Moved Permanently", "Content-Type: text/html", "Location: /v2/chat/completions"),
        "http-301",
        "the server answered HTTP 301: it redirects to /v2/chat/completions, which is not followed",
        "check 'base_url'",
    ),
    "redirect to nowhere": (
        answers.body(b"", "302 Found"),
        "http-302",
        "the server answered HTTP 302, and not where to go",
        "check 'base_url'",
    ),
    "page of a proxy, 502": (
        answers.body(HTML, "502 Bad Gateway", "Content-Type: text/html"),
        "http-502",
        "the server answered HTTP 502: <!DOCTYPE html><html><head><title>Bad Gateway</title>.*",
        "look at the server behind the gateway, then run again",
    ),
    "401": (answers.error("401 Unauthorized", "no"), "http-401", ".*HTTP 401: no", "check the key in ACME_API_KEY"),
    "403": (answers.error("403 Forbidden", "no"), "http-403", ".*HTTP 403: no", "check the key in ACME_API_KEY"),
    "404": (answers.error("404 Not Found", "no"), "http-404", ".*HTTP 404: no", "'base_url' and the model's name"),
    "429": (
        answers.error("429 Too Many", "no", "Retry-After: 3600"),
        "http-429",
        ".*HTTP 429: no; it asks to wait 3600 s",
        "wait, then run again",
    ),
    "503": (answers.body(b"busy", "503 Unavailable"), "http-503", ".*HTTP 503: busy", "wait, then run again"),
    "503 that says when": (
        answers.body(b"busy", "503 Unavailable", "Retry-After: 7"),
        "http-503",
        ".*HTTP 503: busy; it asks to wait 7 s",
        "wait, then run again",
    ),
    "529": (answers.error("529 Overloaded", "no"), "http-529", ".*HTTP 529: no", "wait, then run again"),
    "closes at once": (server.raw(), "no-response", r"\S+ closed the connection without an answer", "the server's log"),
    "SSH": (
        server.greeting(b"SSH-2.0-OpenSSH_9.2\r\n"),
        "not-http",
        r"\S+ speaks SSH: it says 'SSH-2.0-OpenSSH_9.2'",
        "check scheme, port and path of the address",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_RUN)
def test_what_is_no_answer_is_not_run(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer, reason, sentence, fix = NOT_RUN[name]
    with serving(server.stream) as elsewhere, serving(answer) as local:
        assert run(local.url, monkeypatch, "--live") == 1
        assert len(local.requests) == 1
        assert elsewhere.requests == []
    why = row()["not_run"]
    assert why["reason"] == reason
    assert re.fullmatch(sentence, why["detail"])
    assert fix in why["fix"]
    said = capsys.readouterr()
    assert f"not run: {why['detail']}\n" in said.err
    assert f"  fix       {why['fix']}\n" in said.err
    assert "Traceback" not in said.out + said.err
    assert "abcdefgh" not in said.out + said.err


FOUND: Final[dict[str, tuple[Answer, str]]] = {
    "closes in mid-chunk": (half_a_chunk, "connection-cut"),
    "fewer bytes than announced": (
        server.raw(server.head("200 OK", "Content-Type: text/event-stream", "Content-Length: 9000") + answers.GOOD[0]),
        "connection-cut",
    ),
    "more bytes than announced": (
        server.raw(
            server.head("200 OK", "Content-Type: text/event-stream", "Content-Length: 40") + b"".join(answers.GOOD)
        ),
        "connection-cut",
    ),
    "page of a proxy, 200": (answers.body(HTML, "200 OK", "Content-Type: text/html"), "body-not-json"),
    "500": (answers.error("500 Internal Server Error", "out of order"), "server-error"),
    "no content": (server.raw(server.head("204 No Content")), "connection-cut"),
    "falsely compressed": (compressed("gzip", b"".join(answers.GOOD)), "encoding-undeclared"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_a_bad_answer_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer, quirk = FOUND[name]
    with serving(answer) as local:
        assert run(local.url, monkeypatch, "--live", "--strict") == 1
    assert row()["not_run"] is None
    assert quirk in {finding["quirk"] for finding in row()["findings"]}
    said = capsys.readouterr()
    assert f"{quirk}  acme/single_call/stream" in said.err
    assert "Traceback" not in said.out + said.err


def http_1_0(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + b"".join(answers.GOOD))


@pytest.mark.parametrize(
    ("answer", "host"),
    [
        (answers.stream(answers.GOOD), "127.0.0.1"),
        (http_1_0, "127.0.0.1"),
        (answers.stream(answers.GOOD), "::1"),
    ],
    ids=["HTTP/1.1", "HTTP/1.0 that closes", "IPv6"],
)
def test_what_is_a_good_answer_is_good(answer: Answer, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if ":" in host and not _has_ipv6():
        pytest.skip("this machine has no IPv6 on loopback")
    with serving(answer, host=host) as local:
        assert run(local.url, monkeypatch, "--live") == 0
    assert (row()["complete"], row()["finish_reason"]) == (True, "tool_calls")


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("answer", "kept", "kind"),
    [
        (one_long_line, b"data: " + b"x" * 29_994, "limit"),
        (slow_body, b"data: x", "limit"),
        (half_a_chunk, answers.GOOD[0] + b"data: {", "early-end"),
        (compressed("gzip", gzip.compress(ZEROS)), b"", "limit"),
    ],
    ids=["long line", "slow body", "half a chunk", "bomb"],
)
def test_what_came_is_kept_and_replays_alike(
    answer: Answer, kept: bytes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(answer) as local:
        assert run(local.url, monkeypatch, "--record") == 1
    live = row()
    (exchange,) = read_cassette("cassettes/acme/single_call.stream.yaml")
    assert exchange.body.startswith(kept)
    assert exchange.ended.kind == kind
    assert live["evidence"] == {"cassette": "cassettes/acme/single_call.stream.yaml", "interaction": 0}
    assert call(["run", "-p", "acme", "-s", "single_call", "--mode", "stream", "-o", "out"]) == 1
    replayed = row()
    for name in ("status", "bytes", "sha256", "not_run", "findings"):
        assert replayed[name] == live[name]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only /proc says how much a program took at most")
def test_memory_is_bounded(tmp_path: Path) -> None:
    # not what wait4 says: that counts the parent's memory too, as it was when the program began
    code = """
import sys
from conformance.cli import main
try:
    main()
finally:
    (peak,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print("peak", peak, file=sys.stderr)
"""
    args = ["run", "-p", "acme", "-s", "single_call", "--mode", "stream", "--live", "-o", "out"]
    with serving(one_long_line) as local:
        done = subprocess.run(
            [sys.executable, "-c", code, *args],
            cwd=tmp_path,
            env={**os.environ, "ACME_URL": local.url},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "more than 8388608 bytes" in done.stderr
    peak = re.search(r"^peak (\d+)$", done.stderr, re.MULTILINE)
    assert peak is not None
    assert int(peak[1]) < 300 << 10  # in KiB; 200 MB of line came


def test_limits_of_the_providers_file(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = "timeout: 0.2, total_timeout: 0.3, max_bytes: 20000"
    Path("providers.yaml").write_text(FILE.replace("models:", f"{limits}, models:"))

    def reason(answer: Answer, *args: str) -> str:
        with serving(answer) as local:
            monkeypatch.setenv("ACME_URL", local.url)
            where = ["-p", "acme", "-s", "single_call", "--mode", "stream", "--live", "--retries", "0"]
            assert call(["run", *where, "-o", "out", *args]) == 1
        detail: str = row()["not_run"]["detail"]
        return re.sub(r"127\S+", "it", detail)

    assert reason(server.endless) == "the answer was given up: more than 20000 bytes"
    assert reason(server.endless, "--max-bytes", "100") == "the answer was given up: more than 100 bytes"
    assert reason(server.silent) == "it sent nothing for 0.2 s"
    assert reason(server.dripping) == "the answer was given up: longer than 0.3 s"
    assert reason(server.dripping, "--timeout", "0.1") == "the answer was given up: longer than 0.1 s"


def test_a_server_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(server.silent) as local:
        monkeypatch.setenv("ACME_URL", local.url)
        assert call(["run", "-p", "acme", "--live", *LIMITS, "--mode", "complete", "-o", "out"]) == 1
        assert len(local.requests) == 3
    reasons = {one["not_run"]["reason"] for one in load_record(Path("out/run.jsonl")).exchanges if one["not_run"]}
    assert reasons == {"timeout"}


def test_the_end_of_the_time_for_all_is_no_fault_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(server.silent) as local:
        monkeypatch.setenv("ACME_URL", local.url)
        where = ["-p", "acme", "-s", "single_call", "--mode", "stream", "--live"]
        assert call(["run", *where, "--max-seconds", "1", "-o", "out"]) == 1
    why = row()["not_run"]
    assert (why["reason"], why["detail"]) == ("budget", "--max-seconds was over before an answer came")
    assert why["fix"] == "raise the limit and run again with --resume"


@pytest.mark.parametrize("encode", [gzip.compress, brotli.compress, zstandard.compress])
def test_a_compressed_answer_within_the_limit_is_judged(
    encode: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    coding = {"gzip": "gzip", "brotli": "br", "zstandard": "zstd"}[encode.__module__.partition(".")[0]]
    with serving(compressed(coding, encode(b"".join(answers.GOOD)))) as local:
        run(local.url, monkeypatch, "--live")
    assert (row()["not_run"], row()["complete"]) == (None, True)

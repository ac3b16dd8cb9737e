"""`inspect --watch`: a file that grows, is replaced, goes away; on a terminal and in a pipe."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.cli.watch import Follower, ended, growing
from conformance.errors import InputError
from conformance.faults import FAULTS
from conformance.faults.respond import respond
from conformance.model import Exchange
from conformance.quirks import catalogue, judge
from conformance.quirks.examples import exchange_of
from conformance.run.selftest import request_for
from conformance.wire.read import read
from tests.importers.examples import ANSWER, STREAM
from tests.wire.helpers import chunk, sse

NO_INDEX = STREAM.replace(b'"index": 0, "id"', b'"id"').replace(b'[{"index": 0, "function"', b'[{"function"')
FIRST = NO_INDEX.index(b"\n\n") + 2
FOUND = "live.sse event 0, byte 0, /choices/0/delta/tool_calls/0: must index-missing: call 0 (get_weather): 1 entry"
WATCH = [sys.executable, "-m", "conformance", "inspect", "--watch", "live.sse"]

STREAMS = [
    *(exchange_of(e, q.slug) for q in catalogue() for e in (*q.good[:1], *q.bad)),
    *(
        Exchange(f.name, respond(request_for(f, "stream"), f).body, request=request_for(f, "stream"))
        for f in FAULTS.values()
        if "stream" in f.modes
    ),
]


@pytest.mark.parametrize("part", range(8))
def test_a_finding_once_shown_stands(part: int) -> None:
    for exchange in STREAMS[part::8]:
        final = {f.quirk for f in judge(read(exchange)).findings}
        size = len(exchange.body)
        for end in {*range(0, size, max(1, size // 40)), size}:
            state = growing(replace(exchange, body=exchange.body[:end]))
            early = {f.quirk for f in state.verdict.findings if f.level != "info"}
            assert early <= final, (exchange.source, end)


def exchange_with(body: bytes) -> Exchange:
    """An exchange of which nothing but the body is known."""
    return Exchange("x#0", body, status=None)


@pytest.mark.parametrize(
    ("body", "now", "later"),
    [
        (STREAM, True, True),
        (STREAM[:-1], False, True),  # the blank line after [DONE] may still come
        (STREAM[: STREAM.index(b"data: [DONE]")], False, True),  # usage and [DONE] may still come
        (STREAM[:FIRST], False, False),
        (sse({"error": {"message": "no"}}, done=False), False, True),
        (sse(chunk({"content": "a"}), done=False), False, False),
        (b'{"id": "1", "choices": [', False, False),
        (b'{"error": {"message": "no"}}', True, True),
        (b"", False, False),
    ],
)
def test_when_an_answer_is_all_there(body: bytes, now: bool, later: bool) -> None:
    assert ended(exchange_with(body), quiet=False) is now
    assert ended(exchange_with(body), quiet=True) is later


def test_a_complete_answer_is_all_there_once_it_parses() -> None:
    import json

    body = json.dumps(ANSWER).encode()
    assert ended(exchange_with(body), quiet=False)
    assert not ended(exchange_with(body[:-1]), quiet=True)


def test_a_file_that_grows_begins_anew_goes_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.sse"
    follower = Follower(path)
    looks = []

    def look() -> None:
        looks.append((follower.look(), follower.anew, follower.news))

    look()
    look()
    path.write_bytes(b"one")
    look()
    look()
    path.write_bytes(b"one two")
    look()
    path.write_bytes(b"three, longer than before")
    look()
    path.write_bytes(b"th")
    look()
    path.unlink()
    look()
    look()
    path.write_bytes(b"th")
    look()
    path.write_bytes(b"there")
    look()
    assert looks == [
        (None, False, "waiting for it to appear"),
        (None, False, ""),
        (b"one", False, ""),
        (None, False, ""),
        (b"one two", False, ""),
        (b"three, longer than before", True, "begins anew"),
        (b"th", True, "begins anew"),
        (None, False, "is gone; waiting for it to come back"),
        (None, False, ""),
        (None, False, ""),
        (b"there", False, ""),
    ]


@pytest.mark.parametrize(("name", "words"), [("none/a.sse", "no such folder to wait in"), (".", "cannot be read")])
def test_what_cannot_be_followed(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        Follower(tmp_path / name).look()


@contextmanager
def watching(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The command, following live.sse, with its output in pipes."""
    pipe = subprocess.PIPE
    with subprocess.Popen(WATCH, cwd=folder, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    """The next line of output; waits for it."""
    assert process.stdout is not None
    return process.stdout.readline()


def test_findings_come_as_the_file_grows(tmp_path: Path) -> None:
    with watching(tmp_path) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "live.sse: waiting for it to appear\n"
        with (tmp_path / "live.sse").open("wb", buffering=0) as file:
            file.write(NO_INDEX[:FIRST])
            assert line(process).startswith(FOUND)
            file.write(NO_INDEX[FIRST:])
        assert line(process).startswith("live.sse#0  stream, 4 events, ")
        assert line(process).startswith("  1 finding: index-missing (")
        assert line(process) == ""
        assert process.wait(60) == 1


def test_another_answer_in_its_place_is_told_and_judged_anew(tmp_path: Path) -> None:
    path = tmp_path / "live.sse"
    path.write_bytes(NO_INDEX[:FIRST])
    with watching(tmp_path) as process:
        assert line(process).startswith(FOUND)
        (tmp_path / "next.sse").write_bytes(b": a comment\n\n" + NO_INDEX)
        (tmp_path / "next.sse").replace(path)
        assert line(process).startswith(FOUND.replace("byte 0", "byte 13").replace("1 entry", ""))
        assert process.wait(60) == 1
        assert process.stderr is not None
        assert process.stderr.read() == "live.sse: begins anew\n"


def test_interrupted_before_the_end(tmp_path: Path) -> None:
    (tmp_path / "live.sse").write_bytes(NO_INDEX[:FIRST])
    with watching(tmp_path) as process:
        assert line(process).startswith(FOUND)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 2
        assert process.stderr is not None
        assert process.stderr.read().strip() == "interrupted"


def test_on_a_terminal_the_view_is_redrawn_and_the_report_stays(tmp_path: Path) -> None:
    path = tmp_path / "live.sse"
    path.write_bytes(NO_INDEX[:FIRST])
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(WATCH, cwd=tmp_path, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        seen = ""
        while "index-missing" not in seen:
            seen += os.read(ours, 65536).decode()
        assert "watching live.sse" in seen
        path.write_bytes(NO_INDEX)
        rest = ""
        while chunk := _read(ours):
            rest += chunk
        assert process.wait(60) == 1
    os.close(ours)
    assert "1 finding: index-missing" in rest
    assert "\x1b[1;31mmust" in rest


def _read(descriptor: int) -> str:
    """What comes next on a terminal, nothing at its end."""
    try:
        return os.read(descriptor, 65536).decode("utf-8", "replace")
    except OSError:  # how Linux tells that the other side is closed
        return ""

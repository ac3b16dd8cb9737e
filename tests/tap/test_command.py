"""`conformance tap` as people run it: a process of its own, a real client, Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import openai
import pytest

from conformance.cli import call
from conformance.faults import FAULTS
from conformance.faults.server import FaultServer
from conformance.quirks import judge
from conformance.transport import read_cassette
from conformance.wire.read import read
from tests.cli.test_inspect import DOCUMENT
from tests.fake_provider import FakeProvider, Vice
from tests.tap.asking import BODY, KEY, PATIENCE, ask


class Running:
    """The command, running."""

    def __init__(self, process: subprocess.Popen[str], url: str, said: str) -> None:
        self.process = process
        self.url = url
        self.said = said

    def client(self) -> openai.OpenAI:
        """The real client, pointed at it."""
        http = httpx2.Client(trust_env=False, timeout=PATIENCE)
        return openai.OpenAI(base_url=self.url, api_key=KEY, max_retries=0, http_client=http)

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """Interrupt it; exit code, output and what it said beside."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, self.said + err


@contextlib.contextmanager
def running(upstream: str, *options: str) -> Iterator[Running]:
    """The command in a process of its own, on a free port."""
    arguments = [sys.executable, "-m", "conformance", "tap", "--upstream", upstream, "--port", "0", *options]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline() + process.stderr.readline()
            found = re.search(r"export OPENAI_BASE_URL=(\S+)", said)
            assert found is not None, said
            yield Running(process, found[1], said)
        finally:
            if process.poll() is None:
                process.kill()


def stream(client: openai.OpenAI, **changes: Any) -> list[Any]:
    """Every chunk of a streamed answer, as the client sees it."""
    body = {**BODY, "max_tokens": 100, **changes}
    with client.chat.completions.create(**body) as chunks:
        return [one.model_dump() for one in chunks]


def test_a_real_client_sees_no_difference_and_gets_the_table(tmp_path: Path) -> None:
    saved = tmp_path / "new" / "saved"
    with FakeProvider("no-index") as fake, running(fake.url, "--save", str(saved)) as tap:
        direct = openai.OpenAI(base_url=fake.url, api_key=KEY, http_client=httpx2.Client(trust_env=False))
        with tap.client() as client, direct:
            assert stream(client) == stream(direct)
            plain = client.chat.completions.create(**{**BODY, "max_tokens": 100, "stream": False})
            assert plain.choices[0].message.tool_calls
        code, out, err = tap.end()
    assert code == 1
    assert f"passes on to {fake.url}" in err
    assert re.search(r"\d\d:\d\d:\d\d  #1  m  stream  200  \d+ bytes  \d+ ms  1 call\n +must index-missing: ", out)
    assert re.search(r"\n +guard  \S", out)
    assert re.search(r"\nlocal +m\nmust +index-missing +1/1\n", out)
    assert "2 exchanges judged" in out
    assert "\x1b" not in out
    files = sorted(saved.iterdir())
    assert [path.name.split("-")[1] for path in files] == ["0001.stream.yaml", "0002.complete.yaml"]
    assert [{f.quirk for f in judge(read(read_cassette(path)[0])).findings if f.level == "must"} for path in files] == [
        {"index-missing"},
        set(),
    ]
    assert fake.headers[0]["authorization"] == f"Bearer {KEY}"
    for text in (out, err, *(path.read_text(encoding="utf-8") for path in files)):
        assert KEY not in text


def test_documents_for_programs() -> None:
    with FakeProvider() as fake, running(fake.url, "--format", "json") as tap:
        with tap.client() as client:
            stream(client)
            fake.vice = "refuses-key"
            with pytest.raises(openai.AuthenticationError, match=KEY):
                stream(client, extra_headers={"Accept-Encoding": "identity"})
        code, out, err = tap.end(signal.SIGTERM)
    documents = [json.loads(line) for line in out.splitlines()]
    jsonschema.validate({"schema": "conformance/inspect/1", "exchanges": documents}, DOCUMENT)
    assert [(one["source"], one["status"], one["complete"]) for one in documents] == [
        ("tap#1", 200, True),
        ("tap#2", 401, False),
    ]
    assert documents[0]["calls"][0]["name"] == "get_weather"
    assert (code, KEY in out + err) == (0, False)
    assert "1 exchange judged, 1 not judged" in err


@pytest.mark.parametrize(
    ("vice", "code"),
    [("clean", 0), ("ends-with-stop", 1), ("refuses-key", 5), (None, 5)],
    ids=["clean", "must", "refused", "nothing passed"],
)
def test_exit_codes(vice: Vice | None, code: int) -> None:
    with FakeProvider(vice or "clean") as fake, running(fake.url) as tap:
        if vice is not None:
            with tap.client() as client, contextlib.suppress(openai.APIStatusError):
                stream(client)
        assert tap.end()[0] == code


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_should_findings_count_when_strict(options: list[str], code: int) -> None:
    with FaultServer(FAULTS["done-missing"]) as faults, running(faults.url, *options) as tap:
        with tap.client() as client:
            stream(client)
        returned, out, _ = tap.end()
    assert re.search(r"\nshould +done-missing +1/1\n", out)
    assert returned == code


def test_what_was_judged_survives_a_kill(tmp_path: Path) -> None:
    with FakeProvider() as fake, running(fake.url, "--save", str(tmp_path)) as tap:
        with tap.client() as client:
            stream(client)
        assert tap.process.stdout is not None
        tap.process.stdout.readline()
        assert _judge_of(tap.process.pid)
        tap.process.kill()
        tap.process.wait(PATIENCE)
        tap.process.stdout.read()  # ends when nobody is left to write: the judging process has gone as well
    (path,) = tmp_path.iterdir()
    assert len(read_cassette(path)) == 1


def _judge_of(pid: int) -> int:
    """The judging process of a tap."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    (judge,) = [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    return judge


def test_a_second_interrupt_ends_everything() -> None:
    with FakeProvider() as fake, running(fake.url) as tap:
        judge = _judge_of(tap.process.pid)
        os.kill(judge, signal.SIGSTOP)  # so that the tap has something to wait for
        with tap.client() as client:
            stream(client)
        tap.process.send_signal(signal.SIGINT)
        port = int(tap.url.split(":")[2].partition("/")[0])
        while True:  # until it has stopped to listen
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except ConnectionRefusedError:
                break
        code, out, err = tap.end()
    assert (code, out) == (2, "")
    assert err.endswith("\ninterrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(judge, 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--upstream", "api.example.com"], "--upstream: must begin with http:// or https://"),
        (["--upstream", "https://u:hunter22@h.example"], "--upstream: holds a user name or a password"),
        (["--upstream", "https://h.example", "--host", "0.0.0.0"], "--host 0.0.0.0: not a loopback address"),
        (["--upstream", "https://h.example", "--port", "65536"], "Invalid value for '--port'"),
        (["--upstream", "http://localhost:8809/v1"], "is the tap's own address"),
        (["--upstream", "https://h.example", "--save", "{file}/saved"], "cannot write here"),
        ([], "Missing option '--upstream'"),
    ],
)
def test_options_that_are_wrong(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert call(["tap", *(option.format(file=tmp_path / "file") for option in options)]) == 4
    err = capsys.readouterr().err
    assert said in err
    assert "hunter22" not in err


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert call(["tap", "--upstream", "https://h.example", "--port", str(port)]) == 4
    err = capsys.readouterr().err
    assert err.startswith(f"port {port} cannot be used (")
    assert err.endswith("choose another with --port\n")


def test_whoever_reads_may_leave_and_the_client_is_still_served() -> None:
    with FakeProvider("no-index") as fake, running(fake.url) as tap:
        assert tap.process.stdout is not None
        tap.process.stdout.close()
        with tap.client() as client:
            for _ in range(3):
                assert stream(client)
        tap.process.send_signal(signal.SIGINT)
        assert tap.process.stderr is not None
        assert tap.process.stderr.read() == ""
        assert tap.process.wait(PATIENCE) == 1


def test_a_cassette_that_cannot_be_written_is_said_and_counted(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    with FakeProvider() as fake, running(fake.url, "--save", str(saved)) as tap:
        saved.rmdir()
        saved.write_text("in the way")
        assert ask(f"{tap.url}/chat/completions", {**BODY, "max_tokens": 100}).status == 200
        code, out, _ = tap.end()
    assert code == 1
    assert "not saved: " in out
    assert "1 cassette could not be written" in out

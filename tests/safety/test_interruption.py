"""However a run ends, no cassette and no record is half written, and the run can go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from conformance.cli import call
from conformance.run.record import load_record
from conformance.transport import read_cassette
from tests.fake_provider import FakeProvider
from tests.safety import answers
from tests.transport.server import serving

FILE: Final = "providers:\n  acme: {base_url: '${ACME_URL:-http://127.0.0.1:9/v1}', models: [m]}\n"
SCENARIOS: Final = "single_call,two_tools,no_call,named_call"
RUN: Final = ("run", "-p", "acme", "-s", SCENARIOS, "--record", "-o", "out")
CELLS: Final = 8
MAIN: Final = "from conformance.cli import main; main()"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def running(fake: FakeProvider) -> Iterator[subprocess.Popen[str]]:
    """A recording that waits for its sixth answer."""
    fake.hang_after = 5
    environment = {**os.environ, "ACME_URL": fake.url}
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *RUN], stderr=subprocess.PIPE, text=True, env=environment
    ) as run:
        while not fake.hanging.wait(0.05):
            assert run.poll() is None
        yield run


def cassettes(project: Path) -> list[Path]:
    """Every file below the folder of the cassettes; each can be read whole."""
    found = sorted(path for path in (project / "cassettes").rglob("*") if path.is_file())
    for path in found:
        assert len(read_cassette(path)) == 1
    return found


def files(project: Path) -> set[str]:
    return {path.name for path in (project / "out").iterdir()}


def resumed(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Exit code of the run that goes on, and the number of requests it makes."""
    with FakeProvider() as fake:
        monkeypatch.setenv("ACME_URL", fake.url)
        return call([*RUN, "--resume"]), len(fake.requests)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_in_order(project: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider() as fake, running(fake) as run:
        run.send_signal(number)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 2
    assert "interrupted; what was measured is in out/run.jsonl, which says that it is incomplete" in said
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert len(cassettes(project)) == 5
    assert files(project) == {"run.jsonl"}
    record = load_record(project / "out" / "run.jsonl", incomplete=True)
    assert (record.complete, len(record.exchanges)) == (False, 5)

    assert resumed(monkeypatch) == (0, CELLS - 5)
    assert len(cassettes(project)) == CELLS
    assert load_record(project / "out" / "run.jsonl").complete


def test_a_run_that_is_killed_can_go_on(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider() as fake, running(fake) as run:
        run.kill()
        run.communicate(timeout=60)
    assert len(cassettes(project)) == 5
    assert files(project) == {"run.jsonl.part"}

    assert resumed(monkeypatch) == (0, CELLS - 5)
    assert len(cassettes(project)) == CELLS
    assert len(load_record(project / "out" / "run.jsonl").exchanges) == CELLS


def limited(kib: int, url: str) -> subprocess.CompletedProcess[str]:
    """The run on a disk that takes no file of more than this."""
    shell = f'ulimit -f {kib}; exec "$0" "$@"'
    return subprocess.run(
        ["bash", "-c", shell, sys.executable, "-c", MAIN, *RUN],
        env={**os.environ, "ACME_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_full_disk_ends_the_record_in_one_sentence(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider() as fake:
        monkeypatch.setenv("ACME_URL", fake.url)
        assert call([*RUN]) == 0
        whole = project / "out" / "run.jsonl"
        before, size = whole.read_bytes(), whole.stat().st_size
        done = limited(size // 1024 - 2, fake.url)
    assert done.returncode == 4
    assert f"{whole}: cannot be written any further (File too large); make room, and run again with --resume" in (
        done.stderr
    )
    assert "Traceback" not in done.stderr
    assert "INTERNALERROR" not in done.stderr
    assert whole.read_bytes() == before
    assert len(cassettes(project)) == CELLS

    code, requests = resumed(monkeypatch)
    assert code == 0
    assert 0 < requests < CELLS
    assert len(load_record(whole).exchanges) == CELLS


def test_a_disk_too_full_to_begin_is_said_before_anything_is_sent(project: Path) -> None:
    with FakeProvider() as fake:
        done = limited(4, fake.url)
        assert fake.requests == []
    assert done.returncode == 4
    assert "run.jsonl: cannot be written any further (File too large)" in done.stderr
    assert "Traceback" not in done.stderr
    assert files(project) == set()


def test_a_full_disk_leaves_the_older_cassette(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider() as fake:
        monkeypatch.setenv("ACME_URL", fake.url)
        assert call([*RUN]) == 0
    before = {path: path.read_bytes() for path in cassettes(project)}
    long = answers.events(answers.chunk({"role": "assistant", "content": "x" * 400_000}), answers.chunk({}, "stop"))
    with serving(answers.stream(long)) as local:
        done = limited(300, local.url)
    assert done.returncode == 1
    assert "cassettes/acme/no_call.stream.yaml cannot be written (File too large)" in done.stderr
    assert "the recording is lost, an older one is untouched" in done.stderr
    assert "Traceback" not in done.stderr
    assert {path: path.read_bytes() for path in cassettes(project)} == before

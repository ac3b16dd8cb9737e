"""A project with a providers file, a fake provider to record from, and pytest to run in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# pytester forgets modules that were imported during a run; these are slow to import
import conformance.suites.session
import conformance.transport.client
import conformance.transport.store  # noqa: F401
from tests.fake_provider import FakeProvider

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
    api_key_env: ACME_API_KEY
  beta:
    base_url: http://127.0.0.1:9/v1
    models: [m1]
"""
KEY = "sk-fake-0123456789abcdef"

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        yield server


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    (pytester.path / "providers.yaml").write_text(FILE)
    return pytester.path


@pytest.fixture
def run(pytester: pytest.Pytester, project: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the suites in the project, for two scenarios unless told otherwise."""
    monkeypatch.delenv("ACME_API_KEY", raising=False)
    monkeypatch.delenv("ACME_URL", raising=False)

    def suites(*args: str, scenarios: str = "single_call,round_trip") -> pytest.RunResult:
        selected = [f"--conformance-scenario={scenarios}"] if scenarios else []
        return pytester.runpytest_inprocess("--pyargs", "conformance.suites", "-pno:cacheprovider", *selected, *args)

    assert project.exists()
    return suites


@pytest.fixture
def recorded(run: Run, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    """The fake provider after acme was recorded from it; requests to it are counted from here on."""
    monkeypatch.setenv("ACME_URL", fake.url)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    assert run("--provider=acme", "--record-mode=rewrite").ret == 0
    monkeypatch.delenv("ACME_URL")
    monkeypatch.delenv("ACME_API_KEY")
    fake.requests.clear()
    return fake

"""pytest-recording's options mean what they always mean, and `rewrite` loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.transport import read_cassette
from tests.transport import server
from tests.transport.asking import BODY
from tests.transport.server import serving

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
from conformance.transport import Store, cassettes

def pytest_recording_configure(config, vcr):
    cassettes.configure(vcr)

@pytest.fixture
def vcr_config(request):
    return cassettes.vcr_options(request.config.getoption("--record-mode"))

@pytest.fixture
def vcr_cassette_dir():
    return "recordings"

@pytest.fixture
def default_cassette_name():
    return "local/single_call.stream"

@pytest.fixture
def store(vcr):
    return Store(vcr) if vcr is not None else None
"""
TEST = """
import pytest
from conformance.transport import Endpoint, send

@pytest.mark.vcr
def test_one(store):
    exchange = send(Endpoint({url!r}), {body!r}, mode="stream", source="t", provider="local", model="m",
                    scenario="single_call", store=store)
    assert exchange.body == {expected!r}
    if store is not None:
        store.check_played()
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    return pytester


def run(project: pytest.Pytester, url: str, expected: bytes, *options: str) -> pytest.RunResult:
    project.makepyfile(TEST.format(url=url, body=BODY, expected=expected))
    return project.runpytest_inprocess("-p", "no:cacheprovider", *options)


def recorded(project: pytest.Pytester) -> list[bytes]:
    return [exchange.body for exchange in read_cassette(cassette(project))]


def cassette(project: pytest.Pytester) -> Path:
    return project.path / "recordings" / "local" / "single_call.stream.yaml"


@pytest.mark.parametrize("mode", ["once", "new_episodes", "all", "rewrite"])
def test_every_mode_records_and_none_replays_with_the_network_blocked(project: pytest.Pytester, mode: str) -> None:
    with serving(server.sized(b"live")) as local:
        run(project, local.url, b"live", "--record-mode", mode).assert_outcomes(passed=1)
    assert recorded(project) == [b"live"]
    run(project, local.url, b"live", "--block-network").assert_outcomes(passed=1)


def test_rewrite_replaces_a_recording_once_the_new_one_is_there(project: pytest.Pytester) -> None:
    with serving(server.sized(b"old"), server.sized(b"new")) as local:
        run(project, local.url, b"old", "--record-mode", "once").assert_outcomes(passed=1)
        run(project, local.url, b"new", "--record-mode", "rewrite").assert_outcomes(passed=1)
    assert recorded(project) == [b"new"]


def test_rewrite_without_a_server_keeps_the_recording(project: pytest.Pytester) -> None:
    with serving(server.sized(b"old")) as local:
        run(project, local.url, b"old", "--record-mode", "once").assert_outcomes(passed=1)
    run(project, local.url, b"new", "--record-mode", "rewrite").assert_outcomes(failed=1)
    assert recorded(project) == [b"old"]


def test_disabled_recording_is_plain_live(project: pytest.Pytester) -> None:
    with serving(server.sized(b"live")) as local:
        run(project, local.url, b"live", "--disable-recording").assert_outcomes(passed=1)
    assert not cassette(project).exists()


@pytest.mark.parametrize("mode", ["none", "once", "new_episodes", "all"])
def test_a_corrupt_cassette_fails_in_the_test_and_stays(project: pytest.Pytester, mode: str) -> None:
    cassette(project).parent.mkdir(parents=True)
    cassette(project).write_bytes(b"")
    with serving(server.sized(b"live")) as local:
        result = run(project, local.url, b"live", "--record-mode", mode)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*CassetteCorrupt: recordings/local/single_call.stream.yaml is empty*"])
    assert cassette(project).read_bytes() == b""
    assert local.requests == []

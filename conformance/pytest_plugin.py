"""The pytest plugin: options, and nothing else until a provider is named.

It is loaded by every pytest run in the environment, so it imports nothing of the harness here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conformance.faults.server import FaultServer
    from conformance.impact.server import CaseServer
    from conformance.suites.client_case import ClientCase


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the group `conformance`."""
    group = parser.getgroup("conformance", "conformance of Chat Completions providers")
    group.addoption(
        "--provider",
        action="append",
        default=[],
        metavar="NAME",
        help="provider of providers.yaml to measure; repeat it, separate names by commas, or say 'all'. "
        "Without it this plugin does nothing",
    )
    group.addoption(
        "--conformance-scenario",
        action="append",
        default=[],
        metavar="NAME",
        help="only this scenario; repeat it or separate names by commas",
    )
    group.addoption(
        "--conformance-mode",
        action="append",
        default=[],
        choices=("stream", "complete"),
        help="only streamed, or only complete answers",
    )
    group.addoption(
        "--conformance-config",
        default="providers.yaml",
        metavar="FILE",
        help="the providers file (default: providers.yaml here)",
    )
    group.addoption(
        "--conformance-cassettes",
        default=None,
        metavar="DIR",
        help="the folder of the cassettes (default: cassettes beside the providers file)",
    )
    group.addoption(
        "--conformance-live",
        action="store_true",
        help="send requests, record nothing (costs money); the default replays cassettes",
    )
    group.addoption(
        "--conformance-base-url",
        default=None,
        metavar="URL",
        help="test the endpoint at this address, live; with one --provider: reach that provider here",
    )
    group.addoption("--conformance-model", default=None, metavar="NAME", help="the model, if not the default one")
    group.addoption(
        "--conformance-api-key-env",
        default=None,
        metavar="VAR",
        help="name of the environment variable that holds the key for --conformance-base-url",
    )
    group.addoption(
        "--conformance-samples",
        default=1,
        type=int,
        metavar="N",
        help="repeat exchanges until it is settled what they show, at most N times",
    )
    group.addoption(
        "--conformance-via",
        action="append",
        default=[],
        metavar="NAME|URL",
        help="a gateway to the one provider: measure both ways, and compare them",
    )
    group.addoption("--conformance-via-model", default=None, metavar="NAME", help="the model to ask the gateway for")
    group.addoption(
        "--conformance-via-api-key-env",
        default=None,
        metavar="VAR",
        help="name of the environment variable that holds the key for a gateway given by address",
    )
    group.addoption("--conformance-shard", default=None, metavar="I/N", help="only part I of N parts of the plan")
    group.addoption(
        "--conformance-max-requests", default=None, type=int, metavar="N", help="send at most N requests (per run)"
    )
    group.addoption(
        "--conformance-deadline",
        default=None,
        type=float,
        metavar="TIME",
        help="begin no exchange after this time, in seconds since the epoch",
    )
    group.addoption(
        "--conformance-retries",
        default=None,
        type=int,
        metavar="N",
        help="ask again up to N times after HTTP 408, 429, 5xx or a failed connection (default: 2)",
    )
    group.addoption(
        "--conformance-timeout", default=None, type=float, metavar="S", help="give an exchange up after S seconds"
    )
    group.addoption(
        "--conformance-max-bytes", default=None, type=int, metavar="N", help="give an answer up after N bytes"
    )
    group.addoption(
        "--conformance-resume",
        action="store_true",
        help="keep what the record in --conformance-output already measured",
    )
    group.addoption("--conformance-strict", action="store_true", help="'should' findings fail as well")
    group.addoption("--conformance-output", default=None, metavar="DIR", help="write the run record to DIR/run.jsonl")
    group.addoption(
        "--conformance-client",
        default=None,
        metavar="COMMAND",
        help="ask the client adapter that COMMAND starts for every quirk: one item for each quirk and mode",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start the harness if a provider or a client is named."""
    config.addinivalue_line(
        "markers", "conformance_cases(quirks=[…], modes=[…]): the answers that the fixture conformance_case serves"
    )
    if config.getoption("--provider") or config.getoption("--conformance-base-url"):
        from conformance.suites.session import start

        start(config)
    if config.getoption("--conformance-client") is not None:
        from conformance.suites import client

        client.start(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item for each answer, for tests that take `conformance_case`."""
    if "conformance_case" in metafunc.fixturenames:
        from conformance.suites.client_case import parametrize

        parametrize(metafunc)


@pytest.fixture(scope="session")
def _conformance_case_server() -> Iterator[CaseServer]:
    from conformance.suites.client_case import serving

    with serving() as server:
        yield server


@pytest.fixture
def conformance_case(request: pytest.FixtureRequest, _conformance_case_server: CaseServer) -> ClientCase:
    """One answer, and a `check` of what a client made of it; there is an item for each answer."""
    from conformance.suites.client_case import made

    return made(request.param, _conformance_case_server)


@pytest.fixture(scope="session")
def fault_server() -> Iterator[FaultServer]:
    """The fault server on a free port of loopback, to test a client against: `fault_server.url_of(FAULTS[name])`."""
    from conformance.faults.server import FaultServer

    with FaultServer() as server:
        yield server

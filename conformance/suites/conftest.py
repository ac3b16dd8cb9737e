"""Cells as parameters, and cassettes where they belong: `cassettes/<provider>/<scenario>.<mode>.yaml`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from conformance.run.plan import Cell
from conformance.suites.session import SESSION, Measure, Session, cell_of
from conformance.transport import Store, cassettes


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item per cell."""
    session = metafunc.config.stash.get(SESSION, None)
    if session is None or "cell" not in metafunc.fixturenames:
        return
    cells = session.cells(metafunc.function.__name__)
    metafunc.parametrize("cell", [pytest.param(cell, id=cell.id, marks=session.marks(cell)) for cell in cells])


def pytest_recording_configure(config: pytest.Config, vcr: Any) -> None:
    """Read and write our cassettes our way, and leave those of other tests alone."""
    session = config.stash.get(SESSION, None)
    if session is not None and Path(vcr.cassette_library_dir).is_relative_to(session.plan.cassettes):
        cassettes.configure(vcr)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop what pytest makes of a suite without cells: one item that is skipped.

    Raises:
        pytest.UsageError: the suites alone were asked for, and no provider was named.
    """
    here = Path(__file__).parent
    kept = [item for item in items if item.path.parent != here or cell_of(item) is not None]
    if items and not kept and SESSION not in config.stash:
        raise pytest.UsageError("these suites need a provider to measure: add --provider NAME (see providers.yaml)")
    items[:] = kept


@pytest.fixture
def conformance_session(pytestconfig: pytest.Config) -> Session:
    """The harness inside this pytest run."""
    return pytestconfig.stash[SESSION]


@pytest.fixture
def store(vcr: Any) -> Store | None:
    """The cassette; None where nothing is recorded, and under --disable-recording."""
    return Store(vcr) if vcr is not None else None


@pytest.fixture
def measure(request: pytest.FixtureRequest, store: Store | None, conformance_session: Session) -> Measure:
    """Runs a cell and fails with everything unexpected at once."""
    return functools.partial(conformance_session.measure, request.node, store=store)


@pytest.fixture
def vcr_config(pytestconfig: pytest.Config) -> dict[str, Any]:
    """Matchers, no patching of the HTTP client, and a `rewrite` that keeps the old file until the new is there."""
    options: dict[str, Any] = cassettes.vcr_options(pytestconfig.getoption("--record-mode"))
    return options


@pytest.fixture
def vcr_cassette_dir(cell: Cell, conformance_session: Session) -> str:
    """The provider's folder."""
    return str(conformance_session.plan.cassette(cell).parent)


@pytest.fixture
def default_cassette_name(cell: Cell) -> str:
    """Scenario and mode; pytest-recording adds the suffix."""
    return cell.cassette_name

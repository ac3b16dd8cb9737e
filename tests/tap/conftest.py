"""One provider and one tap for each file: starting a judging process takes its time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tap.asking import Provider, Tapped, tapping
from tests.transport.server import stream


@pytest.fixture(scope="module")
def _provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.close()


@pytest.fixture
def provider(_provider: Provider) -> Provider:
    """A provider that answers with a regular stream until a test says otherwise."""
    _provider.answer = stream
    _provider.requests.clear()
    return _provider


@pytest.fixture(scope="module")
def tapped(_provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tapped]:
    """A tap in front of it that saves what it judges."""
    with tapping(_provider.url, save=tmp_path_factory.mktemp("saved")) as tapped:
        yield tapped

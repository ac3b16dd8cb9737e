"""A cassette stands for a request only if it is the one that was recorded; otherwise the difference is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.errors import CassetteMissing, CassetteStale
from conformance.transport import Store
from tests.transport import server
from tests.transport.asking import BODY, NOWHERE, ask, record, replay

COMMAND = "conformance run --provider local --scenario single_call --mode stream --record"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"temperature": 0}, '+  "temperature": 0'),
        ({"model": "n"}, '+  "model": "n",'),
        ({"stream": 1}, '+  "stream": 1'),
    ],
    ids=["added", "changed", "1 is not true"],
)
def test_another_request_is_stale_and_shows_the_difference(path: Path, change: dict[str, Any], line: str) -> None:
    record(path, server.stream)
    with pytest.raises(CassetteStale) as caught:
        replay(path, {**BODY, **change})
    first, *difference = str(caught.value).splitlines()
    assert str(path) in first
    assert COMMAND in first
    assert line in difference


@pytest.mark.parametrize(
    ("url", "query", "line"),
    [
        ("http://127.0.0.1:1/v2", {}, "+POST /v2/chat/completions"),
        (NOWHERE, {"api-version": "2"}, "+POST /v1/chat/completions?api-version=2"),
    ],
    ids=["path", "query"],
)
def test_another_address_is_stale(path: Path, url: str, query: dict[str, str], line: str) -> None:
    record(path, server.stream)
    with pytest.raises(CassetteStale) as caught:
        replay(path, url=url, query=query)
    assert line in str(caught.value).splitlines()


def test_a_long_difference_is_cut(path: Path) -> None:
    record(path, server.stream)
    with pytest.raises(CassetteStale) as caught:
        replay(path, {**BODY, "metadata": {str(i): "x" * 500 for i in range(100)}})
    lines = str(caught.value).splitlines()
    assert len(lines) < 40
    assert all(len(line) <= 160 for line in lines[1:])
    assert lines[-1].endswith("more lines")


def test_one_request_more_than_recorded_is_stale(path: Path) -> None:
    record(path, server.stream)
    with pytest.raises(CassetteStale, match="one more request"):
        replay(path, BODY, BODY)


def test_one_request_less_than_recorded_is_stale(path: Path) -> None:
    record(path, server.stream, bodies=(BODY, BODY))
    with pytest.raises(CassetteStale, match="1 of 2 recorded exchanges were not asked for"):
        replay(path, BODY)


def test_what_is_unplayed_is_counted(path: Path) -> None:
    record(path, server.stream, bodies=(BODY, BODY))
    with Store.open(path) as store:
        counts = [store.unplayed()]
        for _ in range(2):
            ask(NOWHERE, store=store)
            counts.append(store.unplayed())
    assert counts == [2, 1, 0]


def test_what_was_never_recorded_is_missing(path: Path) -> None:
    with pytest.raises(CassetteMissing) as caught:
        replay(path)
    assert str(path) in str(caught.value)
    assert COMMAND in str(caught.value)
    assert not path.exists()

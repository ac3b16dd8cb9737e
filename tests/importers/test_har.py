"""HAR: which entries count, what a HAR cannot show, and one bad entry among good ones."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from conformance.model import Exchange
from tests.importers.examples import REQUEST, STREAM, har, har_entry, outcome


def read(*entries: Any) -> tuple[list[Exchange], str]:
    """The exchanges of a HAR, and what it complained of at the end."""
    return outcome(har(*entries))


def test_an_entry_is_an_exchange() -> None:
    (exchange,), problem = read(har_entry())
    assert problem == ""
    assert (exchange.body, exchange.status, exchange.request) == (STREAM, 200, REQUEST)
    assert (exchange.asked_mode, exchange.model, exchange.recorded_at) == ("stream", "m", "2026-01-02T03:04:05Z")
    assert exchange.headers == {"content-type": "text/event-stream"}  # the text is decoded, so the coding is gone


def test_base64_content_is_decoded() -> None:
    body = STREAM + b"\xff"
    (exchange,), _ = read(har_entry({"encoding": "base64", "text": base64.b64encode(body).decode()}))
    assert exchange.body == body


def test_preflights_and_other_requests_are_passed_over() -> None:
    found, problem = read(
        har_entry(method="OPTIONS", status=204),
        har_entry(url="https://api.example.com/v1/models"),
        {"request": None},
        "nonsense",
        har_entry(),
    )
    assert [e.source for e in found] == ["file#4"]
    assert problem == ""


def test_a_har_without_completions_is_a_sentence() -> None:
    assert read(har_entry(url="https://example.com/")) == (
        [],
        "file: the HAR holds no POST to …/chat/completions; give one that does",
    )


def test_a_body_that_was_not_kept_is_no_cut_answer() -> None:
    found, problem = read(har_entry({"size": 100}), har_entry(), har_entry({"encoding": "base64", "text": "%"}))
    assert [e.source for e in found] == ["file#1"]
    first, second = problem.splitlines()
    assert first.startswith("file#0: the HAR did not keep the response body")
    assert second.startswith("file#2: the body is not base64")


def test_a_body_that_was_kept_in_part_is_not_judged_as_cut() -> None:
    (exchange,), _ = read(har_entry({"text": STREAM.decode()[:100], "size": 5000}))
    assert not exchange.fidelity.whole


def test_a_request_that_failed_in_the_browser_has_no_status() -> None:
    (exchange,), _ = read(har_entry(status=0))
    assert exchange.status is None


@pytest.mark.parametrize("field", ["request", "response"])
def test_entries_that_lack_a_part_do_not_stop_the_import(field: str) -> None:
    entry = {**har_entry(), field: None}
    found, _ = read(entry, har_entry())
    assert [e.source for e in found] == ["file#1"]

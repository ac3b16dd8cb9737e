"""Providers that are measured on one of two nights only."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.run.record import Record
from tests.diff.examples import Nights, asked, night
from tests.report.examples import finding, missing, provider

OTHER = asked(0, 4, provider="zeta")
RAN = night(asked(3, 8, finding()), OTHER)
DOWN = night(missing(detail="no route"), OTHER)
ABSENT = night(OTHER)
UNRECORDED = night(
    missing(reason="no-recording", detail="never recorded", fix=""),
    OTHER,
    providers=[provider(recorded=False), provider("zeta")],
)
RENAMED = night(asked(0, 8, model="m2"), OTHER, providers=[provider(models=["m2"]), provider("zeta")])
RENAMED_DOWN = night(missing() | {"model": "m2"}, OTHER, providers=[provider(models=["m2"]), provider("zeta")])

KINDS = [
    (DOWN, "not-running", "running-again", "refused: no route"),
    (UNRECORDED, "recording-lost", "newly-recorded", "no-recording: never recorded"),
    (ABSENT, "left-out", "added", ""),
    (RENAMED_DOWN, "not-running", "running-again", "refused: connection refused"),
]
RED = {"not-running", "recording-lost"}


def row_of(document: Any, model: str = "m1") -> Any:
    (row,) = [row for row in document["rows"] if (row["provider"], row["model"]) == ("acme", model)]
    return row


@pytest.mark.parametrize("form", ["record", "quirks.json"])
@pytest.mark.parametrize(("silent", "lost", "back", "why"), KINDS)
def test_a_provider_that_is_measured_no_more(
    nights: Nights, silent: Record, lost: str, back: str, why: str, form: str
) -> None:
    document = nights.document(RAN, silent, form=form)
    row = row_of(document)
    assert (row["kind"], row["why"], row["found"]) == (lost, why, ["index-missing"])
    assert row["unexpected"] is (lost in RED)
    assert all(cell["kinds"] == ["old-only"] and not cell["resolved"] for cell in document["cells"])
    assert document["exit_code"] == (1 if lost in RED else 0)

    document = nights.document(silent, RAN, form=form)
    row = row_of(document)
    assert (row["kind"], row["why"], row["unexpected"]) == (back, why, False)
    assert [(cell["kinds"], cell["unexpected"]) for cell in document["cells"]] == [(["new-only"], True)]
    assert document["exit_code"] == 1, "it is back with something that no expectation covers"


def test_providers_that_a_smaller_record_leaves_out_are_one_line(nights: Nights) -> None:
    more = asked(0, 4, provider="beta")
    code, out = nights.compare(night(asked(3, 8, finding()), OTHER, more), night(more))
    assert code == 0
    assert "2 providers were not in the newer record: acme, zeta\n" in out
    assert "left out" not in out
    _, out = nights.compare(night(OTHER, more, asked(3, 8, finding())), night(more), "-f", "markdown")
    assert "- 2 providers were not in the newer record: acme, zeta\n" in out
    _, out = nights.compare(RAN, ABSENT)
    assert "· acme m1: left out; found before: index-missing" in out or "left out: found before" in out


def test_another_model_is_another_row(nights: Nights) -> None:
    document = nights.document(RAN, RENAMED)
    assert (row_of(document)["kind"], row_of(document)["why"]) == ("left-out", "asked for m2 instead")
    assert (row_of(document, "m2")["kind"], row_of(document, "m2")["why"]) == ("added", "asked for m1 instead")
    assert document["exit_code"] == 0


def test_a_provider_that_is_back_clean_is_green(nights: Nights) -> None:
    clean = night(asked(0, 8), OTHER)
    code, out = nights.compare(DOWN, clean)
    assert code == 0
    assert "· acme m1: running again: refused: no route" in out


def test_a_provider_that_never_ran_is_no_change(nights: Nights) -> None:
    assert nights.document(DOWN, UNRECORDED)["rows"] == []
    assert nights.document(DOWN, DOWN)["exit_code"] == 0


def test_when_nothing_runs_any_more_it_is_red(nights: Nights) -> None:
    code, out = nights.compare(night(asked(0, 8)), night(missing()))
    assert code == 1
    assert "✕ acme m1: not running: refused: connection refused" in out

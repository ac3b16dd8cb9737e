"""Cells are counted over the exchanges that could show a quirk, and never look better than they are."""

from itertools import pairwise

import pytest

from conformance.model import LEVELS
from conformance.report.matrix import State, build
from tests.report.examples import (
    ALL,
    cell_of,
    exchange,
    expectation,
    finding,
    missing,
    provider,
    record,
    row_of,
)


def test_a_cell_counts_exchanges_and_findings_apart() -> None:
    twice = exchange("acme", "parallel_calls", "stream", finding(call=0), finding(call=1))
    once = exchange("acme", "two_tools", "stream", finding())
    clean = exchange("acme", "single_call")
    blind = exchange("acme", "no_call", applicable=["comment"])
    cell = cell_of(record(twice, once, clean, blind))
    assert (cell.occurrences, cell.applicable, len(cell.evidence)) == (2, 3, 3)
    assert (cell.expected, cell.unexpected, cell.state) == (0, 3, State.UNEXPECTED)
    assert cell.count == "2/3"


def test_ok_needs_an_exchange_that_could_have_shown_it() -> None:
    assert cell_of(record(exchange(applicable=["index-missing"]))).state is State.OK
    cell = cell_of(record(exchange(applicable=["comment"])))
    assert (cell.state, cell.count) == (State.NOT_APPLICABLE, "")


def test_a_finding_counts_as_applicable_even_if_the_record_forgot_to_say_so() -> None:
    cell = cell_of(record(exchange("acme", "single_call", "stream", finding(), applicable=[])))
    assert (cell.occurrences, cell.applicable) == (1, 1)


def test_nothing_had_is_not_run_and_something_had_says_what_is_missing() -> None:
    assert cell_of(record(missing())).state is State.NOT_RUN
    cell = cell_of(record(exchange(), missing("acme", "two_tools")))
    assert (cell.state, cell.applicable, cell.not_run) == (State.OK, 1, 1)


def test_what_is_missing_in_the_other_mode_does_not_concern_a_cell() -> None:
    both = record(exchange(), missing("acme", "two_tools", "complete"))
    assert cell_of(both, quirk="index-missing").not_run == 0  # shows in streams only
    assert cell_of(both, quirk="call-in-content").not_run == 1


def test_expected_and_found_is_expected() -> None:
    known = provider(expectations=[expectation("index-missing", "known since spring")])
    cell = cell_of(
        record(exchange("acme", "single_call", "stream", finding(expected_by="known since spring")), providers=[known])
    )
    assert (cell.state, cell.expected, cell.unexpected) == (State.EXPECTED, 1, 0)
    assert [(one["reason"], one["source"]) for one in cell.expectations] == [("known since spring", "reference 000 §5")]


def test_one_unexpected_finding_outweighs_expected_ones_and_comes_first() -> None:
    cell = cell_of(
        record(
            exchange("acme", "parallel_calls", "stream", finding(expected_by="known")),
            exchange("acme", "two_tools", "stream", finding()),
        )
    )
    assert cell.state is State.UNEXPECTED
    assert [one.exchange["scenario"] for one in cell.evidence] == ["two_tools", "parallel_calls"]


def test_a_legal_variation_is_noted_and_never_red() -> None:
    only = record(exchange("acme", "single_call", "stream", finding("comment", "info")))
    assert cell_of(only, quirk="comment").state is State.NOTED
    assert build(only, strict=True).exit_code == 0


def test_a_disproved_expectation_is_stale_also_where_it_is_a_pattern() -> None:
    stale = [{"provider": "acme", "quirk": "index-*", "applicable": 5}]
    only = record(exchange(), providers=[provider(expectations=[expectation("index-*")])], stale=stale)
    assert cell_of(only).state is State.STALE
    assert cell_of(only, quirk="index-stray-tail").state is State.STALE
    assert cell_of(only, quirk="comment").state is State.OK
    assert build(only).exit_code == 1


def test_the_gravest_level_found_is_the_level_of_a_cell() -> None:
    lighter = exchange("acme", "single_call", "stream", finding(level="should"))
    graver = exchange("acme", "two_tools", "stream", finding(level="must"))
    assert cell_of(record(lighter)).level == "should"
    assert cell_of(record(lighter, graver)).level == "must"
    assert cell_of(record(exchange())).level == "must"


def test_a_provider_that_was_never_recorded_keeps_its_row() -> None:
    matrix = build(record(exchange(), providers=[provider(), provider("zeta", recorded=False, verified="never")]))
    row = row_of(matrix, "zeta")
    assert row.verdict.kind == "no-recording"
    assert {cell.state for cell in row.cells.values()} == {State.NO_RECORDING}
    assert row.provider["verified"] == "never"
    assert matrix.exit_code == 0


def test_a_named_provider_that_was_never_recorded_is_red() -> None:
    named = record(missing("zeta", reason="no-recording"), providers=[provider("zeta", recorded=False, selected=True)])
    matrix = build(named)
    assert row_of(matrix, "zeta").verdict.kind == "no-recording"
    assert (matrix.not_run, matrix.exit_code) == (1, 1)


def test_an_endpoint_that_refused_live_is_not_run_and_red() -> None:
    matrix = build(record(missing(), providers=[provider(recorded=False)], run_mode="live"))
    assert row_of(matrix).verdict.kind == "not-run"
    assert matrix.exit_code == 1


def test_models_get_rows_of_their_own() -> None:
    matrix = build(
        record(
            exchange(model="big"),
            exchange("acme", "single_call", "stream", finding(), model="small"),
            providers=[provider(models=["big", "small"])],
        )
    )
    assert [(row.label, row.cells["index-missing"].occurrences) for row in matrix.rows] == [
        ("acme big", 0),
        ("acme small", 1),
    ]
    assert len({row.key for row in matrix.rows}) == 2


def test_rows_have_keys_of_their_own_even_if_names_look_alike_in_an_address() -> None:
    models = ["a.b", "a-b", "a/b"]
    matrix = build(record(*(exchange(model=m) for m in models), providers=[provider(models=models)]))
    assert len({row.key for row in matrix.rows}) == 3


def test_usable_calls_are_counted_by_mode() -> None:
    calls = [{"id": "a", "name": "f", "usable": True}, {"id": "b", "name": "f", "usable": False}]
    row = row_of(build(record(exchange(calls=calls), exchange("acme", "no_call", "complete", calls=[]))))
    stream, complete = row.tallies["stream"], row.tallies["complete"]
    assert (stream.judged, stream.with_calls, stream.calls, stream.usable) == (1, 1, 2, 1)
    assert (complete.judged, complete.with_calls, complete.calls) == (1, 0, 0)


def test_gaps_are_grouped_by_what_is_wrong() -> None:
    row = row_of(build(record(missing(), missing("acme", "two_tools"), missing("acme", "no_call", reason="timeout"))))
    assert [(gap.reason, gap.fix, gap.places) for gap in row.gaps] == [
        ("refused", "start the server", ("single_call/stream", "two_tools/stream")),
        ("timeout", "start the server", ("no_call/stream",)),
    ]


def test_columns_go_from_grave_to_light_and_found_ones_are_parted_from_the_rest() -> None:
    matrix = build(record(exchange("acme", "single_call", "stream", finding("comment", "info"))))
    assert all(LEVELS.index(a.level) <= LEVELS.index(b.level) for a, b in pairwise(matrix.columns))
    assert [column.slug for column in matrix.found()] == ["comment"]
    nowhere = {column.slug: (n, theirs) for column, n, theirs in matrix.nowhere()}
    assert nowhere == dict.fromkeys(set(ALL) - {"comment"}, (1, 0))


def test_a_finding_that_the_header_does_not_list_is_not_lost() -> None:
    matrix = build(record(exchange("acme", "single_call", "stream", finding("of-tomorrow")), quirks=[]))
    (column,) = matrix.columns
    assert (column.slug, column.level, column.guard) == ("of-tomorrow", "must", "")
    assert row_of(matrix).cells["of-tomorrow"].occurrences == 1


@pytest.mark.parametrize(
    ("level", "expected_by", "strict", "code"),
    [
        ("must", None, False, 1),
        ("must", "known", False, 0),
        ("should", None, False, 0),
        ("should", None, True, 1),
        ("should", "known", True, 0),
        ("info", None, True, 0),
    ],
)
def test_exit_code(level: str, expected_by: str | None, strict: bool, code: int) -> None:
    found = finding(level=level, expected_by=expected_by)
    assert build(record(exchange("acme", "single_call", "stream", found)), strict=strict).exit_code == code


def test_a_run_that_was_strict_stays_so() -> None:
    found = exchange("acme", "single_call", "stream", finding(level="should"))
    assert build(record(found, unexpected=0)).exit_code == 0
    assert build(record(found, unexpected=1)).exit_code == 1


def test_nothing_measured_and_nothing_due_is_nothing_selected() -> None:
    assert build(record(providers=[provider(recorded=False)])).exit_code == 5


def test_what_became_of_expectations() -> None:
    known = [expectation("index-missing", "a"), expectation("comment", "b"), expectation("id-*", "c")]
    only = record(
        exchange("acme", "single_call", "stream", finding(expected_by="a")),
        providers=[
            provider(expectations=known),
            provider("zeta", recorded=False, expectations=[expectation("comment")]),
        ],
        stale=[{"provider": "acme", "quirk": "id-*", "applicable": 4}],
    )
    assert [
        (fate.provider, fate.expectation["quirk"], fate.standing, fate.occurrences) for fate in build(only).fates()
    ] == [
        ("acme", "index-missing", "met", 1),
        ("acme", "comment", "undecided", 0),
        ("acme", "id-*", "stale", 0),
        ("zeta", "comment", "not-measured", 0),
    ]


def test_days_of_recording() -> None:
    matrix = build(
        record(
            exchange(recorded_at="2026-11-29T23:00:00+00:00"),
            exchange("acme", "two_tools", recorded_at="2026-10-02"),
            exchange("acme", "no_call", recorded_at=None),
        )
    )
    assert matrix.recorded_at == ("2026-10-02", "2026-11-29")


def test_states_have_one_symbol_each() -> None:
    assert len({state.symbol for state in State}) == len(State)
    assert all(len(state.symbol) == 1 for state in State)

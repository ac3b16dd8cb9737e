"""Several records make one table: the later one counts, cell by cell."""

from conformance.report.matrix import State, build
from tests.report.examples import cell_of, exchange, expectation, finding, missing, provider, record, row_of

EARLY, LATE = "2026-11-29T00:00:00+00:00", "2026-11-30T00:00:00+00:00"


def test_records_of_several_providers_are_put_side_by_side() -> None:
    matrix = build(record(exchange("acme")), record(exchange("zeta", "single_call", "stream", finding())))
    assert {row.label: row.cells["index-missing"].occurrences for row in matrix.rows} == {"acme": 0, "zeta": 1}
    assert len(matrix.runs) == 2


def test_the_later_measurement_counts_whatever_the_order() -> None:
    bad = record(exchange("acme", "single_call", "stream", finding()), started=EARLY)
    good = record(exchange(), started=LATE)
    for records in ((bad, good), (good, bad)):
        assert (cell_of(*records).occurrences, cell_of(*records).applicable) == (0, 1)


def test_time_zones_are_understood() -> None:
    first = record(exchange("acme", "single_call", "stream", finding()), started="2026-11-30T01:00:00+05:00")
    second = record(exchange(), started="2026-11-29T21:00:00Z")
    assert cell_of(second, first).occurrences == 0


def test_the_same_bytes_are_not_counted_twice() -> None:
    only = record(exchange(), exchange(sample=1))
    assert cell_of(only, only).applicable == 2


def test_samples_are_replaced_together() -> None:
    three = record(*(exchange(sample=n) for n in range(3)), started=EARLY)
    one = record(exchange(), started=LATE)
    assert cell_of(three, one).applicable == 1


def test_what_a_later_record_does_not_hold_stays() -> None:
    early = record(exchange(), exchange("acme", "two_tools", "stream", finding()), started=EARLY)
    late = record(exchange("acme", "single_call", "complete"), started=LATE)
    assert (cell_of(early, late).occurrences, cell_of(early, late).applicable) == (1, 3)


def test_not_run_replaces_what_was_measured_before() -> None:
    cell = cell_of(record(exchange(), started=EARLY), record(missing(), started=LATE))
    assert (cell.state, cell.applicable, cell.not_run) == (State.NOT_RUN, 0, 1)


def test_a_placeholder_of_a_later_record_hides_nothing() -> None:
    late = record(providers=[provider(recorded=False)], started=LATE)
    row = row_of(build(record(exchange(), started=EARLY), late))
    assert row.judged == 1
    assert row.provider["recorded"]


def test_one_incomplete_record_makes_the_table_incomplete() -> None:
    assert build(record(exchange())).finished
    assert not build(record(exchange()), record(exchange("zeta"), finished=False)).finished


def test_a_stale_expectation_stands_until_it_is_shown_or_dropped() -> None:
    known = [provider(expectations=[expectation("index-missing")])]
    stale = [{"provider": "acme", "quirk": "index-missing", "applicable": 5}]
    early = record(exchange(), providers=known, stale=stale, started=EARLY)
    elsewhere = record(exchange("acme", "two_tools"), providers=known, started=LATE)
    assert cell_of(early, elsewhere).state is State.STALE
    shown = exchange("acme", "two_tools", "stream", finding(expected_by="it always did"))
    assert cell_of(early, record(shown, providers=known, started=LATE)).state is State.EXPECTED
    assert cell_of(early, record(exchange("acme", "two_tools"), started=LATE)).state is State.OK
    assert build(early, record(exchange("zeta"), started=LATE)).exit_code == 1

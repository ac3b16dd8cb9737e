"""The verdict line says what a client has to do, and claims no more than was measured."""

from conformance.report.matrix import build
from conformance.report.verdict import Verdict
from conformance.run.rows import ExchangeRow
from tests.report.examples import call, exchange, finding, missing, provider, record, row_of


def verdict(*rows: ExchangeRow, finished: bool = True) -> Verdict:
    return row_of(build(record(*rows, finished=finished))).verdict


CLEAN = exchange("acme", "single_call", "complete")


def test_safe_is_a_clean_stream_with_calls() -> None:
    assert verdict(exchange(), CLEAN).text == "safe"


def test_variations_leave_it_safe() -> None:
    assert verdict(exchange("acme", "single_call", "stream", finding("comment", "info")), CLEAN).kind == "safe"


def test_no_call_is_no_proof() -> None:
    found = verdict(exchange(calls=[]), CLEAN)
    assert (found.kind, found.because) == ("undecided", ("no call was streamed",))


def test_only_complete_answers_are_no_proof_of_streams() -> None:
    assert verdict(CLEAN).kind == "undecided"


def test_what_is_missing_is_no_proof() -> None:
    found = verdict(exchange(), missing("acme", "two_tools"))
    assert (found.kind, found.because) == ("undecided", ("1 of 2 exchanges not run",))


def test_a_run_that_did_not_finish_is_no_proof() -> None:
    found = verdict(exchange(), CLEAN, finished=False)
    assert (found.kind, found.because) == ("undecided", ("the run did not finish",))


def test_guards_are_named_gravest_first_expected_or_not() -> None:
    row = exchange(
        "acme",
        "single_call",
        "stream",
        finding("id-empty-on-continuation", "should"),
        finding("index-missing", expected_by="known"),
    )
    assert verdict(row, CLEAN).text == "needs guards: index-missing, id-empty-on-continuation"


def test_an_answer_that_recovery_does_not_save_forbids_streaming() -> None:
    lost = exchange("acme", "single_call", "stream", finding("index-stray-tail"), calls=[call(usable=False)])
    found = verdict(lost, exchange("acme", "single_call", "complete", finding("call-in-content")))
    assert (found.kind, found.lost, found.guards) == ("do-not-stream", ("index-stray-tail",), ("call-in-content",))
    assert found.text == ("do not stream tools: index-stray-tail; without streaming needs guards: call-in-content")


def test_a_cut_answer_forbids_streaming() -> None:
    cut = exchange("acme", "single_call", "stream", finding("connection-cut", call=None), complete=False)
    assert verdict(cut, CLEAN).lost == ("connection-cut",)


def test_what_complete_answers_suffer_as_well_is_no_reason_against_streaming() -> None:
    def lost(mode: str) -> ExchangeRow:
        return exchange("acme", "single_call", mode, finding("index-stray-tail"), calls=[call(usable=False)])

    assert verdict(lost("stream"), lost("complete")).text == "needs guards: index-stray-tail"


def test_streaming_is_not_forbidden_where_the_complete_answer_is_lost_to_another_quirk() -> None:
    cut = exchange("acme", "two_tools", "stream", finding("connection-cut", call=None), complete=False, calls=[])
    broken = exchange("acme", "two_tools", "complete", finding("call-in-content", call=None), complete=False, calls=[])
    assert verdict(cut, broken, CLEAN).text == "needs guards: call-in-content, connection-cut"


def test_a_quirk_that_also_loses_complete_answers_elsewhere_is_no_reason_against_streaming() -> None:
    cut = finding("connection-cut", call=None)
    streamed = exchange("acme", "two_tools", "stream", cut, complete=False)
    whole = exchange("acme", "two_tools", "complete")
    elsewhere = exchange("acme", "no_call", "complete", cut, complete=False)
    assert verdict(streamed, whole).kind == "do-not-stream"
    assert verdict(streamed, whole, elsewhere).kind == "needs-guards"


def test_without_complete_answers_the_comparison_is_said_to_be_missing() -> None:
    lost = exchange("acme", "single_call", "stream", finding("index-stray-tail"), calls=[call(usable=False)])
    found = verdict(lost)
    assert (found.kind, found.because) == ("do-not-stream", ("complete answers were not measured",))


def test_a_limit_of_the_request_is_nobodys_fault() -> None:
    short = exchange("acme", "truncated_call", "stream", finding(), calls=[call(usable=False)], finish_reason="length")
    assert verdict(short, CLEAN).kind == "needs-guards"


def test_what_the_model_spoils_is_not_blamed_on_the_stream() -> None:
    model = finding("arguments-schema-violation", "should", layer="model")
    row = exchange("acme", "single_call", "stream", finding(), model, calls=[call(usable=False)])
    assert verdict(row, CLEAN).kind == "needs-guards"
    other = finding("arguments-schema-violation", "should", layer="model", call=1)
    row = exchange("acme", "single_call", "stream", finding(), other, calls=[call(usable=False), call("call_2")])
    assert verdict(row, CLEAN).kind == "do-not-stream"


def test_a_should_finding_loses_nothing() -> None:
    row = exchange("acme", "single_call", "stream", finding(level="should"), calls=[call(usable=False)])
    assert verdict(row, CLEAN).kind == "needs-guards"


def test_another_call_that_is_useless_does_not_count() -> None:
    row = exchange("acme", "two_tools", "stream", finding(call=0), calls=[call("call_1"), call("call_2", usable=False)])
    assert verdict(row, CLEAN).kind == "needs-guards"


def test_calls_that_share_an_id_cannot_be_answered() -> None:
    shared = exchange("acme", "two_tools", "stream", finding("id-duplicated", call=1), calls=[call(), call()])
    assert verdict(shared, CLEAN).lost == ("id-duplicated",)
    empty = exchange("acme", "two_tools", "stream", finding("id-missing", call=1), calls=[call(""), call("")])
    assert verdict(empty, CLEAN).kind == "needs-guards"


def test_no_call_is_a_loss_where_the_other_mode_brought_one() -> None:
    text = exchange("acme", "single_call", "stream", finding("call-in-content", call=None), calls=[])
    assert verdict(text, CLEAN).lost == ("call-in-content",)
    elsewhere = exchange("acme", "two_tools", "complete")
    assert verdict(text, elsewhere).kind == "needs-guards"


def test_nothing_had_is_not_run() -> None:
    assert verdict(missing()).text == "not run"


def test_never_recorded_is_no_recording() -> None:
    matrix = build(record(providers=[provider(recorded=False)]))
    assert row_of(matrix).verdict.text == "no recording"

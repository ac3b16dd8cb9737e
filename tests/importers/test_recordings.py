"""Files that other projects' recorders made of the made-up server: what was planted in it is what is found in them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from conformance.importers import files, load
from conformance.importers.load import from_bytes
from conformance.model import Exchange
from conformance.quirks import judge
from conformance.wire.read import read
from tests.importers.examples import outcome

RECORDINGS = Path(__file__).parent / "recordings"
EVERY = [p for p in files(RECORDINGS) if p.suffix != ".md"]
PAIRS = [
    p for p in EVERY if p.parent.name in ("vcrpy", "ruby-vcr", "go-vcr", "har", "polly", "nock")
]  # a stream without indexes, then a complete answer with an empty id
STREAMED_ID, COMPLETE_ID = "call_e8d4fa4873dc8527fb1b9bbc", "call_067734917ad6cc656b0f75b6"
ON_THE_WIRE = frozenset(
    {
        "index-missing",
        "index-in-complete-answer",
        "id-missing",
        "id-not-mistral-form",
        "type-missing",
        "name-not-offered",
        "finish-stop-with-calls",
        "finish-missing",
        "role-missing",
        "role-other",
        "object-missing",
        "usage-placement",
        "unknown-fields",
        "json-body-on-stream-request",
        "connection-cut",
        "done-missing",
        "content-type-wrong",
        "error-in-200-body",
        "arguments-glued",
        "arguments-truncated",
        "request-rejected",
    }
)
"""Some of what an assembled answer cannot show."""


def named(path: Path) -> str:
    """A path as tests call it."""
    return f"{path.parent.name}/{path.name}"


def imported(name: str) -> list[Exchange]:
    """The exchanges of a recording."""
    return list(load(RECORDINGS / name))


def deviations(exchange: Exchange) -> set[str]:
    """What is found at `must` or `should`."""
    return {f.quirk for f in judge(read(exchange)).findings if f.level != "info"}


@pytest.mark.parametrize("path", PAIRS, ids=named)
def test_recorders_of_http_show_what_was_planted(path: Path) -> None:
    streamed, complete = load(path)
    first = 1 if path.parent.name == "har" else 0  # the page itself comes first
    assert [e.source for e in (streamed, complete)] == [f"{path}#{first}", f"{path}#{first + 1}"]
    assert (streamed.asked_mode, complete.asked_mode) == ("stream", "complete")
    assert (read(streamed).mode, read(complete).mode) == ("stream", "complete")
    assert deviations(streamed) == {"index-missing"}
    assert deviations(complete) == {"id-missing"}
    for exchange, own in ((streamed, STREAMED_ID), (complete, "")):
        (call,) = read(exchange).calls
        assert (call.id, call.name, call.arguments, call.usable) == (own, "get_weather", '{"city":"Paris"}', True)
        assert (exchange.status, exchange.model, exchange.provider) == (200, "made-up", "")
        assert exchange.recorded_at is not None
        assert exchange.recorded_at.startswith("2026-11-30T08:0")


@pytest.mark.parametrize(
    ("name", "found", "asked"),
    [
        ("verbose.txt", {"index-missing"}, None),
        ("verbose-with-progress.txt", {"index-missing"}, None),
        ("verbose-and-head.txt", {"id-missing"}, None),
        ("verbose-of-a-cut-stream.txt", {"connection-cut", "arguments-truncated"}, None),
        ("trace.txt", {"index-missing"}, "stream"),
    ],
)
def test_the_output_of_curl_shows_what_was_planted(name: str, found: set[str], asked: str | None) -> None:
    (exchange,) = imported(f"curl/{name}")
    assert deviations(exchange) == found
    assert (exchange.status, exchange.asked_mode) == (200, asked)
    assert exchange.headers["x-made-up"] == "conformance fault server"
    assert exchange.fidelity.framing
    assert (exchange.recorded_at or "").startswith("2026-11-30T08:0")


def test_a_trace_without_line_ends_is_a_sentence() -> None:
    found, problem = outcome((RECORDINGS / "curl" / "trace-ascii.txt").read_bytes())
    assert found == []
    assert problem.startswith("file: a trace without the bytes themselves; --trace-ascii")


def test_litellm_shows_what_the_model_said_and_nothing_of_the_wire() -> None:
    streamed, complete, without_id, without_index = imported("litellm/standard_logging_payload.jsonl")
    assert [deviations(e) for e in (streamed, complete)] == [{"arguments-schema-violation"}] * 2
    assert [deviations(e) for e in (without_id, without_index)] == [set()] * 2
    assert [e.asked_mode for e in (streamed, complete, without_id, without_index)] == [
        "stream",
        "complete",
        "complete",
        "stream",
    ]
    for exchange in (streamed, complete, without_id, without_index):
        assert not judge(read(exchange)).applicable & ON_THE_WIRE
        # it calls every address `openai` that speaks like it
        assert (exchange.provider, exchange.model) == ("", "made-up")
        assert exchange.request is not None
        assert exchange.request["messages"] == [{"role": "user", "content": "What is the weather in Paris?"}]
        assert (exchange.recorded_at or "").startswith("2026-11-30T08:0")


TELEMETRY = [p for p in EVERY if p.parent.name == "opentelemetry"]


@pytest.mark.parametrize("path", TELEMETRY, ids=named)
def test_telemetry_shows_what_the_model_said_and_nothing_of_the_wire(path: Path) -> None:
    streamed, complete, *_, last = load(path)
    knows_tools = path.name.startswith("traceloop")
    assert [deviations(e) for e in (streamed, complete)] == [
        {"arguments-schema-violation"} if knows_tools else set()
    ] * 2
    for exchange, own in ((streamed, STREAMED_ID), (complete, COMPLETE_ID)):
        transcript = read(exchange)
        (call,) = transcript.calls
        assert (call.id, call.name, call.value) == (own, "get_weather", {"town": "Paris"})
        assert transcript.choices[0].finish_reason == "tool_calls"
        assert transcript.complete
        assert not judge(transcript).applicable & ON_THE_WIRE
    assert "call-in-content" in {f.quirk for f in judge(read(last)).findings} or not knows_tools
    assert streamed.provider == ""  # the instrumentation says openai, the address does not
    assert (streamed.recorded_at or "").startswith("2026-11-30T08:0")
    assert streamed.asked_mode == ("stream" if knows_tools else None)


@pytest.mark.parametrize(
    "name", ["openai-v2-2.4b0-otlp.jsonl", "openai-v2-2.4b0-console.json", "openai-v2-2.1b0-events.json"]
)
def test_an_answer_that_its_client_gave_up_is_not_complete(name: str) -> None:
    failed = imported(f"opentelemetry/{name}")[2]
    assert failed.ended.cut
    assert not read(failed).complete
    assert deviations(failed) == set()


def test_a_dump_of_typed_chunks_shows_nothing_of_what_was_absent() -> None:
    (exchange,) = imported("logs/chunks.jsonl")
    assert deviations(exchange) == {"index-missing"}
    verdict = judge(read(exchange))
    assert {f.quirk for f in verdict.findings if f.level == "info"} == {"id-not-mistral-form"}
    assert "tool-calls-null" not in verdict.applicable
    assert not exchange.fidelity.text


def test_two_streams_in_a_file_are_told_apart() -> None:
    first, second = imported("logs/two_streams.jsonl")
    assert deviations(first) == {"index-missing"}
    assert deviations(second) == set()


def test_a_log_of_requests_and_chunks_is_an_exchange_a_line() -> None:
    found = imported("logs/request_chunks.jsonl")
    assert [deviations(e) for e in found] == [{"index-missing"}] * 2
    assert [(e.model, e.asked_mode) for e in found] == [("made-up", "stream"), ("made-up-2", "stream")]
    assert [e.recorded_at for e in found] == ["2026-11-30T08:02:39.500000+00:00", "2026-11-30T08:02:40.500000+00:00"]


def test_a_log_of_requests_and_responses_is_an_exchange_a_line() -> None:
    decoded, as_it_came = imported("logs/request_response.jsonl")
    assert deviations(decoded) == {"id-missing"}
    assert deviations(as_it_came) == {"index-missing"}
    assert (decoded.provider, as_it_came.provider) == ("acme", "acme")
    assert (decoded.fidelity.text, as_it_came.fidelity.text, as_it_came.fidelity.framing) == (False, True, True)
    assert as_it_came.headers["content-type"] == "text/event-stream"


@pytest.mark.parametrize("path", [p for p in EVERY if p.name != "trace-ascii.txt"], ids=named)
def test_a_compressed_file_holds_the_same(path: Path) -> None:
    data = path.read_bytes()
    plain = list(from_bytes(data, "file"))
    assert list(from_bytes(gzip.compress(data), "file")) == plain
    assert list(from_bytes(zstandard.compress(data), "file")) == plain


@given(st.sampled_from(EVERY), st.data())
def test_damaged_files_give_exchanges_or_sentences(path: Path, data: st.DataObject) -> None:
    whole = path.read_bytes()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole)))
        patch = data.draw(
            st.one_of(st.binary(max_size=6), st.sampled_from([b"- ", b"{", b'"', b"\n", b"&a *a", b"null"]))
        )
        whole = whole[:at] + patch + whole[at + data.draw(st.integers(0, 60)) :]
    if data.draw(st.booleans()):
        whole = whole[: data.draw(st.integers(0, len(whole)))]
    found, problem = outcome(whole)
    assert problem.startswith("file") if problem else found
    for exchange in found:
        judge(read(exchange))

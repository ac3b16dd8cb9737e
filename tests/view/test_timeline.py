"""The events of a stream: their bytes, their arrival, and the call each entry went to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.faults import FAULTS
from conformance.faults.respond import respond
from conformance.model import Exchange, Piece
from conformance.quirks import catalogue
from conformance.quirks.examples import exchange_of
from conformance.run.selftest import request_for
from conformance.view.timeline import arrival_times, timeline
from conformance.wire.read import read
from tests.wire.helpers import chunk, entries, entry, sse, transcript

TWO = sse(
    chunk({"role": "assistant", "content": None}),
    entries(entry(0, "call_a", "get_weather", "")),
    entries(entry(1, "call_b", "get_time", "{"), entry(0, arguments='{"city":')),
    entries(entry(0, arguments='"Paris"}'), entry(1, "", arguments="}")),
    chunk({}, "tool_calls", usage={"total_tokens": 3}),
)


def test_entries_stand_at_the_call_they_went_to() -> None:
    events = timeline(transcript(TWO))
    assert [[(e.call, e.opens, e.pointer[-1], e.arguments) for e in event.entries] for event in events] == [
        [],
        [((0, 0), True, "0", "")],
        [((0, 1), True, "0", "{"), ((0, 0), False, "1", '{"city":')],
        [((0, 0), False, "0", '"Paris"}'), ((0, 1), False, "1", "}")],
        [],
        [],
    ]
    assert [[(s.kind, s.text) for s in event.said] for event in events] == [
        [("role", "assistant")],
        [],
        [],
        [],
        [("finish_reason", "tool_calls"), ("usage", '{"total_tokens": 3}')],
        [("[DONE]", "")],
    ]


def test_fields_are_shown_as_sent_and_marked_where_they_depart() -> None:
    *_, third, _, _ = timeline(transcript(TWO))
    blank = third.entries[1]
    assert [(f.name, f.text, f.spelling, f.odd, f.why) for f in blank.fields] == [
        ("index", "1", "integer", False, ""),
        ("id", "", "empty", True, "blank"),
        ("arguments", "}", "string", False, ""),
    ]


def test_an_absent_field_is_shown_where_it_is_missed() -> None:
    (event, _) = timeline(transcript(sse(entries(entry(..., "call_a", "f", "{}")))))
    assert [(f.name, f.spelling) for f in event.entries[0].fields if f.odd] == [("index", "absent"), ("type", "absent")]


def test_bytes_cover_the_body() -> None:
    body = b": hello\n\n" + TWO
    events = timeline(transcript(body))
    assert events[0].byte == 9
    assert [e.byte + e.size for e in events] == [*(e.byte for e in events[1:]), len(body)]


def test_an_event_arrives_with_its_last_byte() -> None:
    body = sse("{}", "{}")  # 10 + 10 + 14 bytes
    pieces = (Piece(5.0, 4), Piece(7.0, 16), Piece(9.5, 13), Piece(11.0, 1))
    t = read(Exchange("x", body, pieces=pieces))
    assert arrival_times(t) == [7.0, 7.0, 11.0]


def test_arrival_of_compressed_bytes_is_not_that_of_events() -> None:
    import gzip

    packed = gzip.compress(TWO)
    exchange = Exchange("x", packed, headers={"content-encoding": "gzip"}, pieces=(Piece(1.0, len(packed)),))
    assert arrival_times(read(exchange)) == []
    assert [event.at_ms for event in timeline(read(exchange))] == [None] * 6


EXAMPLES = [
    *(exchange_of(e, q.slug) for q in catalogue() for e in (*q.good, *q.bad)),
    *(
        Exchange(f.name, respond(request_for(f, "stream"), f).body, request=request_for(f, "stream"))
        for f in FAULTS.values()
        if "stream" in f.modes
    ),
]


@pytest.mark.parametrize("part", range(4))
def test_the_second_pass_comes_to_the_calls_of_the_first(part: int) -> None:
    for exchange in EXAMPLES[part::4]:
        t = read(exchange)
        events = timeline(t)
        assert [e.byte for e in events] == (list(t.event_offsets) if t.kind == "sse" else [])
        if t.kind != "sse" or t.error is not None:
            continue
        for call in t.calls:
            pieces = [e.arguments for v in events for e in v.entries if e.call == (call.choice, call.index)]
            assert "".join(pieces) == "".join(call.pieces), exchange.source


@given(st.binary(max_size=200), st.sampled_from(EXAMPLES))
def test_any_bytes_have_a_timeline(noise: bytes, exchange: Exchange) -> None:
    at = len(noise) * 7 % (len(exchange.body) + 1)
    for body in (noise, b"data: " + noise, exchange.body[:at] + noise + exchange.body[at:]):
        t = read(replace(exchange, body=body))
        assert len(timeline(t)) == t.events

"""Which entry belongs to which call: DESIGN §4.4 (a) to (e) and (g), letter by letter."""

from __future__ import annotations

import pytest

from tests.wire.helpers import chunk, entries, entry, offering, sse, told, transcript

A, B = '{"a":1}', '{"b":2}'
END = chunk({}, "tool_calls")


def test_a_decimal_string_is_that_number() -> None:
    t = transcript(sse(entries(entry("0", "x", "f", "")), entries(entry(0, arguments=A)), END))
    assert told(t) == [("x", "f", A)]
    assert t.calls[0].wire_index == 0


@pytest.mark.parametrize("index", [None, -1, "", "one", 1.5, True, [], {}])
def test_a_anything_else_counts_as_missing(index: object) -> None:
    t = transcript(sse(entries(entry(index, "x", "f", "")), entries(entry(index, arguments=A)), END))
    assert told(t) == [("x", "f", A)]
    assert t.calls[0].wire_index is None


def test_a_choices_fold_into_one_unless_several_were_asked_for() -> None:
    second = chunk({"tool_calls": [entry(0, "y", "g", B)]})
    second["choices"][0]["index"] = 1
    body = sse(entries(entry(0, "x", "f", A)), second, END)
    assert [c.index for c in transcript(body, request=offering("f", "g")).choices] == [0]
    assert [c.index for c in transcript(body, request=offering("f", "g", n=2)).choices] == [0, 1]


def test_a_legacy_function_call_is_one_call_without_an_id() -> None:
    t = transcript(
        sse(
            chunk({"function_call": {"name": "f", "arguments": '{"a":'}}),
            chunk({"function_call": {"arguments": "1}"}}),
            chunk({}, "function_call"),
        )
    )
    assert told(t) == [("", "f", A)]
    assert t.calls[0].legacy


def test_blank_legacy_fields_are_no_call() -> None:
    t = transcript(sse(chunk({"content": "hi", "function_call": {"name": "", "arguments": ""}}), chunk({}, "stop")))
    assert told(t) == []


def test_b_id_and_name_are_kept_once_set() -> None:
    t = transcript(
        sse(
            entries(entry(0, "x", "f", "")),
            entries(entry(0, "", "", '{"a"')),
            entries(entry(0, None, None, ":1")),
            entries(entry(0, "z", ..., "}")),
            END,
        )
    )
    assert told(t) == [("x", "f", A)]
    assert t.calls[0].other_ids == ["z"]


def test_b_new_id_and_name_at_a_used_index_open_a_call() -> None:
    t = transcript(
        sse(
            entries(entry(0, "x", "f", A)),
            entries(entry(0, "y", "f", "")),
            entries(entry(0, arguments=B)),
            END,
        )
    )
    assert told(t) == [("x", "f", A), ("y", "f", B)]


def test_b_an_id_that_is_known_continues_its_call() -> None:
    t = transcript(
        sse(
            entries(entry(0, "x", "f", '{"a":')),
            entries(entry(0, "y", "g", '{"b":')),
            entries(entry(0, "x", "f", "1}")),
            entries(entry(0, "y", "g", "2}")),
            END,
        )
    )
    assert told(t) == [("x", "f", A), ("y", "g", B)]


def test_c_without_an_index_ids_tell_calls_apart() -> None:
    t = transcript(
        sse(
            entries(entry(..., "x", "f", '{"a":')),
            entries(entry(..., "y", "g", '{"b":')),
            entries(entry(..., "x", ..., "1}")),
            entries(entry(..., "y", ..., "2}")),
            END,
        )
    )
    assert told(t) == [("x", "f", A), ("y", "g", B)]


def test_c_a_name_opens_a_call_once_the_last_one_parses() -> None:
    t = transcript(sse(entries(entry(..., ..., "f", A)), entries(entry(..., ..., "g", B)), END))
    assert told(t) == [("", "f", A), ("", "g", B)]


def test_c_otherwise_the_last_call_goes_on() -> None:
    t = transcript(sse(entries(entry(..., "x", "f", '{"a":')), entries(entry(..., arguments="1}")), END))
    assert told(t) == [("x", "f", A)]


def test_c_unknown_fields_alone_belong_to_the_last_call() -> None:
    t = transcript(sse(entries(entry(0, "x", "f", A)), entries({"index": 3, "extra_content": {"s": "q"}}), END))
    assert told(t) == [("x", "f", A)]
    assert t.calls[0].extra == {"extra_content": {"s": "q"}}


def test_d_a_stray_tail_makes_the_call_unusable() -> None:
    t = transcript(
        sse(entries(entry(0, "x", "f", A)), entries(entry(0, "y", "g", "")), entries(entry(1, arguments=B)), END)
    )
    assert told(t) == [("x", "f", A), ("y", "g", B)]
    assert [c.usable for c in t.calls] == [True, False]


def test_d_an_unseen_index_opens_a_call_where_none_was_reopened() -> None:
    t = transcript(sse(entries(entry(0, "x", "f", A)), entries(entry(1, arguments=B)), END))
    assert told(t) == [("x", "f", A), ("", "", B)]


@pytest.mark.parametrize(
    ("pieces", "offered", "name"),
    [
        (["get_", "weather"], ["get_weather"], "get_weather"),
        (["get_weather", "get_weather"], ["get_weather"], "get_weather"),
        (["go", "go"], ["gogo"], "gogo"),
        (["get", "get_weather"], ["get_weather"], "get_weather"),
        (["list_", "in", "voices"], [], "list_invoices"),
    ],
)
def test_e_pieces_of_a_name(pieces: list[str], offered: list[str], name: str) -> None:
    body = sse(
        entries(entry(0, "x", pieces[0], "")),
        *(entries(entry(0, ..., p)) for p in pieces[1:]),
        entries(entry(0, arguments=A)),
        END,
    )
    assert told(transcript(body, request=offering(*offered) if offered else None)) == [("x", name, A)]


def test_e_after_argument_text_the_first_name_stays() -> None:
    t = transcript(sse(entries(entry(0, "x", "f", '{"a":')), entries(entry(0, ..., "g", "1}")), END))
    assert told(t) == [("x", "f", A)]


def test_e_a_late_name_is_taken() -> None:
    t = transcript(sse(entries(entry(0, "x", ..., '{"a":')), entries(entry(0, ..., "f", "1}")), END))
    assert told(t) == [("x", "f", A)]


def test_g_calls_are_sorted_by_index() -> None:
    t = transcript(sse(entries(entry(1, "y", "g", B)), entries(entry(0, "x", "f", A)), END))
    assert told(t) == [("x", "f", A), ("y", "g", B)]
    assert [c.index for c in t.calls] == [0, 1]


def test_g_calls_without_an_index_keep_their_place() -> None:
    t = transcript(
        sse(
            entries(entry(2, "c", "f", A)),
            entries(entry(..., "b", "f", A)),
            entries(entry(0, "a", "f", A)),
            END,
        )
    )
    assert [c.id for c in t.calls] == ["a", "b", "c"]


def test_interleaved_fragments_are_kept_apart() -> None:
    t = transcript(
        sse(
            entries(entry(0, "x", "f", ""), entry(1, "y", "g", "")),
            entries(entry(1, arguments='{"b":')),
            entries(entry(0, arguments='{"a":')),
            entries(entry(0, arguments="1}"), entry(1, arguments="2}")),
            END,
        )
    )
    assert told(t) == [("x", "f", A), ("y", "g", B)]


def test_fields_beside_function_are_read_where_function_is_absent() -> None:
    t = transcript(sse(entries({"index": 0, "id": "x", "name": "f", "arguments": A}), END))
    assert told(t) == [("x", "f", A)]


def test_complete_answers_keep_their_order_and_every_entry_is_a_call() -> None:
    body = (
        b'{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":['
        b'{"id":"x","type":"function","index":1,"function":{"name":"f","arguments":"{}"}},'
        b'{"id":"x","type":"function","index":0,"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}'
    )
    t = transcript(body, asked="complete")
    assert [(c.id, c.wire_index) for c in t.calls] == [("x", 1), ("x", 0)]

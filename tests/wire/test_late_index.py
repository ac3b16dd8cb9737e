"""The index is missing where a call opens and comes later: DESIGN §4.4 (c) turned round."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from conformance import Accumulator
from conformance.quirks import judge
from conformance.wire.transcript import Transcript
from tests.wire.helpers import chunk, entries, entry, sse, told, transcript

A, B = '{"a":1}', '{"b":2}'
END = chunk({}, "tool_calls")


def streamed(*parts: dict[str, Any]) -> Transcript:
    """The stream read; an accumulator that is fed the same comes to the same calls."""
    chunks = [*(entries(part) for part in parts), END]
    t = transcript(sse(*chunks))
    turn = Accumulator()
    for one in chunks:
        turn.feed(one)
    result = turn.finish()
    assert [(c.id, c.arguments, c.usable) for c in result.calls] == [(c.id, c.arguments, c.usable) for c in t.calls]
    return t


def opening(call_id: str, name: str = "f", arguments: str = "", **more: Any) -> dict[str, Any]:
    return entry(..., call_id, name, arguments, type="function", **more)


def loud(t: Transcript) -> list[tuple[str, int | None, int]]:
    return [
        (f.quirk, f.call, f.count) for f in judge(t).findings if f.level in ("must", "should") and f.call is not None
    ]


def test_one_call_whose_index_comes_late_is_one_call_and_one_finding() -> None:
    t = streamed(opening("x"), entry(0, arguments='{"a"'), entry(0, arguments=":1}"))
    assert told(t) == [("x", "f", A)]
    assert t.calls[0].wire_index == 0
    assert t.calls[0].usable
    assert loud(t) == [("index-missing", 0, 1)]


def test_an_index_that_comes_and_goes_is_still_one_call() -> None:
    t = streamed(opening("x"), entry(0, arguments='{"a"'), entry(..., arguments=":"), entry(0, arguments="1}"))
    assert told(t) == [("x", "f", A)]
    assert loud(t) == [("index-missing", 0, 2)]


def test_the_mirrored_case() -> None:
    t = streamed(entry(0, "x", "f", "", type="function"), entry(..., arguments=A))
    assert told(t) == [("x", "f", A)]
    assert loud(t) == [("index-missing", 0, 1)]


def test_calls_one_after_the_other() -> None:
    t = streamed(opening("x"), entry(0, arguments=A), opening("y"), entry(1, arguments=B))
    assert told(t) == [("x", "f", A), ("y", "f", B)]
    assert [c.wire_index for c in t.calls] == [0, 1]
    assert loud(t) == [("index-missing", 0, 1), ("index-missing", 1, 1)]


def test_calls_announced_together_are_numbered_in_the_order_of_opening() -> None:
    t = streamed(opening("x"), opening("y"), entry(0, arguments=A), entry(1, arguments=B))
    assert told(t) == [("x", "f", A), ("y", "f", B)]
    assert all(c.usable for c in t.calls)


def test_where_an_index_may_mean_either_call_neither_is_run() -> None:
    # 1 is the second call's, or the first one's in a count from 1
    for first, second in ((1, 2), (1, 0), (5, 6)):
        t = streamed(opening("x"), opening("y"), entry(first, arguments=A), entry(second, arguments=B))
        assert not any(c.usable for c in t.calls)
        assert [c.unusable_because for c in t.calls if c.id] == [["index"], ["index"]]


def test_a_call_whose_arguments_are_whole_waits_for_nothing() -> None:
    t = streamed(opening("x", arguments=A), opening("y"), entry(1, arguments=B))
    assert told(t) == [("x", "f", A), ("y", "f", B)]
    t = streamed(opening("x", arguments=A), entry(0, arguments=B))
    assert t.calls[0].arguments == A
    assert t.calls[0].usable
    assert not t.calls[1].usable  # a call without a name


def test_an_entry_that_says_nothing_opens_nothing() -> None:
    t = streamed(opening("x", arguments=A), entry(0, arguments=""), entry(0))
    assert told(t) == [("x", "f", A)]


def test_one_call_without_an_index_among_others_takes_the_free_one() -> None:
    t = streamed(entry(0, "x", "f", A, type="function"), opening("y"), entry(1, arguments=B))
    assert told(t) == [("x", "f", A), ("y", "f", B)]


def test_an_entry_with_an_id_or_a_name_of_its_own_still_opens_a_call() -> None:
    t = streamed(opening("x"), entry(0, "y", "g", B, type="function"))
    assert [c.id for c in t.calls] == ["x", "y"]
    assert t.calls[1].arguments == B


def test_a_known_id_with_its_first_index_continues_its_call() -> None:
    t = streamed(opening("x"), opening("y"), entry(1, "y", arguments=B), entry(0, "x", arguments=A))
    assert told(t) == [("x", "f", A), ("y", "f", B)]
    assert "index-stray-tail" not in {quirk for quirk, *_ in loud(t)}


def test_a_late_id_comes_with_the_late_index() -> None:
    t = streamed(entry(..., ..., "f", "", type="function"), entry(0, "x", arguments=A))
    assert told(t) == [("x", "f", A)]


def test_an_index_that_all_calls_share_goes_to_the_one_opened_last() -> None:
    t = streamed(opening("x"), entry(0, arguments=A), opening("y"), entry(0, arguments=B))
    assert told(t) == [("x", "f", A), ("y", "f", B)]
    assert {quirk for quirk, *_ in loud(t)} == {"index-missing", "index-reused"}


def test_a_call_in_the_middle_of_its_arguments_keeps_its_index() -> None:
    t = streamed(
        opening("x"), opening("y"), entry(0, arguments='{"a"'), entry(0, arguments=":1}"), entry(1, arguments=B)
    )
    assert told(t) == [("x", "f", A), ("y", "f", B)]


@given(
    st.lists(st.lists(st.sampled_from(["a", "é", '"', "{", " "]), max_size=6).map("".join), min_size=1, max_size=4),
    st.booleans(),
    st.data(),
)
def test_calls_numbered_from_zero_are_assembled_however_their_text_is_cut(
    texts: list[str], together: bool, data: st.DataObject
) -> None:

    wanted = [json.dumps({"t": text}, ensure_ascii=False) for text in texts]
    heads = [opening(f"id{n}") for n in range(len(wanted))]
    tails = []
    for n, text in enumerate(wanted):
        at = data.draw(st.integers(1, len(text)))
        tails.append([entry(n, arguments=piece) for piece in (text[:at], text[at:]) if piece])
    parts = [part for head, tail in zip(heads, tails, strict=True) for part in (head, *tail)]
    if together:
        parts = [*heads, *(part for tail in tails for part in tail)]
    assert [c.arguments for c in streamed(*parts).calls] == wanted


def test_routing_costs_linear_time_where_many_calls_wait() -> None:
    many = 5000
    heads = [opening(f"id{n}") for n in range(many)]
    t = streamed(*heads, *(entry(n, arguments=A) for n in range(many)))
    assert [c.arguments for c in t.calls] == [A] * many
    t = streamed(*heads, *(entry(many + n, arguments=A) for n in range(many)))
    assert not any(c.usable for c in t.calls)

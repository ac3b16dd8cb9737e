"""The forms of ids."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.run.rows import ExchangeRow
from conformance.site.provider_ids import ids
from tests.report.examples import call, exchange, missing


@pytest.mark.parametrize(
    ("given_ids", "prefix", "rest", "lengths"),
    [
        (["call_00aB", "call_ffZ"], "call_", "letters and digits", (8, 9)),
        (["call_12", "call_3"], "call_", "digits", (6, 7)),
        (["chat-tool-9e6fba70", "chat-tool-64aa9e6a"], "chat-tool-", "lower-case hexadecimal digits", (18, 18)),
        (["aB3dE6gH9"], "", "letters and digits", (9, 9)),
        (["123e4567-e89b-12d3-a456-426614174000"], "", "UUID", (36, 36)),
        (["call_abcdefab-e89b-12d3-a456-426614174000"], "call_", "UUID", (41, 41)),
        (["123e4567-e89b-12d3-a456-426614174000_tool_call_0"], "", "UUID and a suffix", (48, 48)),
        (["functions.get_weather:0"], "functions.get_weather:", "digits", (23, 23)),
        (["", ""], "", "no id", (0, 0)),
        (["é"], "", "other characters", (1, 1)),
        (["call_"], "", "letters, digits, `_` and `-`", (5, 5)),
    ],
)
def test_forms(given_ids: list[str], prefix: str, rest: str, lengths: tuple[int, int]) -> None:
    (form,) = ids(answers([one] for one in given_ids)).forms
    assert (form.prefix, form.rest, form.lengths, form.number) == (prefix, rest, lengths, len(given_ids))


def test_the_most_frequent_form_comes_first_and_examples_are_few() -> None:
    found = ids(answers([["x1"], ["call_1"], ["call_2"], ["call_3"], ["call_4"], ["call_4"]]))
    assert [form.prefix for form in found.forms] == ["call_", ""]
    assert found.forms[0].examples == ("call_1", "call_2", "call_3")
    assert (found.calls, found.distinct, found.shared) == (6, 5, 0)


def test_an_id_that_two_calls_of_an_answer_share() -> None:
    found = ids(answers([["call_1", "call_1"], ["", ""], ["call_2", "call_3"]]))
    assert (found.calls, found.distinct, found.shared) == (6, 3, 1)


def test_answers_that_were_not_had_count_for_nothing() -> None:
    assert ids([missing()]).calls == 0


@given(st.lists(st.lists(st.text(max_size=12), max_size=3), max_size=5))
def test_every_call_is_counted_once(given_ids: list[list[str]]) -> None:
    found = ids(answers(given_ids))
    assert sum(form.number for form in found.forms) == found.calls == sum(map(len, given_ids))
    for form in found.forms:
        assert all(one.startswith(form.prefix) for one in form.examples)


def answers(given_ids: Iterable[list[str]]) -> list[ExchangeRow]:
    return [exchange(calls=[call(one) for one in answer]) for answer in given_ids]

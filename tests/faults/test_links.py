"""The link faults and their legal neighbours: what they tell is what the selftest counts, whatever they are asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.faults import FAULTS
from conformance.faults.respond import respond
from conformance.model import Exchange, Mode
from conformance.quirks import judge
from conformance.run.selftest import request_for
from conformance.wire.read import read

QUIRKS = {
    "other-order": "results-by-position",
    "unknown-id": "unknown-id-used",
    "empty-ids": "empty-ids-crossed",
}
LINKS = [fault for fault in FAULTS.values() if fault.ask in QUIRKS]
UNDECIDED = {"linked-words-only"}


@pytest.mark.parametrize("fault", LINKS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("mode", ["stream", "complete"])
def test_silence_about_a_legal_answer_is_a_verdict(fault: Any, mode: Mode) -> None:
    """Not finding anything counts only where something could have been found."""
    request = request_for(fault, mode)
    wire = respond(request, fault)
    exchange = Exchange("t", wire.body, wire.status, wire.headers, request, mode)
    shown = QUIRKS[fault.ask] in judge(read(exchange)).applicable
    assert shown is (fault.name not in UNDECIDED)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "function", "name"]), inner),
    max_leaves=4,
)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"])},
    optional={
        "content": json_values,
        "tool_call_id": json_values,
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {"id": json_values},
                optional={"function": st.fixed_dictionaries({"name": json_values, "arguments": json_values})},
            )
            | json_values,
            max_size=3,
        ),
    },
)


@given(st.lists(messages | json_values, max_size=5), st.sampled_from(LINKS))
def test_any_history_is_answered(history: list[Any], fault: Any) -> None:
    assert respond({"model": "m", "messages": history}, fault).body

"""The smallest part of a stream shows the finding, and as little else as can be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conformance.model import Exchange, Finding
from conformance.quirks import judge
from conformance.support.minimal import minimal
from conformance.wire.read import read
from tests.support.exchanges import entry, opening, served, streamed


def gravest(exchange: Exchange, slug: str) -> Finding:
    """The finding of this name."""
    return next(f for f in judge(read(exchange)).findings if f.quirk == slug)


def test_what_does_not_matter_is_left_out() -> None:
    talk = [{"role": "assistant", "content": "I"}, *({"content": f" look {n}"} for n in range(30))]
    exchange = streamed([*talk, opening(None, arguments='{"city":"Paris"}')])
    part = minimal(read(exchange), gravest(exchange, "index-missing"))
    assert part is not None
    assert part.pure
    # an honest frame: who speaks, the call, how it ends, and that it ends
    assert part.body.count(b"data:") == 4
    assert b"[DONE]" in part.body
    assert b"finish_reason" in part.body
    assert b"Paris" in part.body


def test_a_long_call_is_cut_down_although_its_arguments_break() -> None:
    deltas = [{"role": "assistant"}, opening(None, arguments='{"city":"'), *(entry(None, "x") for _ in range(2000))]
    exchange = streamed([*deltas, entry(None, '"}')])
    part = minimal(read(exchange), gravest(exchange, "index-missing"))
    assert part is not None
    assert not part.pure
    assert part.body.count(b"data:") == 1
    assert b"tool_calls" in part.body


def test_what_needs_more_than_the_body_has_no_part() -> None:
    exchange = replace(streamed([{"content": "mild"}]), headers={"content-type": "application/json"})
    assert minimal(read(exchange), gravest(exchange, "content-type-wrong")) is None


def test_a_complete_answer_has_no_part() -> None:
    exchange = next(e for e in served() if e.source == "id-missing.complete#0")
    assert minimal(read(exchange), gravest(exchange, "id-missing")) is None


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_is_known(end: bytes) -> None:
    plain = streamed([{"role": "assistant"}, {"content": "a"}, {"content": "b"}, opening(None, arguments="{}")])
    exchange = Exchange("x#0", plain.body.replace(b"\n", end), asked_mode="stream", request=plain.request)
    part = minimal(read(exchange), gravest(exchange, "index-missing"))
    assert part is not None
    assert part.body.count(b"data:") == 4
    assert part.body.endswith(b"data: [DONE]" + 2 * end)

"""What holds for any bytes: no exception, the same answer twice, never complete before the end, template or not."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance import Accumulator
from conformance.model import Exchange, Fidelity
from conformance.quirks import catalogue, judge
from conformance.quirks.examples import exchange_of
from conformance.wire.documented import chunks_of, impact
from conformance.wire.facts import Marks
from conformance.wire.read import read
from conformance.wire.transcript import Call, Transcript
from tests.wire.helpers import chunk, entries, entry, sse, transcript

EXAMPLES = [(q.slug, exchange_of(e)) for q in catalogue() for e in (*q.good[:1], *q.bad)]
STREAMS = [(slug, e) for slug, e in EXAMPLES if e.body.lstrip().startswith(b"data")]


def facts(t: Transcript) -> list[dict[str, tuple[int, dict[str, int]]]]:
    found: list[Marks] = [t.facts, *(c.facts for c in t.choices), *(c.facts for c in t.calls)]
    return [{name: (m.count, m.spellings) for name, m in marks.items()} for marks in found]


@pytest.mark.parametrize(("slug", "exchange"), EXAMPLES, ids=[s for s, _ in EXAMPLES])
def test_cut_anywhere_never_raises_nor_is_complete_before_the_finish(slug: str, exchange: Exchange) -> None:
    whole = exchange.body
    marks = [whole.find(m) for m in (b'"finish_reason":"', b'"finish_reason": "', b"[DONE]")]
    first = min((m for m in marks if m >= 0), default=len(whole))
    for end in range(0, len(whole), 11):
        t = read(replace(exchange, body=whole[:end]))
        judge(t)
        if end <= first and t.mode == "stream":
            assert not t.complete, (slug, end)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_edited_bytes_never_raise(data: st.DataObject) -> None:
    _, exchange = data.draw(st.sampled_from(EXAMPLES))
    body = bytearray(exchange.body)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(body) - 1)))
        edit = data.draw(st.sampled_from(["set", "drop", "insert"]))
        if edit == "insert" or not body:
            body[at:at] = data.draw(st.binary(max_size=4))
        elif edit == "drop":
            del body[at : at + data.draw(st.integers(1, 40))]
        else:
            body[at] = data.draw(st.integers(0, 255))
    changed = replace(exchange, body=bytes(body))
    once, twice = read(changed), read(changed)
    assert facts(once) == facts(twice)
    assert judge(once) == judge(twice)
    impact(once)


@given(st.binary(max_size=300), st.sampled_from(["stream", "complete", None]))
@settings(max_examples=200, deadline=None)
def test_any_bytes_never_raise(body: bytes, asked: str | None) -> None:
    judge(transcript(body, asked=asked))


@pytest.mark.parametrize("exchange", [e for _, e in STREAMS], ids=[s for s, _ in STREAMS])
def test_the_accumulator_comes_to_the_same_calls(exchange: Exchange) -> None:
    t = read(exchange)
    turn = Accumulator(exchange.request)
    for document in chunks_of(t):
        turn.feed(document)
    result = turn.finish(t.choices[0].index) if t.choices else turn.finish()
    loaded = [(c.id, c.name, c.arguments if c.repair != "value" else json.loads(c.arguments)) for c in result.calls]
    calls = t.choices[0].calls if t.choices else []
    assert loaded == [(c.id, c.name, c.arguments if c.repair != "value" else json.loads(c.arguments)) for c in calls]
    assert [of_the_wire(c) for c in result.calls] == [of_the_wire(c) for c in calls]


def of_the_wire(call: Call) -> set[str]:
    """Why a call is not usable, but for its schema and for how the connection ended, which nobody tells here."""
    return set(call.unusable_because) - {"schema", "incomplete"}


def long_stream(blank: bool, seed: int) -> bytes:
    """Two calls in many pieces; `blank` repeats empty fields on every delta; odd seeds pad chunks as OpenAI does."""
    rng = random.Random(seed)
    parts = [entries(entry(0, "x", "f", ""))]
    more = {"id": "", "type": ""} if blank else {}
    for number, text in enumerate(['{"a":"', *('é\\n"{}' for _ in range(40)), '"}']):
        piece = json.dumps(text)[1:-1] if 0 < number < 41 else text
        parts.append(entries({"index": 0, "function": {"arguments": piece}, **more}))
        if rng.random() < 0.1:
            parts.append(chunk({"content": rng.choice(["a", "bc", ""])}))
    parts.append(entries(entry(1, "y", "g", '{"b":2}')))
    parts += [chunk({"content": f"w{n % 3}"}) for n in range(20)]
    if seed % 2:
        for number, part in enumerate(parts):
            part["obfuscation"] = "a\\" if number == 9 else "a" * (number % 5)
    return sse(*parts, chunk({}, "tool_calls"))


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_repeated_deltas_are_counted_as_if_each_were_read_in_full(blank: bool, seed: int) -> None:
    body = long_stream(blank, seed)
    fast = transcript(body)
    # white space after the object keeps every delta from being recognised by its bytes
    lines = body.split(b"\n\n")
    varied = b"\n\n".join(line + b" " * (n % 7) if line.endswith(b"}") else line for n, line in enumerate(lines))
    slow = transcript(varied)
    assert [(c.id, c.name, c.arguments) for c in fast.calls] == [(c.id, c.name, c.arguments) for c in slow.calls]
    assert fast.choices[0].content == slow.choices[0].content
    assert facts(fast) == facts(slow)
    assert fast.chunks == slow.chunks
    assert [c.last for c in fast.calls] == [c.last for c in slow.calls]


def test_where_a_source_shows_less_less_applies() -> None:
    body = sse(entries(entry(0, "x", "f", "{}")), chunk({}, "tool_calls"), done=False)
    shown = judge(transcript(body)).applicable
    hidden = judge(transcript(body, fidelity=Fidelity(framing=False, whole=False))).applicable
    assert "done-missing" in shown
    assert not {"done-missing", "comment", "connection-cut", "finish-missing"} & hidden


def test_reading_costs_linear_time_in_hostile_streams() -> None:
    # a name on every entry without an index asks each time whether the arguments are complete
    hostile = sse(*(entries(entry(..., ..., "f", '{"a":"' + "x" * 50)) for _ in range(3000)), chunk({}, "tool_calls"))
    assert transcript(hostile).calls
    glued = sse(*(entries(entry(..., ..., "f", "}{")) for _ in range(3000)), chunk({}, "tool_calls"))
    assert transcript(glued).calls

"""Lines of adapters: what the protocol allows, what is masked, what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conformance.impact.protocol import SCHEMA, Broken, read
from conformance.impact.steady import steady
from conformance.impact.store import Observation, Store
from conformance.impact.values import compact, document, parsed, same
from tests.impact.lines import call, line

PROTOCOL = json.loads(SCHEMA.read_text("utf-8"))
HELLO = {"protocol": "conformance/client/1", "name": "mine", "version": "1", "modes": ["stream"]}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def outcome(**changed: Any) -> bytes:
    """An outcome line with something changed in it."""
    return json.dumps({**line(call()), **changed}).encode()


def test_lines_by_the_protocol_are_read() -> None:
    assert read(json.dumps(HELLO).encode(), "hello")["name"] == "mine"
    assert read(outcome(), "outcome")["calls"] == [call()]
    # what a server sends in place of a text, a library may hand on
    odd = outcome(calls=[call(arguments={"a": [1]})], content=[{"type": "text"}], finish_reason=False)
    assert read(odd, "outcome")["content"] == [{"type": "text"}]


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"Loading",
        b"[]",
        b"\xff",
        '{"case": "c"}'.encode("utf-16"),
        outcome(calls=None),
        outcome(calls=[{"id": "a"}]),
        outcome(calls=["get_weather"]),
        outcome(error="it failed"),
        outcome(error={"type": "E"}),
        outcome(more=1),
        json.dumps({"case": "c"}).encode(),
    ],
)
def test_lines_against_the_protocol_are_refused_in_a_sentence(said: bytes) -> None:
    with pytest.raises(Broken) as caught:
        read(said, "outcome")
    assert str(caught.value).isprintable()


@given(st.dictionaries(st.sampled_from(list(line())), json_values) | json_values)
def test_the_schema_decides(said: Any) -> None:
    text = json.dumps(said)
    validator = jsonschema.Draft202012Validator({**PROTOCOL, "anyOf": [{"$ref": "#/$defs/outcome"}]})
    try:
        assert read(text.encode(), "outcome") == said
    except Broken:
        assert not validator.is_valid(json.loads(text))
    else:
        assert validator.is_valid(json.loads(text))


@given(st.binary())
def test_any_bytes_are_read_or_refused(said: bytes) -> None:
    with pytest.raises(Broken):
        read(said, "hello")


def test_arguments_may_be_nested_beyond_what_a_validator_walks() -> None:
    deep = '{"a":' + "[" * 1000 + "]" * 1000 + "}"
    said = outcome(calls=[call(arguments="X")]).replace(b'"X"', deep.encode())
    found = read(said, "outcome")["calls"][0]["arguments"]
    assert same(found, document(deep.encode()))
    assert not same(found, document(deep.replace("[]", "[1]").encode()))
    assert parsed(deep) is None
    assert compact(found) == "(nested deeply)"


@given(json_values)
def test_a_value_is_the_same_as_itself(value: Any) -> None:
    assert same(value, json.loads(json.dumps(value)))
    assert not same(value, [value])


@pytest.mark.parametrize(("one", "other", "equal"), [(1, 1.0, True), (1, True, False), (None, False, False)])
def test_a_number_is_no_boolean(one: Any, other: Any, equal: bool) -> None:
    assert same(one, other) is equal


def test_what_differs_from_run_to_run_is_masked() -> None:
    made_up = "call_Zm9vYmFy"
    said = line(
        call("call_a"),
        call(made_up),
        call(f"call_a{made_up}"),
        finish="at 2026-11-30T10:57:23.123Z and 2026-11-30 10:57:23,5",
        error=f"<Thing at 0x7f3a5c0d1e20> of http://127.0.0.1:40123/x/v1 in /made/up/home/x.py, {made_up}, "
        "5b2f2a3c-0d1e-4f5a-8b6c-7d8e9f0a1b2c, created=1796038422",
    )
    places = {"(home)": "/made/up/home", "(up)": "/made/up"}
    masked = json.loads(steady(json.dumps(said).encode(), b'{"id":"call_a"}', ["call_a"], places))
    assert [one["id"] for one in masked["calls"]] == ["call_a", "(made up 1)", "call_a(made up 1)"]
    assert masked["finish_reason"] == "at (a time) and (a time)"
    assert masked["error"]["message"] == (
        "<Thing at 0x…> of http://127.0.0.1:PORT/x/v1 in (home)/x.py, (made up 1), (a UUID), created=(a time)"
    )


def test_an_id_put_together_from_real_ones_is_not_made_up() -> None:
    said = json.dumps(line(call("call_acall_b"))).encode()
    assert steady(said, b'"call_a" "call_b"', ["call_a", "call_b"], {}) == said


maskable = (
    st.text()
    | st.text('nu\\"0x123456789abf:-', min_size=8)
    | st.sampled_from(["null", '"name": "get_weather"', "arguments"])
)


@given(st.lists(maskable, max_size=3), maskable, st.booleans())
@example(ids=["nnnnnnnn"], text="\nnnnnnnn", plain=True)
def test_masking_keeps_a_line_a_line(ids: list[str], text: str, plain: bool) -> None:
    said = line(*(call(one, arguments={"at": 1796038422, text: text}) for one in ids), error=text)
    masked = steady(json.dumps(said, ensure_ascii=plain).encode("utf-8", "surrogatepass"), b"", [], {"(up)": "/u/p"})
    found = read(masked, "outcome")
    assert [one["arguments"].keys() for one in found["calls"]] == [one["arguments"].keys() for one in said["calls"]]
    assert [one["arguments"]["at"] for one in found["calls"]] == [1796038422] * len(ids)


def test_a_store_survives_what_is_broken_in_it(tmp_path: Path) -> None:
    path = tmp_path / "seen.jsonl"
    store = Store(path)
    said = outcome().decode()
    store.keep("a", Observation(line=said, asked=("stream",)))
    store.keep("b", Observation(hung=True))
    store.keep("c", Observation(died="exit code 1", stderr="last\n"))
    with path.open("a") as file:
        file.write('{"key": "d"}\n[]\n{"key": "e", "li')
    again = Store(path)
    assert again.get("a", "c") == Observation(line=said, asked=("stream",))
    assert again.get("a", "other") is None
    assert again.get("b", "c") is None
    assert again.get("c", "c") == Observation(died="exit code 1", stderr="last\n")
    assert again.get("d", "c") is None
    assert again.get("e", "c") is None
    assert Store(path, fresh=True).get("a", "c") is None
    assert not path.exists()

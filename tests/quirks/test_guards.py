"""What the catalogue tells clients to write does what it says: each guard runs on the bad examples of its own quirk."""

from __future__ import annotations

import json
import shutil
from typing import Any, Final

import pytest

from conformance import Accumulator, repair_arguments, tool_message
from conformance.quirks import Example, catalogue, get
from conformance.quirks.common import GOOD_PARALLEL, GOOD_STREAM
from conformance.quirks.examples import transcript_of
from tests.quirks.guards import Object, run_python, run_typescript, script

LIMIT: Final = 16
PLACES: Final = {
    "arguments-double-encoded": "parse",
    "arguments-empty": "parse",
    "arguments-full-copy": "copy",
    "arguments-leading-braces": "whole",
    "arguments-missing": "parse",
    "arguments-null-first": "add",
    "arguments-null-on-continuation": "add",
    "arguments-object": "text",
    "arguments-snapshots": "whole",
    "arguments-surrogate-split": "whole",
    "arguments-truncated-by-length": "end",
    "choice-after-finish": "finish",
    "choices-missing": "choices",
    "delta-missing": "entries",
    "event-not-json": "chunk",
    "finish-empty": "finish",
    "finish-not-length": "end",
    "function-null-in-delta": "add",
    "id-changing": "id",
    "id-empty-on-continuation": "id",
    "id-late": "id",
    "id-null-on-continuation": "id",
    "index-missing": "key",
    "index-out-of-order": "order",
    "index-reused": "reuse",
    "index-string": "index",
    "name-empty-on-continuation": "name",
    "name-late": "name",
    "name-repeated": "name",
    "name-split": "name",
    "tool-calls-empty-array": "entries",
    "type-missing": "kind",
}
"""Which line of the accumulator the guard of a quirk replaces."""
RAISES: Final = {"connection-cut": "end", "error-mid-stream": "error"}
"""Guards that refuse the whole answer."""

STREAMS: Final = [
    pytest.param(slug, example, id=f"{slug}-{number}")
    for slug in PLACES
    for number, example in enumerate(get(slug).bad)
    if example.body.startswith("data")
]


def right(example: Example) -> list[list[Any]]:
    """The calls that may be run, as the reading of this project has them."""
    return [[c.id, c.name, c.value] for c in transcript_of(example).calls if "truncated" not in c.unusable_because]


def parsed(results: list[list[Any]]) -> list[list[Any]]:
    return json.loads(json.dumps(results))  # type: ignore[no-any-return]


def python(slug: str, example: Example) -> list[list[Any]]:
    code = get(slug).guard_python
    return parsed(run_python(PLACES[slug], code, example.body, max_tokens=LIMIT))


@pytest.mark.parametrize(("slug", "example"), STREAMS)
def test_python_guards_end_with_the_right_calls(slug: str, example: Example) -> None:
    assert python(slug, example) == right(example)


@pytest.mark.parametrize("slug", PLACES)
def test_guards_do_no_harm_where_nothing_is_wrong(slug: str) -> None:
    for example in (GOOD_STREAM, GOOD_PARALLEL):
        assert python(slug, example) == right(example)


@pytest.mark.parametrize("slug", RAISES)
def test_python_guards_refuse_what_is_not_whole(slug: str) -> None:
    for example in get(slug).bad:
        with pytest.raises((ConnectionError, RuntimeError)):
            run_python(RAISES[slug], get(slug).guard_python, example.body)
    (good, *_) = get(slug).good
    assert parsed(run_python(RAISES[slug], get(slug).guard_python, good.body)) == right(good)


def test_every_guard_in_code_is_tried() -> None:
    elsewhere = {
        *("arguments-broken", "arguments-truncated", "content-not-string", "entry-fields-to-return", "result-orphan"),
        *("finish-stop-with-calls", "parity-finish-reason", "id-missing", "name-missing", "name-not-offered"),
        *("results-by-position", "unknown-id-used"),
    }
    lines = {"arguments-schema-violation", "field-demanded", "function-missing", "parity-type"}  # nothing can go wrong
    assert {q.slug for q in catalogue() if q.guard_python} == {*PLACES, *RAISES, *elsewhere, *lines}


NODE: Final = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="the TypeScript guards are run by node, which is not installed")
def test_typescript_guards_come_to_the_same() -> None:
    assert NODE is not None
    slugs = [slug for slug in (*PLACES, *RAISES) if get(slug).guard_typescript]
    wanted, programs = [], []
    for slug in slugs:
        code = get(slug).guard_typescript
        place = "loop" if slug == "tool-calls-empty-array" else {**PLACES, **RAISES}[slug]
        for example in (*get(slug).bad, GOOD_STREAM, GOOD_PARALLEL):
            if example.body.startswith("data"):
                programs.append((script(place, code), example.body))
                wanted.append((slug, example))
    for (slug, example), got in zip(wanted, run_typescript(NODE, programs, {"maxTokens": LIMIT}), strict=True):
        if slug in RAISES and example in get(slug).bad:
            assert isinstance(got, str), slug
        else:
            assert got == right(example), slug


@pytest.mark.parametrize("slug", ["finish-stop-with-calls", "parity-finish-reason"])
def test_calls_decide_whether_tools_are_wanted(slug: str) -> None:
    for finish, calls, wanted in (
        ("stop", [1], True),
        ("tool_calls", [1], True),
        ("length", [1], False),
        ("stop", [], False),
    ):
        scope: dict[str, Any] = {"calls": calls, "finish_reason": finish}
        exec(get(slug).guard_python, scope)
        assert scope["wants_tools"] is wanted


def test_content_in_parts_is_joined() -> None:
    for content, text in (
        ("mild", "mild"),
        (None, ""),
        ([{"type": "text", "text": "mi"}, "ld", {"type": "image"}], "mild"),
        ({"type": "text", "text": "mild"}, "mild"),
    ):
        scope: dict[str, Any] = {"content": content}
        exec(get("content-not-string").guard_python, scope)
        assert scope["text"] == text


@pytest.mark.parametrize(("slug", "name"), [("arguments-truncated", "history_text"), ("arguments-broken", "text")])
def test_broken_arguments_are_closed_for_the_history(slug: str, name: str) -> None:
    scope: dict[str, Any] = {"call": Object(arguments='{"city":"Par')}
    exec(get(slug).guard_python, scope)
    assert scope[name] == '{"city":"Par"}' == repair_arguments('{"city":"Par').text


def test_what_goes_back_is_whole() -> None:
    example = get("entry-fields-to-return").bad[0]
    stream = [json.loads(line[6:]) for line in example.body.split("\n\n") if line.startswith("data: {")]
    scope: dict[str, Any] = {"Accumulator": Accumulator, "request": example.request, "stream": stream}
    exec(get("entry-fields-to-return").guard_python, scope)
    assert scope["message"]["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "c2ln"}}
    messages: list[Any] = []
    scope = {
        "messages": messages,
        "result": scope["turn"].finish(),
        "tool_message": tool_message,
        "run": lambda _: "mild",
    }
    exec(get("result-orphan").guard_python, scope)
    assert [m["role"] for m in messages] == ["assistant", "tool"]
    assert messages[1] == {"role": "tool", "tool_call_id": "call_a1", "content": "mild"}


def test_results_are_sent_in_the_order_of_the_calls() -> None:
    results = [{"tool_call_id": "b"}, {"tool_call_id": "a"}]
    result = Object(calls=[Object(id="a"), Object(id="b")])
    scope: dict[str, Any] = {"results": results, "result": result, "messages": []}
    exec(get("results-by-position").guard_python, scope)
    assert [m["tool_call_id"] for m in scope["messages"]] == ["a", "b"]
    exec(get("unknown-id-used").guard_python, scope)
    with pytest.raises(AssertionError):
        exec(get("unknown-id-used").guard_python, {**scope, "results": results[:1]})


def test_a_call_without_an_id_or_of_an_unknown_tool_is_answered() -> None:
    scope: dict[str, Any] = {
        "call": Object(name="g"),
        "result": "mild",
        "tools": {"f"},
        "calls": [Object(name=""), Object(name="g")],
    }
    exec(get("id-missing").guard_python, scope)
    assert scope["tool_message"] == {"role": "tool", "tool_call_id": "", "content": "mild"}
    exec(get("name-missing").guard_python, scope)
    assert scope["runnable"] == [{"name": "g"}]
    exec(get("name-not-offered").guard_python, scope)
    assert scope["result"] == "unknown tool g; offered: ['f']"

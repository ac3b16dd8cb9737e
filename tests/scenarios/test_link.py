"""The link scenarios: which words and ids are sent, when the conversation ends, and what a run says about servers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cli import call as conformance
from conformance.faults import find
from conformance.faults.server import FaultServer
from conformance.model import Exchange
from conformance.run.record import load_record
from conformance.scenarios import get
from conformance.scenarios.link import sibling
from conformance.transport import Endpoint, Store, send
from conformance.wire.read import read

Body = Mapping[str, Any]
Model = Callable[[Body], Mapping[str, Any]]
LINKS = ["link_empty_ids", "link_order", "link_unknown_id"]


def made(*ids: str, cities: tuple[str, ...] = ("Paris", "Tokyo"), **more: Any) -> dict[str, Any]:
    """A message with a call for each id."""
    calls = [
        {"id": i, "type": "function", "function": {"name": "get_code_word", "arguments": json.dumps({"city": city})}}
        for i, city in zip(ids, cities, strict=False)
    ]
    return {"role": "assistant", "content": None, "tool_calls": [{**one, **more} for one in calls]}


def text(content: str) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def results(asked: Body) -> list[tuple[str, str]]:
    """Id and word of each result of a request."""
    return [
        (m["tool_call_id"], re.sub(r"The code word is (\w+)\.", r"\1", m["content"]))
        for m in asked["messages"]
        if m["role"] == "tool"
    ]


def linked(asked: Body) -> dict[str, Any]:
    """What a good model says: each city with the word whose id is that of its call, by position without ids."""
    (turn,) = [m for m in asked["messages"] if m.get("tool_calls")]
    words = dict(results(asked))
    said = []
    for number, one in enumerate(turn["tool_calls"]):
        word = words.get(one["id"], "unknown") if one["id"] else results(asked)[number][1]
        said.append(f"{json.loads(one['function']['arguments'])['city']}: {word}")
    return text("\n".join(said))


def weak(_: Body) -> dict[str, Any]:
    return text("I like Paris and Tokyo.")


def talk(
    scenario: str, first: Body, model: Model = linked, *, at: str = "2026-11-30T08:00:00Z", status: int = 200
) -> list[Body]:
    """The requests of a conversation whose first answer is `first`, and the others what the model says."""
    conversation = get(scenario).conversation("m")
    asked = [next(conversation).body]
    message = first
    try:
        while True:
            finish = "tool_calls" if message.get("tool_calls") else "stop"
            choice = {"index": 0, "message": message, "finish_reason": finish}
            body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
            exchange = Exchange("t", json.dumps(body).encode(), status, request=asked[-1], recorded_at=at)
            asked.append(conversation.send(read(exchange)).body)
            message = model(asked[-1])
    except StopIteration:
        return asked


def ids(asked: Body) -> list[str]:
    return [one["id"] for m in asked["messages"] for one in m.get("tool_calls", ())]


def links(asked: Body) -> list[str]:
    return [call_id for call_id, _ in results(asked)]


def test_the_control_comes_first_and_then_the_other_order() -> None:
    question, *follow = talk("link_order", made("call_1", "call_2"))
    assert [m["role"] for m in question["messages"]] == ["user"]
    assert [links(asked) for asked in follow] == [
        ["call_1", "call_2"],
        ["call_1", "call_2"],
        ["call_2", "call_1"],
        ["call_2", "call_1"],
    ]
    assert all(ids(asked) == ["call_1", "call_2"] for asked in follow)


def test_one_result_has_an_id_of_no_call() -> None:
    *_, last, first = talk("link_unknown_id", made("call_a8", "call_b9"))
    assert links(last)[0] == "call_a8"
    assert links(first)[1] == "call_b9"
    for strange in (links(last)[1], links(first)[0]):
        assert re.fullmatch(r"call_[a-z][0-9]", strange)
        assert strange not in ("call_a8", "call_b9")


def test_all_ids_are_empty() -> None:
    *controls, one, two = talk("link_empty_ids", made("call_1", "call_2"))
    assert ids(controls[-1]) == ["call_1", "call_2"]
    assert [ids(one), links(one), ids(two), links(two)] == [["", ""]] * 4


@pytest.mark.parametrize("scenario", LINKS)
def test_every_request_has_words_of_its_own(scenario: str) -> None:
    words = [word for asked in talk(scenario, made("call_1", "call_2")) for _, word in results(asked)]
    assert len(words) == len(set(words)) == 8
    for word in words:
        assert re.fullmatch(r"(?:[bdfgklmnprstvz][aeiou]){3}", word)


def test_words_are_new_in_every_run_and_the_same_in_a_replay() -> None:
    """Even a server that gives the very same answer every time learns nothing from an earlier run."""
    first = made("call_0", "call_1")
    assert talk("link_order", first) == talk("link_order", first)
    later = talk("link_order", first, at="2026-11-30T08:00:01Z")
    assert not {w for asked in talk("link_order", first) for w in results(asked)} & {
        w for asked in later for w in results(asked)
    }
    other = talk("link_order", made("call_0", "call_2"))
    assert results(other[1])[0][1] != results(later[1])[0][1]


def test_the_servers_own_message_goes_back_whole() -> None:
    own = made("x", "y", cities=("Tokyo", "Paris"), extra_content={"signature": "s"})
    second = talk("link_order", {**own, "content": "Let me see."})[1]
    assert second["messages"][1] == {**own, "content": "Let me see."}


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (made("call_Zk3q"), ["call_Zk3q", r"call_[A-Z][a-z][0-9][a-z]"]),
        (made("functions.get_code_word:0"), ["functions.get_code_word:0", r"functions\.get_code_word:[1-9]"]),
        (made("kR4tP9xQ2"), ["kR4tP9xQ2", r"madeup[A-Za-z0-9]{3}"]),
        (made("a", "b", "c", cities=("Paris", "Tokyo", "Oslo")), ["a", "b"]),
        (made("a", "b", cities=("Paris", "Paris")), ["a", "b"]),
        (made("a", "a"), ["a", r"[b-f]"]),
        (made("", ""), [r"madeup001", r"madeup[0-9]{3}"]),
        (made("7-"), ["7-", "7-0"]),
        (text("Paris: x, Tokyo: y"), [r"madeup001", r"madeup[0-9]{3}"]),
    ],
    ids=["one", "numbered", "nine", "three", "one-city", "same", "empty", "no-letter-at-its-end", "none"],
)
def test_calls_the_model_did_not_make_get_ids_of_the_servers_form(first: Body, expected: list[str]) -> None:
    _, control, *_ = talk("link_order", first)
    turn = control["messages"][1]
    assert [json.loads(c["function"]["arguments"])["city"] for c in turn["tool_calls"]] == ["Paris", "Tokyo"]
    for found, pattern in zip(ids(control), expected, strict=True):
        assert found == pattern or re.fullmatch(pattern, found)
    assert len(set(ids(control))) == 2
    assert links(control) == ids(control)


@given(st.text(min_size=1), st.binary(min_size=1))
def test_a_sibling_is_another_id_of_the_same_form(call_id: str, seed: bytes) -> None:
    other = sibling(call_id, [call_id], seed)
    assert other != call_id
    assert other == sibling(call_id, [call_id], seed)
    assert len(other) - len(call_id) in (0, 1)
    if re.search(r"[0-9A-Za-z]\Z", call_id):
        assert len(other) == len(call_id)
        assert [c.isalnum() for c in other] == [c.isalnum() for c in call_id]


@pytest.mark.parametrize("scenario", LINKS)
def test_a_weak_model_is_asked_once_more_in_words_and_then_left_alone(scenario: str) -> None:
    question, plain, closing = talk(scenario, made("call_1", "call_2"), weak)
    assert plain["messages"][-1]["role"] == "tool"
    assert closing["messages"][-1]["role"] == "user"
    assert closing["messages"][:2] == plain["messages"][:2]
    assert question["messages"] == plain["messages"][:1]


def test_a_question_that_helps_is_kept() -> None:
    def slow(asked: Body) -> Mapping[str, Any]:
        return linked(asked) if asked["messages"][-1]["role"] == "user" else weak(asked)

    follow = talk("link_order", made("call_1", "call_2"), slow)[1:]
    assert [asked["messages"][-1]["role"] for asked in follow] == ["tool", *["user"] * 4]
    assert len(follow) + 1 == get("link_order").steps


def test_luck_is_not_enough() -> None:
    lucky = iter([linked, weak])
    assert len(talk("link_order", made("call_1", "call_2"), lambda asked: next(lucky)(asked))) == 3


def test_nothing_follows_an_error() -> None:
    conversation = get("link_order").conversation("m")
    first = next(conversation).body
    with pytest.raises(StopIteration):
        conversation.send(read(Exchange("t", b'{"error":{"message":"no"}}', 400, request=first)))


# --- over a real connection -------------------------------------------------------------------------------------------
@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as one:
        yield one


@pytest.mark.parametrize("scenario", LINKS)
def test_a_replay_asks_the_very_same_questions(scenario: str, server: FaultServer, tmp_path: Path) -> None:
    def run(store: Store, url: str) -> list[Exchange]:
        conversation = get(scenario).conversation("made-up-1")
        ask = next(conversation)
        exchanges: list[Exchange] = []
        while True:
            exchange = send(
                Endpoint(url, api_key=None),
                {**ask.body, "stream": False},
                mode="complete",
                source="t",
                provider="p",
                model="made-up-1",
                scenario=scenario,
                store=store,
            )
            exchanges.append(exchange)
            try:
                ask = conversation.send(read(exchange))
            except StopIteration:
                return exchanges

    with Store.open(tmp_path / "c.yaml", "record") as store:
        live = run(store, server.url)
    with Store.open(tmp_path / "c.yaml") as store:
        assert run(store, "http://127.0.0.1:1/v1") == live
    assert len(live) == 5


@pytest.mark.parametrize(
    ("fault", "scenario", "shown"),
    [
        ("clean-one", "link_order", set()),
        ("clean-one", "link_unknown_id", set()),
        ("clean-one", "link_empty_ids", set()),
        ("result-by-position", "link_order", {"results-by-position"}),
        ("result-by-position", "link_empty_ids", set()),
        ("result-by-position", "link_unknown_id", {"unknown-id-used"}),
        ("unknown-id-left-over", "link_order", set()),
        ("unknown-id-left-over", "link_unknown_id", {"unknown-id-used"}),
        ("unknown-id-refused", "link_order", set()),
        ("unknown-id-refused", "link_unknown_id", set()),
        ("unknown-id-doubted", "link_unknown_id", set()),
        ("empty-ids-by-id", "link_order", None),
        ("empty-ids-refused", "link_empty_ids", set()),
    ],
)
def test_a_run_tells_servers_apart(
    fault: str,
    scenario: str,
    shown: set[str] | None,
    server: FaultServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two trials in each mode that decide; None where the control already shows that nothing can be said."""
    url = server.url_of(find(fault))
    args = ["run", "--base-url", url, "--model", "made-up-1", "-s", scenario, "-o", str(tmp_path), "--strict"]
    assert conformance(args) == (1 if shown else 0), capsys.readouterr().out
    quirk = {
        "link_order": "results-by-position",
        "link_unknown_id": "unknown-id-used",
        "link_empty_ids": "empty-ids-crossed",
    }[scenario]
    rows = load_record(tmp_path / "run.jsonl").exchanges
    decided = [row for row in rows if quirk in row["applicable"]]
    assert not any(row["not_run"] for row in rows)
    assert len(decided) == (0 if shown is None else 2 * len(get(scenario).modes))
    for row in decided:
        assert {f["quirk"] for f in row["findings"] if f["level"] != "info"} == shown

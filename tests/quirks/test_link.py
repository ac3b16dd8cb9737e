"""Whether ids link: what an answer makes of two results, however it is worded, and where nothing can be said."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model import Exchange, Mode
from conformance.quirks import judge
from conformance.wire.read import read

TOOL: Final = {
    "type": "function",
    "function": {
        "name": "get_code_word",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
USER: Final = {"role": "user", "content": "What are the code words?"}
LINK: Final = {"results-by-position", "unknown-id-used", "empty-ids-crossed"}


def call(call_id: str, city: str) -> dict[str, Any]:
    function = {"name": "get_code_word", "arguments": json.dumps({"city": city})}
    return {"id": call_id, "type": "function", "function": function}


def turn(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(call_id: str, word: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": f"The code word is {word}."}


def request(*messages: dict[str, Any], tools: Any = (TOOL,)) -> dict[str, Any]:
    return {"model": "m", "messages": [USER, *messages], "tools": list(tools), "tool_choice": "none"}


def probe(order: str = "ba", cities: tuple[str, str] = ("Paris", "Tokyo"), **words: str) -> dict[str, Any]:
    """Paris is a, Tokyo is b; `order` are the ids of the results, whose words are by default zubari and komela."""
    said = {"a": "zubari", "b": "komela", **words}
    return request(turn(call("a", cities[0]), call("b", cities[1])), *(result(one, said[one]) for one in order))


ORDERED = probe("ab")
CROSSED = probe("ba")
STRAY = probe("ax", x="komela")
STRAY_FIRST = probe("xb", x="zubari")
EMPTY = request(turn(call("", "Paris"), call("", "Tokyo")), result("", "zubari"), result("", "komela"))


def answer(text: str, mode: Mode, finish: str = "stop", calls: Any = None) -> bytes:
    """A text as an honest server sends it, streamed in pieces of seven characters."""
    envelope: dict[str, Any] = {"id": "c", "created": 1, "model": "m"}
    if mode == "complete":
        message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        return json.dumps({**envelope, "object": "chat.completion", "choices": [choice]}).encode()
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": text[n : n + 7]} for n in range(0, len(text), 7)]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    chunks = ({**envelope, "object": "chat.completion.chunk", "choices": [choice]} for choice in choices)
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"


def verdicts(asked: Mapping[str, Any], body: bytes, mode: Mode = "complete", status: int = 200) -> dict[str, str]:
    """`ok` or `found` for each link quirk that the exchange can show."""
    kind = "text/event-stream" if mode == "stream" else "application/json"
    exchange = Exchange("test", body, status, {"content-type": kind}, asked, mode)
    verdict = judge(read(exchange))
    found = {finding.quirk for finding in verdict.findings}
    return {slug: "found" if slug in found else "ok" for slug in LINK & verdict.applicable}


RIGHT = [
    "Paris: zubari, Tokyo: komela",
    "Tokyo: komela\nParis: zubari",
    "ZUBARI is the code word of Paris; Komela is Tokyo’s.",
    "The code word for Paris is **zubari**, and the code word for Tokyo is `komela`.",
    "| City | Word |\n|---|---|\n| Paris | zubari |\n| Tokyo | komela |",
    "| Paris | Tokyo |\n|---|---|\n| zubari | komela |",
    "The code words of Paris and Tokyo:\n\n1. *Tokyo* – “komela”\n2. *Paris* – “zubari”\n\nBye, Paris and Tokyo!",
    "Paris and Tokyo have the code words zubari and komela, respectively.",
    "zubari and komela are the code words of Paris and Tokyo.",
    'They are {"Paris": "zubari", "Tokyo": "komela"}.',
    "París\n  zubari\nTōkyō\n  komela",
    "For Paris, zubari, for Tokyo, komela.",
    "The words are zubari (Paris), komela (Tokyo). Use zubari when you are in Paris, and komela in Tokyo.",
    "<think>Tokyo zubari? Paris komela? No.</think>Paris: zubari, Tokyo: komela",
    "Der Code von Paris ist zubari, der von Tokyo ist komela",
]
UNDECIDED = [
    "",
    "I do not know.",
    "The code words are komela and zubari.",
    "Paris: zubari or komela. Tokyo: komela or zubari.",
    "Paris has zubari.",
    "Paris: zubari\nTokyo: komala",
    "Paris: zubaris, Tokyo: komela",
    "One of Paris and Tokyo has zubari, which one is unclear.",
    "Tokyo, unlike Paris with zubari, has, as the tool says, zubari or komela",
    "Paris: zubari\nTokyo: komela\nSorry, Paris: komela",
]


@pytest.mark.parametrize("mode", ["stream", "complete"])
@pytest.mark.parametrize("text", RIGHT)
def test_wording_does_not_matter(text: str, mode: Mode) -> None:
    swapped = text.replace("zubari", "?").replace("komela", "zubari").replace("?", "komela")
    swapped = swapped.replace("ZUBARI", "KOMELA").replace("Komela", "Zubari")
    assert verdicts(CROSSED, answer(text, mode), mode) == {"results-by-position": "ok"}
    assert verdicts(CROSSED, answer(swapped, mode), mode) == {"results-by-position": "found"}
    assert verdicts(EMPTY, answer(text, mode), mode) == {"empty-ids-crossed": "ok"}
    assert verdicts(EMPTY, answer(swapped, mode), mode) == {"empty-ids-crossed": "found"}


@pytest.mark.parametrize("text", UNDECIDED)
def test_an_answer_that_does_not_say_whose_word_it_is_shows_nothing(text: str) -> None:
    assert verdicts(CROSSED, answer(text, "complete")) == {}
    assert verdicts(EMPTY, answer(text, "stream"), "stream") == {}


def test_one_result_for_both_calls_is_a_wrong_one() -> None:
    assert verdicts(CROSSED, answer("Paris: komela\nTokyo: komela", "complete")) == {"results-by-position": "found"}
    assert verdicts(EMPTY, answer("Paris: komela. Tokyo: komela.", "complete")) == {"empty-ids-crossed": "found"}


@pytest.mark.parametrize(
    ("asked", "text", "shown"),
    [
        (STRAY, "Paris: zubari, Tokyo: komela", "found"),
        (STRAY_FIRST, "Paris: zubari, Tokyo: komela", "found"),
        (STRAY, "Paris: komela\nTokyo: komela", "found"),
        (STRAY, "Paris: zubari", "ok"),
        (STRAY, "Paris: zubari\nTokyo: zubari", "ok"),
        (STRAY, "Paris: komela, Tokyo: zubari", "ok"),
        (STRAY, "Paris: zubari. I have no word for Tokyo; komela came under an id that fits no call.", "ok"),
        (STRAY, "Paris has zubari. Tokyo may have komela, but that result doesn't match its call.", "ok"),
        (STRAY, "The words are zubari and komela.", None),
        (STRAY, "Paris has zubari, and there was komela.", None),
    ],
)
def test_a_result_of_no_call(asked: dict[str, Any], text: str, shown: str | None) -> None:
    expected = {} if shown is None else {"unknown-id-used": shown}
    assert verdicts(asked, answer(text, "complete")) == expected
    assert verdicts(asked, answer(text, "stream"), "stream") == expected


def test_a_rejection_or_another_call_is_no_use_of_a_result() -> None:
    error = json.dumps({"error": {"message": "messages[3].tool_call_id: no such call", "code": 400}}).encode()
    assert verdicts(STRAY, error, status=400) == {"unknown-id-used": "ok"}
    assert verdicts(STRAY, error, status=429) == {}
    assert verdicts(EMPTY, error, status=422) == {"empty-ids-crossed": "ok"}
    assert verdicts(CROSSED, error, status=400) == {}, "that is for another quirk to tell"
    again = answer("", "complete", "tool_calls", [call("c", "Tokyo")])
    assert verdicts(STRAY, again) == {"unknown-id-used": "ok"}


def test_a_cut_answer_shows_nothing() -> None:
    assert verdicts(STRAY, answer("Paris: zubari, To", "complete", "length")) == {}
    whole = answer("Paris: zubari, Tokyo: komela", "stream")
    assert verdicts(CROSSED, whole[: whole.index(b'finish_reason": "stop')], "stream") == {}


A, B = call("a", "Paris"), call("b", "Tokyo")
BACK = (result("b", "komela"), result("a", "zubari"))
OTHER = {"type": "function", "function": {"name": "get_weather"}}
NO_PROBES = {
    "in order": ORDERED,
    "tool not offered": request(turn(A, B), *BACK, tools=[OTHER]),
    "no tools": {**CROSSED, "tools": []},
    "one call": request(turn(A), result("a", "zubari")),
    "three calls": request(turn(A, B, call("c", "Oslo")), *BACK, result("c", "tofine")),
    "one city": request(turn(A, call("b", "PARIS")), *BACK),
    "other tool": request(turn(A, {**B, "function": {**B["function"], "name": "get_weather"}}), *BACK),
    "no arguments": request(turn(A, {**B, "function": {"name": "get_code_word", "arguments": "{"}}), *BACK),
    "other words": request(turn(A, B), {**BACK[0], "content": "komela"}, BACK[1]),
    "same words": request(turn(A, B), result("b", "zubari"), BACK[1]),
    "content in parts": request(turn(A, B), {**BACK[0], "content": [{"type": "text", "text": "komela"}]}, BACK[1]),
    "results for one": request(turn(A, B), result("a", "komela"), BACK[1]),
    "two unknown ids": request(turn(A, B), result("x", "komela"), result("y", "zubari")),
    "unknown id in other order": request(turn(A, B), result("b", "komela"), result("x", "zubari")),
    "some ids empty": request(turn(A, B), result("", "komela"), BACK[1]),
    "equal ids": request(turn(A, call("a", "Tokyo")), *BACK),
    "ids of another type": request(turn({**A, "id": 1}, B), *BACK),
    "more is said": request(turn(A, B), *BACK, USER, USER),
    "the assistant answered": request(turn(A, B), *BACK, {"role": "assistant", "content": "Paris: zubari"}),
}


@pytest.mark.parametrize("asked", NO_PROBES.values(), ids=NO_PROBES.keys())
def test_only_the_requests_of_the_scenarios_are_judged(asked: dict[str, Any]) -> None:
    assert verdicts(asked, answer("Paris: komela, Tokyo: zubari", "complete")) == {}


def test_an_earlier_turn_and_a_last_question_do_no_harm() -> None:
    earlier = (turn(call("old", "Oslo")), result("old", "tofine"), {"role": "assistant", "content": "Oslo: tofine"})
    asked = request(*earlier, USER, turn(A, B), *BACK, USER)
    assert verdicts(asked, answer("Paris: komela, Tokyo: zubari", "complete")) == {"results-by-position": "found"}


def test_a_city_is_known_by_its_first_part() -> None:
    asked = probe("ba", ("Paris, France", "Tokyo, Japan"))
    said = answer("Paris (France): komela\nTokyo (Japan): zubari", "complete")
    assert verdicts(asked, said) == {"results-by-position": "found"}


# --- any words, cities and wordings -----------------------------------------------------------------------------------
WORDINGS = [
    "{c}: {w}, {d}: {v}",
    "{c} – {w}\n{d} – {v}",
    "The code word of {c} is {w}. The code word of {d} is {v}.",
    "Sure! The code word for {c} is “{w}”, while the one for {d} is “{v}”. Anything else about {c} or {d}?",
    "{w} belongs to {c} and {v} belongs to {d}",
    "I asked for {c} and {d}.\n\n* **{c}**: `{w}`\n* **{d}**: `{v}`\n",
    "{c} and {d} have {w} and {v}",
    "The words {w} and {v} are those of {c} and {d}, in this order.",
    "| {c} | {w} |\n| {d} | {v} |",
    '```json\n[{{"city": "{c}", "word": "{w}"}}, {{"city": "{d}", "word": "{v}"}}]\n```',
    "{c}\n\n{w}\n\n{d}\n\n{v}",
]
syllables = st.text(st.sampled_from("bdfgklmnprstvz"), min_size=3, max_size=3).map(
    lambda t: "".join(c + "a" for c in t)
)
names = st.sampled_from(
    ["Paris", "Tokyo", "Rio de Janeiro", "São Paulo", "Oslo", "Zürich", "Kraków", "L'Aquila", "东京"]
)
spellings = st.sampled_from([str, str.upper, str.lower, str.title, lambda t: f"**{t}**", lambda t: f"_{t}_"])


@given(
    st.lists(names, min_size=2, max_size=2, unique=True),
    st.lists(syllables, min_size=2, max_size=2, unique=True),
    st.sampled_from(WORDINGS),
    spellings,
    st.booleans(),
    st.booleans(),
)
def test_who_is_given_what_is_read_out_of_any_wording(
    cities: list[str], words: list[str], wording: str, spell: Any, turned: bool, right: bool
) -> None:
    pairs = list(zip(cities, words if right else words[::-1], strict=True))
    (c, w), (d, v) = pairs[::-1] if turned else pairs
    text = wording.format(c=c, d=d, w=spell(w), v=spell(v))
    asked = probe("ba", (cities[0], cities[1]), a=words[0], b=words[1])
    shown = "ok" if right else "found"
    assert verdicts(asked, answer(text, "complete")) == {"results-by-position": shown}


pieces = st.sampled_from(
    ["Paris", "Tokyo", "zubari", "komela", " ", "\n", ". ", ", ", " and ", ": ", "|", "not", "*", "é"]
)


@given(st.lists(pieces, max_size=14).map("".join))
def test_exchanging_the_words_exchanges_the_verdict(text: str) -> None:
    swapped = text.replace("zubari", "?").replace("komela", "zubari").replace("?", "komela")
    here, there = (verdicts(CROSSED, answer(t, "complete")).get("results-by-position") for t in (text, swapped))
    assert (here is None) == (there is None)
    if "zubari" in text and "komela" in text:
        assert here is None or {here, there} == {"ok", "found"}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert verdicts(CROSSED, answer(text, "complete")) == {}
    assert set(verdicts(STRAY, answer(text, "stream"), "stream").values()) <= {"ok"}

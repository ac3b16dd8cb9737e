"""No secret is left, no byte moves, and the verdict stays what it was."""

from __future__ import annotations

import base64
import gzip
import json
import urllib.parse
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model import End, Exchange, Piece
from conformance.support import Redacted, redact
from conformance.wire.read import read
from tests.support.exchanges import KEY, TOOL, UNFORMED, corpus, entry, of_choices, opening, streamed, verdict


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_API_KEY", UNFORMED)


def said(redacted: Redacted) -> str:
    """Everything a reader of the redacted exchange can put together."""
    exchange = redacted.exchange
    parts = [
        json.dumps(exchange.request, ensure_ascii=False),
        json.dumps(dict(exchange.headers)),
        exchange.ended.detail,
    ]
    parts += [exchange.body.decode("utf-8", "replace"), redacted.transcript.body.decode("utf-8", "replace")]
    for choice in redacted.transcript.choices:
        parts += [choice.content, choice.reasoning, choice.refusal]
        parts += [text for call in choice.calls for text in (call.id, call.name, call.arguments, call.arguments_raw)]
    return "\n".join(parts)


def pieces(text: str, cuts: Sequence[int]) -> list[str]:
    """The text, cut at these places."""
    places = [0, *sorted({cut % len(text) for cut in cuts}), len(text)]
    return [text[a:b] for a, b in pairwise(places)]


@pytest.mark.parametrize("exchange", list(corpus()), ids=lambda exchange: exchange.source)
def test_where_nothing_is_secret_nothing_changes(exchange: Exchange) -> None:
    redacted = redact(exchange)
    assert redacted.exchange.body == exchange.body
    assert redacted.exchange == exchange
    assert (redacted.masked, redacted.changed) == (0, "")


@pytest.mark.parametrize("key", [KEY, UNFORMED])
@pytest.mark.parametrize(
    "place",
    [
        lambda key: streamed([{"content": f"The key is {key}, is it not?"}]),
        lambda key: streamed([{"reasoning": f"The key is {key}."}]),
        lambda key: streamed([opening(0, arguments=json.dumps({"city": key}))]),
        lambda key: streamed([opening(0, arguments=json.dumps(json.dumps({"city": key})))]),
        lambda key: streamed([{"made_up": {key: [{"deeper": f"{key} {key}"}]}}]),
        lambda key: Exchange("x#0", f": {key}\nid: {key}\nevent: {key}\nodd {key}\ndata: {key}\n\n".encode()),
        lambda key: Exchange("x#0", f'data: {{"error":\ndata: "{key}"}}\n\n'.encode()),
        lambda key: Exchange("x#0", f'data: {{"choices":[{{"delta":{{"content":"{key}'.encode()),
        lambda key: Exchange("x#0", f"<html>{key}</html>".encode(), status=502),
        lambda key: Exchange("x#0", json.dumps({"error": {"message": f"no such key: {key}"}}).encode(), status=401),
        lambda key: Exchange("x#0", b"{}", headers={"authorization": f"Bearer {key}", "x-said": f"hello {key}"}),
        lambda key: Exchange("x#0", b"{}", ended=End("reset", f"peer said {key}")),
        lambda key: Exchange("x#0", b"{}", request={"messages": [{"role": "user", "content": f"use {key}"}]}),
        lambda key: Exchange("x#0", b"{}", request={"tools": [{"type": "mcp", "headers": {"X-Api-Key": key}}]}),
        lambda key: Exchange("x#0", b"{}", request={"api_key": key, "extra": {f"to {key}": 1}}),
    ],
)  # fmt: skip
def test_a_key_goes_wherever_it_stands(place: Any, key: str) -> None:
    exchange = place(key)
    redacted = redact(exchange)
    assert key in said(Redacted(exchange, read(exchange), redacted.verdict, 0, False, ""))
    assert key not in said(redacted)
    assert len(redacted.exchange.body) == len(exchange.body)
    assert redacted.masked > 0
    assert redacted.changed == ""


def test_what_redaction_does_to_the_verdict_is_said() -> None:
    redacted = redact(streamed([opening(0, f"call_{KEY}", "{}")]))
    assert redacted.transcript.calls[0].id == "call_*REDACTED*REDACTED*REDACTED*RED"
    assert redacted.changed == "Redaction changes the verdict: the exchange now shows id-not-portable."


@pytest.mark.parametrize(
    "form",
    [
        urllib.parse.quote,
        lambda key: base64.b64encode(key.encode()).decode(),
        lambda key: "".join(f"\\u{ord(char):04x}" for char in key),
    ],
    ids=["percent", "base64", "escapes"],
)
def test_a_known_key_goes_in_every_form(form: Any) -> None:
    key = "Wm5/xQ8+rT2=vLk9"
    exchange = streamed([opening(0, arguments='{"city":"'), *(entry(0, piece) for piece in form(key)), entry(0, '"}')])
    redacted = redact(exchange, secrets=[key])
    (call,) = redacted.transcript.calls
    assert form(key)[2:-2] not in call.arguments
    assert redacted.changed == ""


@given(cuts=st.lists(st.integers(0, 60), max_size=40), coded=st.booleans(), index=st.sampled_from([0, None]))
def test_a_key_spelt_out_over_many_pieces_goes(cuts: list[int], coded: bool, index: int | None) -> None:
    text = json.dumps({"city": f"é {KEY} é"}, ensure_ascii=False)
    exchange = streamed([opening(index), *(entry(index, piece) for piece in pieces(text, cuts))], coded=coded)
    redacted = redact(exchange)
    (call,) = redacted.transcript.calls
    assert call.value == {"city": "é *REDACTED*REDACTED*REDACTED*RED é"}
    assert len(redacted.exchange.body) == len(exchange.body)
    assert redacted.changed == ""


@given(cuts=st.lists(st.integers(0, 60), min_size=1, max_size=20), by=st.sampled_from(["index", "id", "choice"]))
def test_a_key_goes_from_calls_that_interleave(cuts: list[int], by: str) -> None:
    text = json.dumps({"city": KEY})
    parts = pieces(text, cuts)
    choices = []
    for number, piece in enumerate(["", *parts]):
        for call in (0, 1):
            place = call if by == "index" else None if by == "id" else 0
            delta = opening(place, f"call_{call}") if not number else entry(place, piece, id=f"call_{call}")
            choices.append({"index": call if by == "choice" else 0, "delta": delta, "finish_reason": None})
    exchange = of_choices(choices)
    redacted = redact(exchange)
    assert len(redacted.transcript.calls) == 2
    assert not any(KEY in call.arguments for call in redacted.transcript.calls)
    assert not any("0123" in call.arguments for call in redacted.transcript.calls)


def test_growing_snapshots_do_not_show_the_beginning_of_a_key() -> None:
    text = json.dumps({"city": UNFORMED})
    snapshots = [text[:end] for end in range(4, len(text) + 1, 3)]
    exchange = streamed([opening(0, arguments=snapshots[0]), *(entry(0, text) for text in [*snapshots[1:], text])])
    assert read(exchange).calls[0].repair == "snapshot"
    redacted = redact(exchange)
    assert redacted.transcript.calls[0].repair == "snapshot"
    assert redacted.changed == ""
    assert UNFORMED[:5].encode() not in redacted.exchange.body


def test_tokens_with_log_probabilities_spell_nothing_out() -> None:
    choices = [
        {
            "index": 0,
            "delta": {"content": piece},
            "logprobs": {"content": [{"token": piece, "logprob": -0.5, "bytes": list(piece.encode())}]},
            "finish_reason": None,
        }
        for piece in pieces(f"It is {KEY}.", range(0, 40, 3))
    ]
    body = redact(of_choices(choices)).exchange.body
    tokens: list[str] = []
    spelt: list[int] = []
    for line in body.decode().splitlines():
        if line.startswith("data: {"):
            (choice,) = json.loads(line[6:])["choices"]
            (token,) = choice["logprobs"]["content"]
            assert token["token"] == choice["delta"]["content"]
            assert token["logprob"] == -0.5
            tokens.append(token["token"])
            spelt += token["bytes"]
    assert "".join(tokens) == "It is *REDACTED*REDACTED*REDACTED*RED."
    assert set(spelt) <= {1, 11, 111}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("write to anna.b@mail.example.org today", "write to *REDACTED*REDACTED*REDA today"),
        ("org-Ab12Cd34Ef56Gh78Ij90 is billed", "*REDACTED*REDACTED*REDAC is billed"),
        ('{"password": "hunter2-hunter2"}', '{"password": "*REDACTED*REDAC"}'),
        ("https://h.example/x?sig=abcdefgh123&v=1", "https://h.example/x?sig=*REDACTED*R&v=1"),
        ("postgres://me:pass-word@localhost/x", "postgres://me:*REDACTED@localhost/x"),
        ("Bearer abcdefghij0123456789", "Bearer *REDACTED*REDACTED*R"),
        ("sk-learn-contrib-package is a library", "sk-learn-contrib-package is a library"),
        ("user_location and user-friendly are words", "user_location and user-friendly are words"),
        ('{"max_tokens": 12345678, "tokens": "are counted"}', '{"max_tokens": 12345678, "tokens": "are counted"}'),
        ("a@b and @everyone", "a@b and @everyone"),
    ],
)
def test_what_goes_by_its_form_and_what_stays(text: str, left: str) -> None:
    assert redact(streamed([{"content": text}])).transcript.choices[0].content == left


def test_who_asked_is_not_told() -> None:
    body = json.dumps({"error": {"message": "over quota"}, "user_id": "anna"}).encode()
    request = {
        "user": "anna-1",
        "metadata": {"organization_id": "acme"},
        "messages": [{"role": "user", "content": "-"}],
    }
    redacted = redact(Exchange("x#0", body, status=429, request=request)).exchange
    assert json.loads(redacted.body)["user_id"] == "*RED"
    assert redacted.request == {**request, "user": "*REDAC", "metadata": {"organization_id": "*RED"}}


def test_a_word_of_the_protocol_under_a_telling_name_is_no_secret() -> None:
    deltas = [{"role": "assistant"}, opening(0, arguments='{"city":"x","password":"assistant"}')]
    redacted = redact(streamed(deltas))
    assert redacted.transcript.choices[0].role == "assistant"
    assert redacted.changed == ""


def test_cookies_go_from_the_body_as_well() -> None:
    headers = {"set-cookie": "sid=Abcdefgh12345; Path=/; Domain=weather.example", "content-type": "application/json"}
    body = b'{"error":{"message":"session Abcdefgh12345 at weather.example has ended"}}'
    redacted = redact(Exchange("x#0", body, status=401, headers=headers)).exchange
    assert b"session *REDACTED*RED at weather.example" in redacted.body
    assert "Abcdefgh" not in redacted.headers["set-cookie"]
    assert redacted.headers["content-type"] == "application/json"


def test_pieces_stay_true() -> None:
    exchange = streamed([{"content": KEY}])
    exchange = replace(exchange, pieces=(Piece(1.0, 10), Piece(2.0, len(exchange.body) - 10)))
    assert redact(exchange).exchange.pieces == exchange.pieces


@pytest.mark.parametrize("declared", [True, False])
def test_a_compressed_body_is_redacted_too(declared: bool) -> None:
    plain = streamed([{"content": f"It is {KEY}."}])
    headers = {"content-type": "text/event-stream", **({"content-encoding": "gzip"} if declared else {})}
    packed = replace(plain, body=gzip.compress(plain.body), headers=headers)
    redacted = redact(packed)
    assert KEY not in said(redacted)
    assert redacted.transcript.choices[0].content == "It is *REDACTED*REDACTED*REDACTED*RED."
    assert redacted.changed == ""
    assert redact(replace(packed, body=gzip.compress(b"data: {}\n\n"))).exchange.headers == headers


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_survived(body: bytes, content: bool) -> None:
    redacted = redact(Exchange("x#0", body, request={}), content=content).exchange
    assert len(redacted.body) == len(body) or not body.isascii()


@given(st.recursive(st.text(max_size=12) | st.floats() | st.booleans(), lambda x: st.lists(x, max_size=4)
       | st.dictionaries(st.text(max_size=8), x, max_size=4), max_leaves=12), st.booleans(), st.booleans())  # fmt: skip
def test_json_stays_json_of_the_same_shape(value: Any, coded: bool, content: bool) -> None:
    text = json.dumps({"x": value}, ensure_ascii=coded)
    body = f"data: {text}\n\n".encode("utf-8", "surrogatepass")
    redacted = redact(Exchange("x#0", body), content=content)
    assert len(redacted.exchange.body) == len(body)
    assert _shape(json.loads(redacted.exchange.body[6:])) == _shape(json.loads(text))
    assert verdict(redacted.exchange) == verdict(Exchange("x#0", body))
    assert redact(redacted.exchange, content=content).exchange == redacted.exchange


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [_shape(inner) for inner in value.values()]
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return len(value) if isinstance(value, str) else str(value)


def test_the_tools_of_the_request_stay() -> None:
    assert redact(streamed([])).exchange.request == streamed([]).request
    assert TOOL in (redact(streamed([])).exchange.request or {})["tools"]

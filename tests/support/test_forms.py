"""What a form gives away goes whole, and nothing that only looks a little like it."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.importers import load
from conformance.model import Exchange
from conformance.support import redact
from conformance.transport.endpoint import Endpoint
from conformance.transport.privacy import redactor_for
from conformance.wire.read import read
from tests.support.exchanges import corpus, entry, opening, streamed

CAPTURES = Path(__file__).parents[3] / "shared" / "captures"
SIGNS = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789" * 3
ISSUED = {  # how it begins, and how many signs follow; no key stands here whole
    **{f"{kind}_{mode}_": 24 for kind in ("sk", "rk", "pk") for mode in ("live", "test")},
    "sk-proj-": 40,
    "npm_": 36,
    "pypi-AgEIcHlwaS5vcmc": 80,
    "123456789:AA": 33,
    "github_pat_": 82,
    "ghp_": 36,
    "xoxb-1234567890-": 24,
    "xapp-1-": 40,
    "AIza": 35,
    "GOCSPX-": 28,
    "glpat-": 20,
    f"SG.{SIGNS[:22]}.": 43,
    f"eyJhbGciOiJIUzI1NiJ9.{SIGNS[:20]}.": 43,
}
KEYS = [*(begin + SIGNS[:length] for begin, length in ISSUED.items()), "AKIA" + SIGNS[:16].upper()]


def hidden(text: str) -> str:
    """What fills the place of a secret."""
    return ("*REDACTED" * len(text))[: len(text)]


def pieces(text: str, size: int) -> list[str]:
    """The text, cut every so many characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[:8])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_issued_keys_go_whole_from_bundles_and_cassettes(key: str, size: int) -> None:
    exchange = streamed([{"content": piece} for piece in pieces(f"use {key}, or not", size)])
    assert redact(exchange).transcript.choices[0].content == f"use {hidden(key)}, or not"
    body = redactor_for(Endpoint("https://api.example.com/v1")).said(exchange.body)
    assert read(Exchange("x#0", body)).choices[0].content == f"use {hidden(key)}, or not"
    call = streamed([opening(0), *(entry(0, piece) for piece in pieces(json.dumps({"city": f"\n{key}"}), size))])
    for kept in (redact(call).exchange.body, redactor_for(Endpoint("https://api.example.com/v1")).said(call.body)):
        assert read(Exchange("x#0", kept, request=call.request)).calls[0].value == {"city": f"\n{hidden(key)}"}


@pytest.mark.parametrize("space", ["\n", "\t", "\x1b", "é"])
@pytest.mark.parametrize("secret", [KEYS[0], "anna@example.com"])
def test_escapes_before_a_secret_stay_escapes(space: str, secret: str) -> None:
    exchange = streamed([opening(0, arguments=json.dumps({"city": f"x{space}{secret}"}))])
    redacted = redact(exchange)
    assert redacted.transcript.calls[0].value == {"city": f"x{space}{hidden(secret)}"}
    assert redacted.changed == ""


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("log in with password=Tr0ub4dor&3x now", "Tr0ub4dor&3x"),
        ("Server=db;User Id=sa;Password=Sup3rS3cret!;Encrypt=yes", "Sup3rS3cret!"),
        ("Server=db;Pwd=letmein;Encrypt=yes", "letmein"),
        ("AccountName=a;AccountKey=Ab12Cd34Ef56+/==;x", "Ab12Cd34Ef56+/=="),
        ("Cookie: session=abc123def456ghi789", "session=abc123def456ghi789"),
        ("set-cookie: sid=abcd1234; Path=/x\nok", "sid=abcd1234; Path=/x"),
        ("see postgres://me:pass@db/x", "pass"),
        ("redis://:hunter2@localhost:6379/0", "hunter2"),
        ("api_key: 0a1b2c3d4e", "0a1b2c3d4e"),
        ("curl -H 'Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l'", "YWxhZGRpbjpvcGVuc2VzYW1l"),
    ],
)
def test_values_that_text_names_go(text: str, secret: str) -> None:
    before, after = text.split(secret)
    request = {"messages": [{"role": "user", "content": text}]}
    left = redact(Exchange("x#0", b"{}", request=request)).exchange.request
    assert left == {"messages": [{"role": "user", "content": f"{before}{hidden(secret)}{after}"}]}


@pytest.mark.parametrize(
    "text",
    [
        "password=password, or password=getpass.getpass() in Python",
        "password = passwords[0]; token = tokens2[1]; secret = secrets.token_hex(16)",
        "password: SecretStr = None",
        "tokens: 12345678, max_tokens=40960000, token: 12345678",
        "basic characteristics and Basic understanding-of-things",
        "Cookie: a small file, and cookie = flour and sugar",
        "npm_config_registry, pypi-server-of-the-house-with-a-long-name, SG.something",
        "sk_live_ and pk_test_ are how keys begin; AKIA is how others do",
        "at 12:34:56, 20261130:AA, ratio 1:2",
        "https://example.com:8080/path and http://[::1]:80/",
        "the customer metadata of a user",
    ],
)
def test_words_and_code_stay(text: str) -> None:
    exchange = streamed([{"content": text}], request={"messages": [{"role": "user", "content": text}]})
    redacted = redact(exchange)
    assert redacted.exchange == exchange
    assert redactor_for(Endpoint("https://api.example.com/v1")).said(exchange.body) == exchange.body


SIGN = string.ascii_letters + string.digits
IDS = st.one_of(
    st.text(SIGN, min_size=24, max_size=24).map("call_{}".format),
    st.text(SIGN, min_size=29, max_size=29).map("chatcmpl-{}".format),
    st.text("0123456789abcdef", min_size=32, max_size=32).map("chatcmpl-tool-{}".format),
    st.text(SIGN, min_size=24, max_size=24).map("toolu_01{}".format),
    st.text(SIGN, min_size=9, max_size=9),
    st.uuids().map(str),
)


@given(ids=st.lists(IDS, min_size=1, max_size=4, unique=True), size=st.integers(1, 40))
def test_ids_stay(ids: list[str], size: int) -> None:
    said = " and ".join(ids)
    deltas = [{"content": piece} for piece in pieces(said, size)]
    deltas += [opening(n, call_id, json.dumps({"city": call_id})) for n, call_id in enumerate(ids)]
    calls = [{"id": call_id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for call_id in ids]
    answers = [{"role": "tool", "tool_call_id": call_id, "content": call_id} for call_id in ids]
    messages = [{"role": "user", "content": said}, {"role": "assistant", "tool_calls": calls}, *answers]
    exchange = streamed(deltas, request={"messages": messages})
    assert redact(exchange).exchange == exchange
    assert redactor_for(Endpoint("https://api.example.com/v1")).said(exchange.body) == exchange.body


def test_a_secret_that_begins_like_a_word_does_not_take_the_word() -> None:
    request = {"user": "user-anna", "messages": [{"role": "user", "content": "a user"}]}
    redacted = redact(streamed([{"role": "assistant", "content": "a user"}], request=request))
    assert redacted.exchange.request == {"user": "*REDACTED", "messages": [{"role": "user", "content": "a user"}]}
    assert redacted.transcript.choices[0].content == "a user"


@given(st.lists(st.integers(1, 70), max_size=12))
def test_what_begins_like_a_known_secret_goes_whole_or_not_at_all(cuts: list[int]) -> None:
    key = "npm_" + SIGNS[:36]
    text = f"{key} and AbCdEfGh only {key}"
    places = [0, *sorted({cut % len(text) for cut in cuts} - {0}), len(text)]
    exchange = streamed([{"content": text[a:b]} for a, b in pairwise(places)])
    left = redact(exchange, secrets=["AbCdEfGhZZZZ9999", "sess-1234567890"]).transcript.choices[0].content
    assert left.startswith(hidden(key))
    assert left.endswith(f" only {hidden(key)}")


def test_a_secret_that_the_end_cuts_off_goes_as_far_as_it_came() -> None:
    body = b'data: {"choices":[{"index":0,"delta":{"content":"it is Wm5xQ8rT2v"}}]}\n\n'
    redacted = redact(Exchange("x#0", body), secrets=["Wm5xQ8rT2vLk9pZc"])
    assert redacted.transcript.choices[0].content == "it is *REDACTED*"


def test_labels_of_a_request_go_where_they_stand_and_nowhere_else() -> None:
    request = {
        "prompt_cache_key": "get_weather",
        "metadata": {"customer": "Acme", "purpose": "get_weather", "customer_id": "cus-1234567"},
        "messages": [{"role": "user", "content": "get_weather for cus-1234567"}],
    }
    assert redact(Exchange("x#0", b"{}", request=request)).exchange.request == {
        "prompt_cache_key": "*REDACTED*R",
        "metadata": {"customer": "*RED", "purpose": "*REDACTED*R", "customer_id": "*REDACTED*R"},
        "messages": [{"role": "user", "content": "get_weather for *REDACTED*R"}],
    }


@pytest.mark.parametrize("exchange", list(corpus()), ids=lambda exchange: exchange.source)
def test_a_cassette_holds_the_corpus_as_it_is(exchange: Exchange) -> None:
    body = read(exchange).body
    assert redactor_for(Endpoint("https://api.example.com/v1")).said(body) == body


SECRET_IN_CAPTURES = (b"user_REDACTED", b"radiance", b"mellon")
"""An account under `user_id`, and passwords under `password`: what those who published them made up."""


def runs(before: bytes, after: bytes) -> Iterator[bytes]:
    """What stood where bytes are no longer the same."""
    assert len(after) == len(before)
    differs = [a != b for a, b in zip(before, after, strict=True)] if before != after else []
    for changed, group in groupby(enumerate(differs), key=lambda pair: pair[1]):
        at = [n for n, _ in group]
        if changed:
            yield before[at[0] : at[-1] + 1]


@pytest.mark.skipif(not CAPTURES.is_dir(), reason="the published captures are not beside this checkout")
def test_published_captures_stay_but_for_secrets() -> None:
    redactor = redactor_for(Endpoint("https://api.example.com/v1"))
    seen = 0
    for path in sorted(CAPTURES.glob("*/*.json")):
        for exchange in load(str(path)):
            seen += 1
            transcript = read(exchange)
            assert redactor.said(transcript.body) == transcript.body, exchange.source
            after = redact(exchange).transcript
            for taken in runs(transcript.body, after.body):
                assert any(taken in secret for secret in SECRET_IN_CAPTURES), (exchange.source, taken)
            assert [call.id for call in after.calls] == [call.id for call in transcript.calls]
    assert seen > 1000

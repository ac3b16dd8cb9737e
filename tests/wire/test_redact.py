"""Secrets go, in whatever form they are written, and everything else stays where it was."""

from __future__ import annotations

import base64
import json
import urllib.parse
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.wire.redact import Redactor, is_placeholder, is_private, mask, placeholder

KEY = 'k/9+"é\\😀=tail'  # every character that some encoding treats in a way of its own
PLAIN = "sk-proj-0123456789abcdef"

FORMS = {
    "raw": lambda key: key,
    "JSON": json.dumps,
    "JSON, not ASCII": lambda key: json.dumps(key, ensure_ascii=False),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "JSON, escaped solidus": lambda key: json.dumps(key).replace("/", "\\/"),
    "JSON, upper case": lambda key: json.dumps(key).replace("\\u00e9", "\\u00E9"),
    "percent": lambda key: urllib.parse.quote(key, safe=""),
    "percent, lower case": lambda key: urllib.parse.quote(key, safe="").lower(),
    "percent, twice": lambda key: urllib.parse.quote(urllib.parse.quote(key, safe=""), safe=""),
    "percent, every byte": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "mixed": lambda key: key.replace("/", "%2F").replace("é", "\\u00e9"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("key", [KEY, PLAIN])
def test_a_secret_goes_in_every_form(form: object, key: str) -> None:
    assert callable(form)
    written: str = form(key)
    before, after = 'data: {"x": "', '", "y": 1}\n\n'
    text = f"{before}{written}{after}"
    redacted = Redactor([key]).text(text)
    assert len(redacted.encode()) == len(text.encode())
    assert redacted.startswith(before)
    assert redacted.endswith(after)
    assert "tail" not in redacted
    assert "012345" not in redacted
    assert urllib.parse.unquote(urllib.parse.unquote(redacted)).find(key) == -1


@pytest.mark.parametrize("offset", range(3))
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_hides_nothing_at_any_alignment(offset: int, encode: object) -> None:
    assert callable(encode)
    text = encode(b"u:"[:offset] + PLAIN.encode() + b"?more").decode()
    # A character holds 6 bits; those that hold bits of the key alone are gone.
    first = -(-offset * 8 // 6)
    last = (offset + len(PLAIN)) * 8 // 6
    assert Redactor([PLAIN]).text(text) == text[:first] + placeholder(last - first) + text[last:]


def test_nothing_to_hide_is_nothing_changed() -> None:
    body = b'{"a": "b"}'
    assert Redactor().body(body) is body
    assert Redactor([PLAIN]).body(body) is body


def test_a_word_that_stands_for_no_key_is_no_secret() -> None:
    assert Redactor(["none", "EMPTY", ""]).text('"tool_choice": "none", EMPTY') == '"tool_choice": "none", EMPTY'


def test_the_longer_of_two_secrets_goes_first() -> None:
    redacted = Redactor(["secret-1234", "secret-1234-5678"]).text("secret-1234-5678")
    assert is_placeholder(redacted)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("http://10.0.0.7:8080/v1", "http://"),
        ("GPU.Company.Internal", ""),
        ("gpu.company.internal", ""),
        ("10.0.0.7", ""),
        ("10%2E0.0.7%3a8080", ""),
    ],
)
def test_addresses_go_in_any_case(text: str, left: str) -> None:
    redacted = Redactor(addresses=["10.0.0.7:8080", "10.0.0.7", "gpu.company.internal"]).text(text)
    assert len(redacted) == len(text)
    assert redacted.startswith(left + placeholder(8))


@pytest.mark.parametrize("text", ["110.0.0.7", "10.0.0.70", "10.0.0.8", "the company"])
def test_other_addresses_stay(text: str) -> None:
    assert Redactor(addresses=["10.0.0.7", "gpu.company.internal"]).text(text) == text


@pytest.mark.parametrize(
    "name",
    [
        "Authorization", "proxy-authorization", "api-key", "X-API-Key", "x-goog-api-key", "Cookie", "Set-Cookie",
        "OpenAI-Organization", "openai-project", "x-litellm-model-api-base", "x-auth-token", "X-Forwarded-For",
    ],
)  # fmt: skip
def test_private_headers_are_masked_and_present(name: str) -> None:
    assert is_private(name)
    ((lower, value),) = Redactor().headers([(name, "abcdefghijkl")])
    assert lower == name.lower()
    assert value == placeholder(12)


@pytest.mark.parametrize(
    "name", ["content-type", "x-ratelimit-remaining-tokens", "x-request-id", "x-litellm-key-spend", "keep-alive"]
)
def test_other_headers_stay(name: str) -> None:
    assert not is_private(name)
    assert Redactor().headers([(name, "abcdefghijkl")]) == ((name, "abcdefghijkl"),)


def test_a_secret_in_another_header_goes() -> None:
    ((_, value),) = Redactor([PLAIN]).headers([("x-said", f"key {PLAIN}!")])
    assert value == f"key {placeholder(len(PLAIN))}!"


def test_the_scheme_of_an_authorization_stays() -> None:
    assert mask("Bearer abcdefgh") == f"Bearer {placeholder(8)}"
    assert mask("abcdefgh") == placeholder(8)


@pytest.mark.parametrize("name", ["key", "api-key", "API_KEY", "access_token", "sig"])
def test_credentials_in_a_query_are_masked_by_name(name: str) -> None:
    url = f"https://h.example/v1?{name}=abcdefgh&api-version=2024-10-21"
    assert Redactor().url(url) == f"https://h.example/v1?{name}={placeholder(8)}&api-version=2024-10-21"


SECRETS = st.text(min_size=8, max_size=20).filter(lambda text: text.isprintable() and not is_placeholder(text))


@given(secret=SECRETS, before=st.binary(max_size=30), after=st.binary(max_size=30))
def test_lengths_are_kept_and_twice_is_once(secret: str, before: bytes, after: bytes) -> None:
    redactor = Redactor([secret])
    body = before + secret.encode() + after
    redacted = redactor.body(body)
    assert len(redacted) == len(body)
    assert redactor.holds(body)
    assert redactor.body(redacted) == redacted
    assert not redactor.holds(redacted)


@given(name=st.sampled_from(["authorization", "x-said"]), value=st.text(st.characters(codec="latin-1"), max_size=40))
def test_headers_twice_are_headers_once(name: str, value: str) -> None:
    redactor = Redactor([PLAIN])
    once = redactor.headers([(name, value)])
    assert redactor.headers(once) == once


TOKEN = "Zq8vWm3nXb7LkT2hRf5yPd9c"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{TOKEN[:8]}…", f"{placeholder(8)}…"),
        (f"{TOKEN[5:14]}****{TOKEN[-8:]}", f"{placeholder(9)}****{placeholder(8)}"),
        (TOKEN[:7], TOKEN[:7]),
        (TOKEN[:7] + TOKEN[8:15], TOKEN[:7] + TOKEN[8:15]),
        (TOKEN[-12:], placeholder(12)),
        (base64.b64encode(TOKEN[:18].encode()).decode(), placeholder(24)),
    ],
)
def test_no_part_of_a_key_is_told(text: str, left: str) -> None:
    assert Redactor(keys=[TOKEN]).text(text) == left


def test_parts_that_are_words_stay() -> None:
    text = "not-needed-here: not-needed, NOT_NEEDED"
    assert Redactor(keys=["not-needed-at-all", "NOT_NEEDED_EITHER"]).text(text) == text


def test_of_what_is_no_key_parts_may_be_told() -> None:
    redactor = Redactor(["http://10.0.0.7:8080/v1"])
    assert redactor.text("http://10.0.0.7") == "http://10.0.0.7"


PIECES = st.lists(st.integers(0, len(TOKEN)), max_size=12).map(lambda cuts: sorted({0, *cuts, len(TOKEN)}))


@given(st.lists(PIECES, min_size=1, max_size=3), st.booleans(), st.sampled_from(["content", "arguments", "made_up"]))
def test_what_pieces_spell_out_goes_without_moving_a_byte(texts: list[list[int]], coded: bool, name: str) -> None:
    """Several choices spell the key out in turn, each in its own pieces, with escapes or without."""

    def event(choice: int, piece: str) -> bytes:
        said = "".join(f"\\u{ord(char):04x}" for char in piece) if coded else piece
        return f'data: {{"choices":[{{"index":{choice},"delta":{{"{name}":"{said}"}}}}]}}\n\n'.encode()

    parts = [[TOKEN[a:b] for a, b in pairwise(cuts)] for cuts in texts]
    body = b"".join(
        event(choice, own[number])
        for number in range(max(map(len, parts)))
        for choice, own in enumerate(parts)
        if number < len(own)
    )
    redactor = Redactor(keys=[TOKEN])
    masked = redactor.said(body)
    assert len(masked) == len(body)
    assert redactor.said(masked) == masked
    said: dict[int, str] = {}
    for line in masked.decode().splitlines():
        if line:
            (choice,) = json.loads(line.removeprefix("data: "))["choices"]
            said[choice["index"]] = said.get(choice["index"], "") + choice["delta"][name]
    assert {len(text) for text in said.values()} == {len(TOKEN)}
    assert set("".join(said.values())) <= set("*REDACTED")  # some placeholders begin within others


@given(st.binary(max_size=300))
def test_any_body_is_survived(body: bytes) -> None:
    redactor = Redactor(keys=[TOKEN])
    assert redactor.said(body) == body
    assert len(redactor.said(body + TOKEN.encode() + body)) == 2 * len(body) + len(TOKEN)


def test_a_redirect_does_not_tell_what_is_in_its_query() -> None:
    ((_, value),) = Redactor().headers([("Location", "https://h.example/v1?token=abcdefgh&v=1")])
    assert value == f"https://h.example/v1?token={placeholder(8)}&v=1"

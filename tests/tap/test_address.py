"""Which address a request goes to, and which header fields go with it."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.errors import ConfigError
from conformance.tap.address import Upstream, loopback
from conformance.tap.headers import Secrets, to_client, to_provider

STEPS = st.lists(st.sampled_from(["v1", "v2", "api", "openai", "chat", "a%2Fb", "x.y"]), max_size=4)
NAMES = st.sampled_from(
    [b"a", b"B", b"Connection", b"TE", b"Upgrade", b"host", b"Transfer-Encoding", b"content-length"]
)
VALUES = st.sampled_from([b"1", b"a, b", b"close", b"B", b""])


@pytest.mark.parametrize(
    ("base", "path", "joined"),
    [
        ("https://h.example/v1", "/v1/chat/completions", "/v1/chat/completions"),
        ("https://h.example/v1/", "/v1/chat/completions", "/v1/chat/completions"),
        ("https://h.example", "/v1/chat/completions", "/v1/chat/completions"),
        ("https://h.example/openai", "/v1/models", "/openai/v1/models"),
        ("https://h.example/openai/v1", "/v1/models", "/openai/v1/models"),
        ("https://h.example/api/v1", "/models", "/api/v1/models"),
        ("https://h.example/api/v1", "/api/v1/models", "/api/v1/models"),
        ("https://h.example/v1", "/v1beta/models", "/v1/v1beta/models"),
        ("https://h.example/v1", "/v1", "/v1"),
        ("https://h.example/v1", "/", "/v1/"),
        ("https://h.example/v1", "/v1//x/../%7e", "/v1//x/../%7e"),
    ],
)
def test_paths_are_joined(base: str, path: str, joined: str) -> None:
    assert Upstream.parse(base).target(path.encode(), b"") == joined.encode()
    assert Upstream.parse(base).target(path.encode(), b"a=b?") == f"{joined}?a=b?".encode()


@given(STEPS, STEPS)
def test_the_printed_base_url_always_leads_to_the_provider(base: list[str], rest: list[str]) -> None:
    path = "".join(f"/{step}" for step in base)
    upstream = Upstream.parse(f"https://h.example{path}") if not path.endswith("/chat/completions") else None
    if upstream is not None and path:
        asked = path + "".join(f"/{step}" for step in rest)
        assert upstream.client_path == path
        assert upstream.target(asked.encode(), b"") == asked.encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("api.example.com/v1", "must begin with http:// or https://"),
        ("ftp://api.example.com", "must begin with http:// or https://"),
        ("https://user:hunter22@api.example.com/v1", "holds a user name or a password"),
        ("https://hunter22@api.example.com", "holds a user name or a password"),
        ("https://api.example.com/v1?key=hunter22", "holds a query"),
        ("https://api.example.com/v1#hunter22", "holds a fragment"),
        ("https://api.example.com/v1/chat/completions", "ends in /chat/completions"),
        ("https:///v1", "is not a valid address"),
        ("https://api.example.com:99999/v1", "is not a valid address"),
        ("https://[::1/v1", "is not a valid address"),
        ("https://a b.example/v1", "holds white space"),
        ("", "must begin with"),
    ],
)
def test_what_is_no_upstream(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Upstream.parse(text)
    assert str(caught.value).startswith(f"--upstream: {said}")
    assert "hunter22" not in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_an_upstream_or_a_sentence(text: str) -> None:
    for given_text in (text, f"https://{text}", f"http://h.example/{text}"):
        with contextlib.suppress(ConfigError):
            upstream = Upstream.parse(given_text)
            assert upstream.target(b"/x", b"").startswith(b"/")
            assert upstream.label


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("127.3.2.1", "127.3.2.1"), ("localhost", "127.0.0.1"), ("[::1]", "::1")],
)
def test_where_it_may_listen(host: str, address: str) -> None:
    assert loopback(host) == address


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.com", ""])
def test_where_it_may_not_listen(host: str) -> None:
    with pytest.raises(ConfigError, match="not a loopback address"):
        loopback(host)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
def test_fields_of_one_hop_stay_behind_and_the_others_keep_order_and_form(fields: list[tuple[bytes, bytes]]) -> None:
    options = {o.strip().lower() for name, value in fields if name.lower() == b"connection" for o in value.split(b",")}
    behind = options | {b"connection", b"te", b"upgrade", b"transfer-encoding"}
    onward = [(name, value) for name, value in fields if name.lower() not in behind]
    assert list(to_provider(fields)) == [(name, value) for name, value in onward if name.lower() != b"host"]
    coded = any(name.lower() == b"transfer-encoding" for name, _ in fields)
    assert list(to_client(fields)) == [
        (name, value) for name, value in onward if not (coded and name.lower() == b"content-length")
    ]


def test_what_clients_send_as_credentials_is_known_afterwards() -> None:
    secrets = Secrets()
    first = secrets.learn(
        (
            (b"authorization", b"Bearer sk-first-key"),
            (b"cookie", b"session=cookie-one; other=cookie-two"),
            (b"x-api-key", b"none"),
            (b"openai-organization", b"org-12345678"),
            (b"user-agent", b"not-a-secret"),
        ),
        b"key=query%2Dsecret&model=not-a-secret",
    )
    assert {"sk-first-key", "cookie-one", "cookie-two", "org-12345678", "query-secret"} <= set(first)
    assert not {"none", "Bearer", "not-a-secret"} & set(first)
    assert "sk-first-key" in secrets.learn(((b"api-key", b"another-secret"),), b"")
    for number in range(200):
        known = secrets.learn(((b"api-key", b"rotating-%d-key" % number),), b"")
    assert known[-1] == "rotating-199-key"
    assert len(known) == 64

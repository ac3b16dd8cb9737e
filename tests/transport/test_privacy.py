"""Nothing secret reaches the disk, and a replay does not need what was secret."""

from __future__ import annotations

import base64
import json
import socket
from pathlib import Path

from conformance.transport import Store
from tests.transport import server
from tests.transport.asking import BODY, KEY, ask, record, replay
from tests.transport.server import serving

HEADER, QUERY, VARIABLE = "header-secret-1234", "query-secret-5678", "variable-secret-9012"


def test_secrets_and_private_addresses_stay_off_the_disk(path: Path) -> None:
    def telling(connection: socket.socket) -> None:
        said = f'{KEY} {HEADER} {QUERY} {VARIABLE} "{base64.b64encode(KEY.encode()).decode()}" 127.0.0.1:{local.port}'
        fields = (f"X-Litellm-Model-Api-Base: http://{VARIABLE}/", f"Set-Cookie: a={KEY}", f"X-Said: {QUERY}")
        server.sized(json.dumps({"error": said}).encode(), "401 Unauthorized", *fields)(connection)

    body = {**BODY, "user": KEY}
    with serving(telling) as local, Store.open(path, "record") as store:
        query = {"key": QUERY, "api-version": "1"}
        live = ask(local.url, body, store, fixed={"X-Api-Key": HEADER}, query=query, secrets=(VARIABLE,))
    written = b"".join(file.read_bytes() for file in path.parent.rglob("*"))
    coded = base64.b64encode(KEY.encode()).decode()
    for secret in (KEY, HEADER, QUERY, VARIABLE, coded, f"127.0.0.1:{local.port}", "x-stainless"):
        assert secret.encode() not in written
        assert secret not in repr(live)
    for kept in (b"x-litellm-model-api-base:", b"set-cookie:", b"authorization:", b"x-api-key:", b"api-version=1"):
        assert kept in written

    assert live.request is not None
    # In a replay the key is not known, and a credential in the query can be anything.
    (replayed,) = replay(path, live.request, query={"key": "unknown", "api-version": "1"}, api_key=None)
    assert replayed == live


def test_the_file_names_the_public_address(path: Path) -> None:
    public = "http://localhost:8080/api/v1"
    with serving(server.stream) as local, Store.open(path, "record") as store:
        ask(local.url, store=store, public_url=public)
    text = path.read_text(encoding="utf-8")
    assert f"    uri: {public}/chat/completions\n" in text
    assert str(local.port) not in text
    assert [exchange.body for exchange in replay(path, url=public, public_url=public)] == [server.STREAM]


def test_an_address_that_a_variable_holds_replays_without_it(path: Path) -> None:
    public = "provider-base-url/v1"  # what stands in place of ${PROVIDER_BASE_URL}/v1
    with serving(server.stream) as local, Store.open(path, "record") as store:
        ask(local.url, store=store, public_url=public, secrets=(local.url,))
    assert [exchange.body for exchange in replay(path, url=public, public_url=public)] == [server.STREAM]


def test_a_private_address_without_a_public_one_is_not_named(path: Path) -> None:
    record(path, server.stream)
    text = path.read_text(encoding="utf-8")
    assert "    uri: http://local.invalid/v1/chat/completions\n" in text
    assert "127.0.0.1" not in text


def test_short_words_that_stand_for_no_key_do_not_eat_the_answer(path: Path) -> None:
    with serving(server.sized(b'{"tool_choice": "none"}')) as local, Store.open(path, "record") as store:
        assert ask(local.url, store=store, api_key="none").body == b'{"tool_choice": "none"}'

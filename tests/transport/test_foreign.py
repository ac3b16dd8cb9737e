"""Cassettes that others recorded with vcrpy."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest
import vcr

from conformance.errors import CassetteCorrupt
from conformance.transport import read_cassette
from tests.transport import server
from tests.transport.server import serving

INTERACTION = """\
interactions:
- request:
    body: '{"model": "m", "stream": true}'
    headers: {}
    method: POST
    uri: https://h.example/v1/chat/completions
  response:
"""


@pytest.mark.parametrize("serializer", ["yaml", "json"])
def test_what_vcrpy_records_can_be_read(tmp_path: Path, serializer: str) -> None:
    path = tmp_path / f"x.{serializer}"
    said = 'data: "é😀"\n\n'.encode()
    with serving(server.sized(said)) as local, vcr.use_cassette(str(path), serializer=serializer):
        httpx2.post(f"{local.url}/chat/completions", json={"model": "m", "stream": True}, trust_env=False)
        httpx2.get(f"{local.url}/models", trust_env=False)
    (exchange,) = read_cassette(path)
    assert exchange.body == said
    assert exchange.source.endswith(f"x.{serializer}#0")
    assert exchange.request == {"model": "m", "stream": True}
    assert (exchange.asked_mode, exchange.model, exchange.status) == ("stream", "m", 200)
    assert exchange.headers["content-type"] == "application/json"
    assert exchange.pieces == ()
    assert exchange.recorded_at is None


def test_the_form_of_an_older_vcrpy_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        f"{INTERACTION}    content: 'data: []'\n    headers: {{}}\n    http_version: HTTP/1.1\n    status_code: 200\n"
    )
    (exchange,) = read_cassette(path)
    assert (exchange.status, exchange.body) == (200, b"data: []")


def test_a_body_that_is_null_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        f"{INTERACTION}    body: {{string: null}}\n    headers: {{}}\n    status: {{code: 204, message: ''}}\n"
    )
    assert [exchange.body for exchange in read_cassette(path)] == [b""]


def test_a_body_of_no_kind_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{INTERACTION}    content: [1]\n    headers: {{}}\n    status_code: 200\n")
    with pytest.raises(CassetteCorrupt, match="neither text nor bytes"):
        read_cassette(path)


def test_a_request_that_is_not_json_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    text = f"{INTERACTION}    body: {{string: ''}}\n    headers: {{}}\n    status: {{code: 200, message: ''}}\n"
    path.write_text(text.replace(json.dumps({"model": "m", "stream": True}), "model=m"))
    (exchange,) = read_cassette(path)
    assert exchange.request is None
    assert exchange.asked_mode is None

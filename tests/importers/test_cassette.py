"""vcrpy cassettes: those that vcrpy itself writes, ours, and damaged ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vcr.request import Request
from vcr.serialize import serialize
from vcr.serializers import jsonserializer, yamlserializer

from conformance.errors import CassetteCorrupt, InputError
from conformance.importers import load
from conformance.importers.load import from_bytes
from tests.importers.examples import REQUEST, STREAM

OURS = sorted((Path(__file__).parents[2] / "cassettes").glob("*/single_call.stream.yaml"))


def written(serializer: Any, path: str = "/v1/chat/completions", **headers: str) -> bytes:
    """A cassette as vcrpy writes it, with a request to another path before the one that counts."""
    body = json.dumps(REQUEST).encode()
    requests = [Request("GET", "https://h/v1/models", b"", {}), Request("POST", f"https://h{path}", body, {})]
    responses = [
        {"status": {"code": 200, "message": "OK"}, "headers": {k: [v] for k, v in h.items()}, "body": {"string": b}}
        for h, b in (({}, b"{}"), ({"Content-Type": "text/event-stream", **headers}, STREAM))
    ]
    text: str = serialize({"requests": requests, "responses": responses}, serializer)
    return text.encode()


@pytest.mark.parametrize("serializer", [yamlserializer, jsonserializer])
def test_what_vcrpy_writes_is_read(serializer: Any) -> None:
    (exchange,) = from_bytes(written(serializer), "file")
    assert exchange.source == "file#1"
    assert (exchange.status, exchange.body, exchange.request) == (200, STREAM, REQUEST)
    assert exchange.headers["content-type"] == "text/event-stream"


def test_a_comment_before_it_does_not_hide_a_cassette() -> None:
    (exchange,) = from_bytes(b"# recorded by hand\n---\n" + written(yamlserializer), "file")
    assert exchange.body == STREAM


def test_a_coding_that_the_recorder_has_undone_is_no_false_header() -> None:
    (exchange,) = from_bytes(written(yamlserializer, **{"Content-Encoding": "gzip"}), "file")
    assert "content-encoding" not in exchange.headers


def test_a_cassette_without_completions_is_a_sentence() -> None:
    with pytest.raises(InputError, match="holds no POST to …/chat/completions"):
        list(from_bytes(written(yamlserializer, "/v1/embeddings"), "file"))
    with pytest.raises(InputError, match="holds no POST to …/chat/completions"):
        list(from_bytes(b"interactions: []\nversion: 1\n", "file"))


@pytest.mark.parametrize("data", [b"interactions: [\n", b"interactions: 7\n", b"interactions:\n- request: {}\n"])
def test_a_damaged_cassette_is_a_sentence(data: bytes) -> None:
    with pytest.raises(CassetteCorrupt) as raised:
        list(from_bytes(data, "file"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("path", OURS, ids=lambda p: p.parent.name)
def test_our_own_are_verified(path: Path) -> None:
    (exchange,) = load(path)
    assert exchange.scenario == "single_call"
    assert sum(piece.size for piece in exchange.pieces) == len(exchange.body)
    with pytest.raises(CassetteCorrupt, match="was changed since it was recorded"):
        list(from_bytes(path.read_bytes().replace(b'"id"', b'"ID"', 1), "file"))

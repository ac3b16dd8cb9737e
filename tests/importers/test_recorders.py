"""Recorders of HTTP: each way of writing a body, and what is said where one cannot be read."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import brotli
import pytest
import yaml

from conformance.errors import CassetteCorrupt
from conformance.importers.load import from_bytes
from conformance.model import Exchange
from conformance.quirks import judge
from conformance.wire.read import read
from tests.importers.examples import ANSWER, REQUEST, STREAM, har, har_entry, outcome

URL = "https://api.example.com/v1/chat/completions"


def vcrpy(body: Any, **response: Any) -> dict[str, Any]:
    """A vcrpy interaction."""
    return {
        "request": {"method": "POST", "uri": URL, "body": json.dumps(REQUEST), "headers": {}},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": body} | response,
    }


def ruby(body: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A Ruby VCR interaction."""
    return {
        "request": {"method": "post", "uri": URL, "body": {"encoding": "UTF-8", "string": json.dumps(REQUEST)}},
        "response": {"status": {"code": 200, "message": None}, "headers": {"Date": ["x"]}, "body": body},
        "recorded_at": "Tue, 01 Nov 2011 04:58:44 GMT",
    } | more


def of_yaml(document: Any) -> list[Exchange]:
    """The exchanges of a document as YAML; the same come out of it as JSON, where JSON can hold it."""
    found = list(from_bytes(yaml.safe_dump(document, sort_keys=False).encode(), "file"))
    try:
        text = json.dumps(document)
    except TypeError:
        return found
    assert list(from_bytes(text.encode(), "file")) == found
    return found


@pytest.mark.parametrize(
    "body",
    [
        {"string": STREAM.decode()},
        {"string": STREAM},
        {"base64_string": base64.encodebytes(STREAM).decode()},
        {"encoding": "utf-8", "string": STREAM.decode()},
    ],
)
def test_bodies_of_vcrpy(body: dict[str, Any]) -> None:
    (exchange,) = of_yaml({"version": 1, "interactions": [vcrpy(body)]})
    assert (exchange.body, exchange.request, exchange.asked_mode) == (STREAM, REQUEST, "stream")


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("br", brotli.compress)])
def test_a_compressed_body_is_as_it_came(coding: str, pack: Any) -> None:
    item = vcrpy({"string": pack(STREAM)}, headers={"Content-Encoding": [coding]})
    (exchange,) = of_yaml({"version": 1, "interactions": [item]})
    transcript = read(exchange)
    assert transcript.body == STREAM
    assert not {f.quirk for f in judge(transcript).findings if f.level != "info"}


def test_a_decoded_body_shows_no_text() -> None:
    item = vcrpy(None, parsed_body=ANSWER)
    (exchange,) = of_yaml({"version": 1, "interactions": [item]})
    assert json.loads(exchange.body) == ANSWER
    assert not exchange.fidelity.text


def test_a_body_in_another_encoding_is_encoded_again() -> None:
    (latin, unknown) = of_yaml(
        {
            "http_interactions": [
                ruby({"encoding": "ISO-8859-1", "string": '{"error": {"message": "gr\xfc\xdfe"}}'}),
                ruby({"encoding": "No-Such", "string": "\xfc"}),
            ]
        }
    )
    assert latin.body == b'{"error": {"message": "gr\xfc\xdfe"}}'
    assert unknown.body == "\xfc".encode()


def test_ruby_says_when_it_recorded() -> None:
    (exchange,) = of_yaml({"http_interactions": [ruby({"encoding": "UTF-8", "string": STREAM.decode()})]})
    assert exchange.recorded_at == "2011-11-01T04:58:44+00:00"


def test_one_damaged_body_does_not_hide_its_neighbours() -> None:
    items = [ruby({"base64_string": "%"}), ruby({"base64_string": base64.b64encode(STREAM).decode()})]
    found, problem = outcome(json.dumps({"http_interactions": items}).encode())
    assert [e.source for e in found] == ["file#1"]
    assert problem == "file#0: the body is not base64; record it again"


@pytest.mark.parametrize("key", ["interactions", "http_interactions"])
@pytest.mark.parametrize("items", [7, [7], [{"request": {}}], {"request": {}, "response": {}}])
def test_what_is_no_cassette_is_a_sentence(key: str, items: Any) -> None:
    for data in (yaml.safe_dump({key: items}).encode(), json.dumps({key: items}).encode()):
        with pytest.raises(CassetteCorrupt, match=r"^file is not a .* cassette: it lacks a list of interactions"):
            list(from_bytes(data, "file"))


def test_no_cassette_reaches_beyond_its_text() -> None:
    laughs = "a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(12)
    )
    for text, words in (
        (laughs, "stands for far more than it says"),
        ("a: &a {b: *a}\n", "an alias to what it stands in"),
        ("a: " + "[" * 100_000, "is not YAML"),
        ("a: " + "- " * 100_000, "is not YAML"),
        ("a: !!binary '%'\n", "damaged base64"),
        ("a: '\xff\n", "is not YAML"),
    ):
        with pytest.raises(CassetteCorrupt, match=words):
            list(from_bytes(b"interactions: []\n" + text.encode(), "file"))
    with pytest.raises(CassetteCorrupt, match=r"is not UTF-8 \(line 2\)"):
        list(from_bytes(b"interactions: []\na: \xff\n", "file"))


def test_tags_and_odd_values_are_data() -> None:
    odd = f"a: {'9' * 5000}\nb: 2026-99-99\nc: !!python/object/apply:os.system [ls]\nd: !!int x\n<<: [1]\n? [k]\n: v\n"
    text = yaml.safe_dump({"interactions": [vcrpy({"string": STREAM.decode()})]}) + odd
    (exchange,) = from_bytes(text.encode(), "file")
    assert exchange.body == STREAM


def test_shared_values_are_read_where_they_stand() -> None:
    item = vcrpy({"string": STREAM.decode()})
    text = yaml.safe_dump({"version": 1, "interactions": [item, item]})
    assert "&id001" in text
    assert [e.body for e in from_bytes(text.encode(), "file")] == [STREAM, STREAM]


def nocked(**fields: Any) -> dict[str, Any]:
    """A nock recording of one answer."""
    return {
        "scope": "https://api.example.com:443",
        "method": "POST",
        "path": "/v1/chat/completions",
        "body": REQUEST,
        "status": 200,
        "response": STREAM.decode(),
        "rawHeaders": ["Content-Type", "text/event-stream"],
    } | fields


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"response": STREAM.hex(), "responseIsBinary": True},
        {
            "response": [gzip.compress(STREAM)[:50].hex(), gzip.compress(STREAM)[50:].hex()],
            "rawHeaders": ["Content-Type", "text/event-stream", "Content-Encoding", "gzip"],
        },
        {"rawHeaders": {"content-type": "text/event-stream"}},
    ],
)
def test_answers_of_nock(fields: dict[str, Any]) -> None:
    other = nocked(path="/v1/models", method="GET")
    (exchange,), problem = outcome(json.dumps([other, nocked(**fields)]).encode())
    assert problem == ""
    assert read(exchange).body == STREAM
    assert (exchange.source, exchange.request, exchange.status) == ("file#1", REQUEST, 200)
    assert exchange.headers["content-type"] == "text/event-stream"
    assert not {f.quirk for f in judge(read(exchange)).findings if f.level != "info"}


def test_a_nock_answer_that_is_not_what_it_says_is_a_sentence() -> None:
    assert outcome(json.dumps([nocked(responseIsBinary=True)]).encode()) == (
        [],
        "file#0: the response is not hexadecimal; record it again",
    )


def test_polly_keeps_compressed_bodies_in_pieces() -> None:
    packed = gzip.compress(STREAM)
    pieces = json.dumps([base64.b64encode(part).decode() for part in (packed[:40], packed[40:])])
    (exchange,), _ = outcome(har(har_entry({"encoding": "base64", "text": pieces, "size": len(pieces)})))
    transcript = read(exchange)
    assert transcript.body == STREAM
    assert not {f.quirk for f in judge(transcript).findings if f.level != "info"}


def test_http_2_keeps_its_status_among_the_headers() -> None:
    entry = har_entry()
    entry["response"]["headers"] = [{"name": ":status", "value": "200"}, {"name": "Date", "value": "x"}]
    entry["_webSocketMessages"] = [{"type": "send", "data": "{"}]
    (exchange,), _ = outcome(har(entry))
    assert exchange.headers == {"date": "x"}

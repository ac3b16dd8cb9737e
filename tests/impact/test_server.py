"""The case server over real connections: fixed bytes out, whatever comes in, and a note of what came."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.faults.catalogue import Wire
from conformance.impact.server import CaseServer

WIRES = {
    "whole.stream": Wire(b"data: [DONE]\n\n", 200, {"content-type": "text/event-stream"}),
    "cut.complete": Wire(b'{"choices":', 200, {"content-type": "application/json"}, cut=True),
}


@pytest.fixture(scope="module")
def server() -> Iterator[CaseServer]:
    with CaseServer(WIRES) as running:
        yield running


def ask(server: CaseServer, case: str, body: Any, path: str = "/chat/completions", method: str = "POST") -> Any:
    """One request; the response, still to be read."""
    address = urlsplit(server.url_of(case))
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    connection.request(method, address.path + path, body)
    return connection.getresponse()


def test_the_bytes_are_those_of_the_case(server: CaseServer) -> None:
    response = ask(server, "whole.stream", b'{"stream": true}', "/chat/completions?api-version=1")
    assert response.read() == WIRES["whole.stream"].body
    assert response.getheader("content-type") == "text/event-stream"
    assert response.getheader("connection") == "close"
    assert server.asked("whole.stream") == ["stream"]
    assert server.asked("whole.stream") == []


@pytest.mark.parametrize("stream", [True, False])
def test_who_goes_on_is_given_a_text_and_who_tries_again_the_same_bytes(server: CaseServer, stream: bool) -> None:
    server.asked("whole.stream")
    first: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Paris?"}], "stream": True}
    messages = [*first["messages"], {"role": "assistant", "content": None}, {"role": "tool", "content": "mild"}]
    for _ in range(2):
        assert ask(server, "whole.stream", json.dumps(first).encode()).read() == WIRES["whole.stream"].body
    went_on = json.dumps({**first, "messages": messages, "stream": stream}).encode()
    text = ask(server, "whole.stream", went_on).read()
    assert text.endswith(b"data: [DONE]\n\n") == stream
    assert b'"finish_reason":"stop"' in text.replace(b": ", b":")
    assert b"tool_calls" not in text
    assert server.asked("whole.stream") == ["stream", "stream", "further"]
    # the next time it is the first request again
    assert ask(server, "whole.stream", went_on).read() == WIRES["whole.stream"].body
    server.asked("whole.stream")


def test_a_cut_body_is_shorter_than_announced(server: CaseServer) -> None:
    with pytest.raises(http.client.IncompleteRead) as caught:
        ask(server, "cut.complete", b"{}").read()
    assert caught.value.partial == WIRES["cut.complete"].body
    assert server.asked("cut.complete") == ["complete"]


def test_a_request_in_chunks_is_read(server: CaseServer) -> None:
    response = ask(server, "whole.stream", iter([json.dumps({"stream": True}).encode()[:5], b'eam": true}']))
    response.read()
    assert server.asked("whole.stream") == ["stream"]


@pytest.mark.parametrize(("path", "method"), [("/responses", "POST"), ("/models", "GET")])
def test_other_paths_are_refused_and_noted(server: CaseServer, path: str, method: str) -> None:
    response = ask(server, "whole.stream", b"{}" if method == "POST" else None, path, method)
    assert response.status == 404
    assert json.loads(response.read())["error"]["code"] == 404
    assert server.asked("whole.stream") == ["elsewhere"]


def test_an_unknown_case_is_refused(server: CaseServer) -> None:
    assert ask(server, "nothing", b"{}").status == 404


@given(st.binary(max_size=64))
def test_any_body_gets_the_same_bytes(server: CaseServer, body: bytes) -> None:
    assert ask(server, "whole.stream", body).read() == WIRES["whole.stream"].body
    server.asked("whole.stream")

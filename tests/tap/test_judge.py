"""What a tap concludes: the same as anybody who asks the provider directly, and never at the expense of what passes."""

from __future__ import annotations

import multiprocessing
import re
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.faults import FAULTS
from conformance.faults.catalogue import Fault
from conformance.faults.respond import respond
from conformance.faults.server import FaultServer
from conformance.model import End, Exchange, Finding, Mode
from conformance.quirks import judge
from conformance.quirks.early import early
from conformance.run.execute import SAYS_NOTHING
from conformance.run.selftest import request_for
from conformance.tap.recording import Budget
from conformance.transport import Endpoint, read_cassette, send
from conformance.wire.read import read
from tests.tap.asking import BODY, PATIENCE, Provider, Tapped, ask, chat, tapping
from tests.transport import server
from tests.transport.server import CHUNKED, EVENTS, STREAM, chunk, raw, sized

NO_INDEX = (
    b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"call_1","type":"function",'
    b'"function":{"name":"get_weather","arguments":""}}]}}]}\n\n'
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FaultServer, Tapped]]:
    """The fault server, and a tap in front of all its faults."""
    with (
        FaultServer() as faults,
        tapping(faults.url.removesuffix("/v1"), save=tmp_path_factory.mktemp("corpus")) as tapped,
    ):
        yield faults, tapped


def _ask(url: str, fault: Fault, mode: Mode) -> Exchange:
    endpoint = Endpoint(url, api_key=None)
    request = request_for(fault, mode)
    return send(endpoint, request, mode=mode, source="", provider="", model="", scenario="", store=None)


@pytest.mark.parametrize("name", FAULTS)
def test_findings_through_the_tap_are_findings_without_it(name: str, corpus: tuple[FaultServer, Tapped]) -> None:
    faults, tapped = corpus
    fault = FAULTS[name]
    for mode in fault.modes:
        direct = _ask(faults.url_of(fault), fault, mode)
        through = _ask(f"{tapped.tap.origin}/{name}/v1", fault, mode)
        judged = tapped.judged()
        assert through.body == direct.body
        expected = judge(read(direct))
        assert judged.status == direct.status
        if direct.status in SAYS_NOTHING:
            assert (judged.standing, judged.findings, judged.cassette) == ("not judged", (), None)
            continue
        if direct.status == 200:
            assert judged.standing == "judged"
            assert (judged.findings, judged.applicable) == (expected.findings, expected.applicable)
        assert judged.cassette is not None
        (saved,) = read_cassette(judged.cassette)
        assert saved.body == direct.body
        assert judge(read(saved)) == expected


@pytest.mark.parametrize("name", [fault.name for fault in FAULTS.values() if "stream" in fault.modes])
def test_what_is_said_early_is_never_taken_back(name: str) -> None:
    request = request_for(FAULTS[name], "stream")
    wire = respond(request, FAULTS[name])
    whole = Exchange("", wire.body, wire.status, dict(wire.headers), request, "stream")
    if wire.cut:
        whole = replace(whole, ended=End("early-end"))
    final = {_about(finding) for finding in judge(read(whole)).findings}
    places = {end for match in re.finditer(rb"\n\n", wire.body) for end in (match.end(), match.end() + 40)}
    for place in places:
        part = replace(whole, body=wire.body[:place], ended=End("client-closed"))
        assert {_about(finding) for finding in judge(read(part), early()).findings} <= final


def _about(finding: Finding) -> tuple[object, ...]:
    return (finding.quirk, finding.level, finding.choice, finding.call)


def test_findings_show_while_the_stream_still_comes(provider: Provider, tapped: Tapped) -> None:
    told = threading.Event()

    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + chunk(NO_INDEX + b": " + b"x" * 5000 + b"\n\n"))
        assert told.wait(PATIENCE)
        connection.sendall(chunk(b"data: [DONE]\n\n") + chunk(b""))

    provider.answer = answer
    client = threading.Thread(target=chat, args=(tapped,))
    client.start()
    glimpse = tapped.glimpses.get(timeout=PATIENCE)
    told.set()
    client.join()
    assert glimpse.model == "m"
    assert "index-missing" in {finding.quirk for finding in glimpse.findings}
    judged = tapped.judged()
    assert (judged.number, judged.standing) == (glimpse.number, "judged")
    assert "index-missing" in {finding.quirk for finding in judged.findings}


def test_a_client_that_stops_reading_is_no_fault_of_the_provider(provider: Provider, tapped: Tapped) -> None:
    gone = threading.Event()

    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + chunk(NO_INDEX))
        connection.settimeout(PATIENCE)
        if connection.recv(1) == b"":
            gone.set()

    provider.answer = answer
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(b'POST /v1/chat/completions HTTP/1.1\r\nHost: tap\r\nContent-Length: 15\r\n\r\n{"stream":true}')
        seen = b""
        while b"call_1" not in seen:
            seen += client.recv(65536)
    judged = tapped.judged()
    assert gone.wait(PATIENCE)
    assert (judged.standing, judged.cassette) == ("in part", None)
    assert {f.quirk for f in judged.findings if f.level == "must"} == {"index-missing"}


def test_a_client_that_leaves_after_done_has_the_whole_answer(provider: Provider, tapped: Tapped) -> None:
    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + b"".join(chunk(event) for event in EVENTS))
        connection.settimeout(PATIENCE)
        connection.recv(1)

    provider.answer = answer
    with socket.create_connection(("127.0.0.1", tapped.tap.port)) as client:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: tap\r\nContent-Length: 2\r\n\r\n{}")
        seen = b""
        while b"[DONE]" not in seen:
            seen += client.recv(65536)
    judged = tapped.judged()
    assert judged.standing == "judged"
    assert "connection-cut" not in {finding.quirk for finding in judged.findings}


@pytest.mark.parametrize(("answer", "kind"), [(server.early_sized, "early-end"), (server.early_chunked, "early-end")])
def test_a_provider_that_cuts_is_at_fault(answer: server.Answer, kind: str, provider: Provider, tapped: Tapped) -> None:
    cut = STREAM.removesuffix(EVENTS[-1])
    provider.answer = (
        raw(CHUNKED, chunk(cut))
        if answer is server.early_chunked
        else raw(server.head("200 OK", "Content-Type: text/event-stream", f"Content-Length: {len(cut) + 9}"), cut)
    )
    assert chat(tapped).cut
    judged = tapped.judged()
    assert (judged.standing, judged.complete) == ("judged", False)
    assert "connection-cut" in {finding.quirk for finding in judged.findings}
    assert judged.cassette is not None
    assert read_cassette(judged.cassette)[0].ended.kind == kind


@pytest.mark.parametrize(("status", "saved"), [("429 Too Many Requests", False), ("401 Unauthorized", False)])
def test_an_error_about_access_or_load_is_not_judged(
    status: str, saved: bool, provider: Provider, tapped: Tapped
) -> None:
    provider.answer = sized(b'{"error": {"message": "no"}}', status)
    chat(tapped)
    judged = tapped.judged()
    assert (judged.standing, judged.why, judged.ours) == ("not judged", f"HTTP {status[:3]}", False)
    assert (judged.cassette is not None) is saved


def test_what_is_too_large_to_keep_passes_and_says_so(provider: Provider) -> None:
    event = b": " + b"x" * 50_000 + b"\n\n"
    provider.answer = raw(CHUNKED, *[chunk(event)] * 50, chunk(b""))
    with tapping(provider.url, budget=Budget(each=1 << 20)) as tapped:
        assert chat(tapped).body == event * 50
        judged = tapped.judged()
        assert (judged.standing, judged.ours, judged.size) == ("not judged", True, len(event) * 50)
        assert judged.why == "too large: more than 1 MiB"
        assert ask(f"{tapped.url}/chat/completions", {**BODY, "user": "x" * (2 << 20)}).body == event * 50
        assert tapped.judged().why == "too large: more than 1 MiB"


def test_memory_comes_back_once_an_exchange_is_judged(provider: Provider) -> None:
    provider.answer = raw(CHUNKED, chunk(b": " + b"x" * 20_000 + b"\n\n" + STREAM), chunk(b""))
    with tapping(provider.url, budget=Budget(total=50_000)) as tapped:
        for _ in range(5):
            chat(tapped)
            assert tapped.judged().standing == "judged"


def test_copies_of_all_exchanges_share_their_memory(provider: Provider) -> None:
    both = threading.Barrier(2, timeout=PATIENCE)

    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + chunk(b": " + b"x" * 20_000 + b"\n\n"))
        both.wait()
        connection.sendall(chunk(STREAM) + chunk(b""))

    provider.answer = answer
    bodies: list[bytes] = []
    with tapping(provider.url, budget=Budget(total=35_000)) as tapped:
        threads = [threading.Thread(target=lambda: bodies.append(chat(tapped).body)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        judged = sorted((tapped.judged() for _ in threads), key=lambda one: one.standing)
    assert all(body.endswith(STREAM) for body in bodies)
    assert [one.standing for one in judged] == ["judged", "not judged"]
    assert judged[1].why.startswith("too much at once")


def test_the_end_of_the_judging_process_is_survived(provider: Provider) -> None:
    with tapping(provider.url) as tapped:
        chat(tapped)
        assert tapped.judged().standing == "judged"
        before = {child.pid for child in multiprocessing.active_children()}
        for child in multiprocessing.active_children():
            child.kill()
        assert chat(tapped).body == STREAM
        lost = tapped.judged()
        assert (lost.standing, lost.ours) == ("not judged", True)
        assert "ended unexpectedly" in lost.why
        chat(tapped)
        assert tapped.judged().standing == "judged"
        assert {child.pid for child in multiprocessing.active_children()}.isdisjoint(before)


def test_what_passes_when_the_tap_is_ended_is_cut_and_told(provider: Provider) -> None:
    sent, over = threading.Event(), threading.Event()

    def answer(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + chunk(NO_INDEX))
        sent.set()
        over.wait(PATIENCE)

    provider.answer = answer
    got: list[bool] = []
    with tapping(provider.url) as tapped:
        client = threading.Thread(target=lambda: got.append(chat(tapped).cut))
        client.start()
        assert sent.wait(PATIENCE)
    client.join()
    over.set()
    assert got == [True]
    assert tapped.judged().standing in ("in part", "not judged")


def test_cassettes_stand_beside_those_of_other_taps(provider: Provider, tmp_path: Path) -> None:
    for _ in range(2):
        with tapping(provider.url, save=tmp_path) as tapped:
            chat(tapped)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t-0001.stream-1.yaml", "t-0001.stream.yaml"]

"""From the bytes of an answer to the page that shows them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.faults.catalogue import FAULTS
from conformance.faults.server import FaultServer
from conformance.report.matrix import build
from conformance.run.rows import ExchangeRow
from tests.fake_provider import FakeProvider
from tests.report.examples import NASTY, expectation, finding, observation, provider, record
from tests.report.pages import Page
from tests.site.recorded import REQUEST, Lab, commands, events, marked
from tests.transport.server import Answer, head, raw

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def sse(body: bytes) -> Answer:
    return raw(head("200 OK", "Content-Type: text/event-stream", f"Content-Length: {len(body)}") + body)


def chunk(*entries: Any, reason: str | None = None, **more: Any) -> dict[str, Any]:
    delta = {"tool_calls": list(entries)} if entries else {}
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m1", "choices": [choice], **more}


def opening(arguments: str = "", **fields: Any) -> dict[str, Any]:
    function = {"name": "get_weather", "arguments": arguments}
    return {"index": 0, "id": "call_1", "type": "function", "function": function, **fields}


def piece(arguments: str, **fields: Any) -> dict[str, Any]:
    return {"index": 0, "function": {"arguments": arguments}, **fields}


@pytest.mark.parametrize(
    ("fault", "mode", "slug", "text"),
    [
        ("id-empty-later", "stream", "id-empty-on-continuation", '""'),
        ("index-string", "stream", "index-string", '"0"'),
        ("id-number", "complete", "id-not-string", "7"),
    ],
)
def test_the_offending_part_is_marked(lab: Lab, fault: str, mode: Any, slug: str, text: str) -> None:
    lab.fault(fault, mode)
    assert marked(lab.evidence(slug)) == [text]


def test_an_entry_that_lacks_something_is_marked_itself(lab: Lab) -> None:
    body = events(
        chunk(opening('{"city":"Paris"}')), chunk({"function": {"arguments": ""}}), chunk(reason="tool_calls")
    )
    lab.answer(sse(body.replace(b'{"function":{"arguments":""}}', b'{ "function":{} }')))
    assert marked(lab.evidence("index-missing")) == ['{ "function":{} }']


def test_the_page_says_what_was_expected_what_came_and_what_to_do(lab: Lab) -> None:
    lab.fault("id-empty-later")
    page = Page(lab.evidence("id-empty-on-continuation"))
    assert "id-empty-on-continuation with acme" in page.text
    assert "call_" in page.text
    assert page.row("0")[2:] == ["get_weather", '{"city":"Paris"}', "yes"]
    assert ("../../quirks/id-empty-on-continuation.html", "About the quirk") in page.links
    assert ("../../providers/acme.html", "about the provider") in page.links
    assert "cassettes/acme/id_empty_later.stream.yaml, interaction 0" in page.text
    assert "1/1 recorded here" in page.text


@needs_curl
@pytest.mark.parametrize("mode", ["stream", "complete"])
def test_the_command_asks_the_same_again(lab: Lab, mode: Any, tmp_path: Path) -> None:
    prompt = 'It\'s "quoted", $HOME `id` \\ and!\nnext \u202e line \u2028 \x7f \U000e0041 ü'
    request = {**REQUEST, "messages": [{"role": "user", "content": prompt}]}
    fault = FAULTS["id-number"]
    with FaultServer(fault) as server:
        lab.record(server.url, "single_call", mode, request)
        command = commands(lab.evidence("id-not-string"))[-2]
        assert command.isascii() or all(c.isprintable() or c == "\n" for c in command)
        done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=True, cwd=tmp_path)
    answer_head, _, body = done.stdout.partition(b"\r\n\r\n")
    assert answer_head.startswith(b"HTTP/1.1 200")
    assert body == lab.bodies[0]


@needs_curl
def test_the_command_sends_the_very_request_with_the_key_of_the_shell(lab: Lab) -> None:
    request = {**REQUEST, "messages": [{"role": "user", "content": "It's\n\u202e 'here' \U000e0041"}]}
    with FakeProvider("empty-id") as server:
        lab.record(server.url, "single_call", "stream", request, key="sk-first-0123456789")
        page = lab.evidence("id-missing")
        command = commands(page)[-2]
        environment = {"API_KEY": "sk-second-9876543210", "PATH": "/usr/bin:/bin"}
        subprocess.run(["sh", "-c", command], env=environment, capture_output=True, timeout=60, check=True)
        first, second = server.requests
        assert first == second == {**request, "stream": True}
        assert server.headers[1]["authorization"] == "Bearer sk-second-9876543210"
        assert server.headers[1]["accept"] == server.headers[0]["accept"]
    assert "with a key in API_KEY" in Page(page).text
    assert "sk-first" not in page


def test_how_to_see_it_again(lab: Lab) -> None:
    lab.fault("id-number")
    (again,) = [one for one in commands(lab.evidence("id-not-string")) if "conformance" in one]
    assert again.split("\n") == [
        "conformance inspect 'cassettes/acme/id_number.stream.yaml#0'",
        "conformance run --provider acme --model m1 --scenario id_number --mode stream",
    ]
    done = subprocess.run(
        ["sh", "-c", again.split("\n")[0].replace("conformance", "python -m conformance", 1)],
        capture_output=True,
        cwd=lab.root,
        timeout=60,
        check=False,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": str(Path.cwd())},
    )
    assert done.returncode == 1
    assert b"id-not-string" in done.stdout


def test_what_a_provider_says_stays_text(lab: Lab) -> None:
    entry = opening(json.dumps({"city": NASTY}), id=NASTY)
    entry["function"]["name"] = NASTY
    lab.answer(sse(events(chunk(entry), chunk(piece("", id="")), chunk(reason="tool_calls"))))
    html = lab.evidence("id-empty-on-continuation")
    page = Page(html)
    assert page.tags.count("script") == 1
    assert "<script>alert(1)" not in html
    assert "<script>alert(1)</script>" in page.text
    assert not set("\x1b\x00\u202e\ud83d") & set(page.text)
    assert "\\u202e" in page.text
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]


def test_a_long_stream_is_folded_and_says_what_is_left_out(lab: Lab) -> None:
    text = json.dumps({"city": "x" * 4000})
    pieces = [text[at : at + 2] for at in range(0, len(text), 2)]
    chunks = [chunk(opening()), *(chunk(piece(one)) for one in pieces), chunk(piece("", id="")), chunk(reason="stop")]
    lab.answer(sse(events(*chunks)))
    html = lab.evidence("id-empty-on-continuation")
    page = Page(html)
    assert marked(html) == ['""']
    assert len(html) < 60_000
    # the opening, 2006 pieces of two characters and one of one, then the marked one: the run of pieces is one row
    assert f"{len(pieces) - 1} more deltas (events 2 to {len(pieces)})" in page.text
    assert f"({len(text):,} characters)" in page.text


def test_a_long_part_says_how_much_of_it_is_left_out(lab: Lab) -> None:
    text = json.dumps({"city": "é" * 5000}, ensure_ascii=False)
    lab.answer(sse(events(chunk(opening(text)), chunk(reason="tool_calls"))))
    html = lab.evidence("arguments-in-one-piece")
    head_, tail = marked(html)
    (left_out,) = re.findall(r"\[([0-9,]+) bytes left out\]", Page(html).text)
    # the value is a JSON string: the text, 4 escaped quotation marks in it, and 2 around it
    size = len(text.encode()) + 4 + 2
    assert len((head_ + tail).encode()) + int(left_out.replace(",", "")) == size
    assert "\\x" not in head_ + tail  # no character is cut in two


def test_a_finding_about_the_whole_answer_marks_nothing(lab: Lab) -> None:
    lab.answer(sse(b""))
    (row,) = lab.rows
    slug = row["findings"][0]["quirk"]
    page = lab.evidence(slug)
    assert marked(page) == []
    assert "The body is empty." in Page(page).text


class TestCassettes:
    """What cannot be trusted is said, and never shown."""

    def test_a_changed_byte(self, lab: Lab) -> None:
        name = self.recorded(lab)
        data = (lab.root / name).read_bytes()
        (lab.root / name).write_bytes(data.replace(b"get_weather", b"get_Weather", 1))
        self.says(lab, f"{name} was changed since it was recorded: its checksum does not fit; restore it")

    def test_a_missing_file(self, lab: Lab) -> None:
        name = self.recorded(lab)
        (lab.root / name).unlink()
        self.says(lab, f"{name} is not there; restore it, or record it again")

    def test_another_answer(self, lab: Lab) -> None:
        name = self.recorded(lab)
        first = lab.rows[0]
        lab.fault("id-number")
        lab.rows[:] = [{**first, "sha256": "0" * 64}]
        self.says(lab, f"{name} holds another answer as interaction 0 than the one judged")

    def test_a_shorter_recording(self, lab: Lab) -> None:
        name = self.recorded(lab)
        lab.rows[0]["evidence"] = {"cassette": name, "interaction": 3}
        self.says(lab, f"{name} has no interaction 3, it holds 1 one")

    @pytest.mark.parametrize("name", ["../secret.yaml", "/etc/passwd", "cassettes/../../x", "a\\b", "a\x00b"])
    def test_a_name_that_leads_elsewhere(self, lab: Lab, name: str) -> None:
        self.recorded(lab)
        lab.rows[0]["evidence"] = {"cassette": name, "interaction": 0}
        self.says(lab, "it was not read" if "\x00" not in name else "cannot be read")

    def test_no_recording(self, lab: Lab) -> None:
        self.recorded(lab)
        lab.rows[0]["evidence"] = None
        page = self.says(lab, "judged live and not recorded")
        assert commands(page) == [
            "conformance run --provider acme --model m1 --live --scenario id_number --mode stream"
        ]

    @staticmethod
    def recorded(lab: Lab) -> str:
        row = lab.fault("id-number")
        assert row["evidence"] is not None
        return row["evidence"]["cassette"]

    @staticmethod
    def says(lab: Lab, sentence: str) -> str:
        page = lab.evidence("id-not-string")
        text = Page(page).text
        assert "The bytes cannot be shown: " in text
        assert sentence in text
        assert not marked(page)
        assert "What came" not in text
        assert "the id is 7" in text or "Expected" in text  # what the record says stands anyway
        return page


def test_the_gravest_come_first_and_then_what_was_not_shown_yet(lab: Lab) -> None:
    row = lab.fault("id-number")
    again: list[ExchangeRow] = [{**with_level(row, "must", "a"), "sample": sample} for sample in (1, 2)]
    lab.rows[:] = [with_level(row, level, name) for level, name in (("info", "c"), ("must", "a"), ("should", "b"))]
    lab.rows += again
    html = lab.evidence("id-not-string")
    names = re.findall(r'<h3 id="exchange-\d">(.*?)</h3>', html)
    assert names == ["a/stream", "b/stream", "c/stream", "a/stream sample 1", "a/stream sample 2"]


def with_level(row: ExchangeRow, level: Any, scenario: str) -> ExchangeRow:
    return {**row, "scenario": scenario, "findings": [{**one, "level": level} for one in row["findings"]]}


def test_many_findings_are_named_and_few_are_shown(lab: Lab) -> None:
    row = lab.fault("id-number")
    lab.rows[:] = [{**row, "scenario": f"scenario_{number:03}"} for number in range(130)]
    page = Page(lab.evidence("id-not-string"))
    assert "5 of 130 exchanges" in page.text
    assert "and 25 more findings" in page.text  # 130 - 5 - 100


def test_published_and_reported_evidence_has_its_links(lab: Lab) -> None:
    expected = {**expectation("id-not-string", "it always did"), "source": "https://example.org/x (2026-01-02)"}
    matrix = build(
        record(providers=[provider(expectations=[expected])]),
        observations=[observation(quirk="id-not-string", found=2, applicable=5)],
    )
    page = Page(lab.evidence("id-not-string", matrix))
    commit = "0123456789abcdef0123456789abcdef01234567"
    assert any(
        address == f"https://github.com/octo/agent/blob/{commit}/tests/cassettes/tools.yaml"
        for address, _ in page.links
    )
    assert "2 of 5 exchanges" in page.text
    assert "Apache-2.0" in page.text
    assert "model m9" in page.text
    assert any(address == "https://example.org/x" for address, _ in page.links)
    assert "it always did" in page.text
    assert "Recorded here" not in page.text


def test_an_expected_finding_says_so(lab: Lab) -> None:
    row = lab.fault("id-number")
    lab.rows[:] = [{**row, "findings": [{**one, "expected_by": "known for years"} for one in row["findings"]]}]
    page = Page(lab.evidence("id-not-string"))
    assert "known for years" in page.text
    assert "1 expected" in page.text


def test_a_quirk_of_a_later_version_has_a_page(lab: Lab) -> None:
    row = lab.fault("id-number")
    lab.rows[:] = [{**row, "findings": [finding("brand-new-quirk")]}]
    page = Page(lab.evidence("brand-new-quirk"))
    assert "not in this version's catalogue" in page.text


def test_the_same_input_gives_the_same_page(lab: Lab) -> None:
    lab.fault("id-number")
    assert lab.evidence("id-not-string") == lab.evidence("id-not-string")

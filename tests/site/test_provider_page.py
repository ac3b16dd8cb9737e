"""From recorded streams to the page of a provider."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conformance.quirks.registry import get
from conformance.report.matrix import build
from tests.report.examples import NASTY, expectation, missing, observation, provider, record
from tests.report.pages import Page
from tests.site.recorded import Lab, commands
from tests.transport.server import Answer, chunk, head, raw

STREAMED = head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def streaming(*pieces: str, call_id: str = "call_1", name: str = "get_weather") -> Answer:
    """A call whose arguments come in these pieces, each event in a chunk of its own."""
    function: dict[str, Any] = {"name": name, "arguments": pieces[0]}
    deltas: list[dict[str, Any]] = [
        {"tool_calls": [{"index": 0, "id": call_id, "type": "function", "function": function}]},
        *({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces[1:]),
    ]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m1"}
    lines = [json.dumps({**base, "choices": [choice]}) for choice in choices]
    return raw(STREAMED, *(chunk(f"data: {line}\n\n".encode()) for line in [*lines, "[DONE]"]), chunk(b""))


def test_quirks_stand_by_level_with_counts_and_lead_to_evidence(lab: Lab) -> None:
    lab.fault("id-empty-later")
    page = Page(lab.provider())
    row = next(cells for cells in page.cells if cells[0].startswith("id-empty-on-continuation"))
    assert row[1].strip() == "✕ 1/1 found-unexpected"
    assert ("../evidence/acme/id-empty-on-continuation.html", "evidence of id-empty-on-continuation") in page.links
    heads = [page.text.index(name) for name in ("Should: ", "evidence of id-empty-on-continuation", "Info: ")]
    assert heads == sorted(heads)


def test_the_guards_of_what_was_found_stand_together(lab: Lab) -> None:
    lab.fault("id-empty-later")
    lab.fault("index-string", "stream")
    html = lab.provider()
    quirks = [get(slug) for slug in ("index-string", "id-empty-on-continuation")]
    codes = "\n".join(commands(html))
    for quirk in quirks:
        assert f"# {quirk.slug}: {quirk.title}" in codes
        assert quirk.guard_python in codes
        assert quirk.guard_typescript in codes
    # a legal variation needs no guard
    assert "# arguments-in-one-piece" not in codes


def test_a_guard_says_what_it_rests_on(lab: Lab) -> None:
    lab.fault("id-empty-later")
    reported = expectation("arguments-truncated", "it stops at times")
    matrix = lab.matrix(
        providers=[provider(expectations=[reported])], observations=[observation(quirk="id-duplicated", level="must")]
    )
    text = Page(lab.provider(matrix)).text
    assert "id-empty-on-continuation (should, found here)" in text
    assert "id-duplicated (must, found in published recordings)" in text
    assert "arguments-truncated (must, only reported)" in text


def test_what_was_found_stands_before_what_is_only_reported(lab: Lab) -> None:
    lab.fault("id-empty-later")
    matrix = lab.matrix(
        providers=[provider(expectations=[expectation("index-string"), expectation("role-missing")])],
        # of level must as a rule, and found as should; and one that was looked for in vain
        observations=[
            observation(quirk="id-duplicated", level="should"),
            observation(quirk="id-late", level="should", found=0),
            observation(quirk="id-empty-on-continuation", level="must"),  # graver than what was found here
        ],
    )
    html = lab.provider(matrix)
    text = Page(html).text
    title = "Only reported by others (not seen in the 1 exchange here or in 5 published exchanges)"
    order = [
        "Should: ",
        "evidence of id-empty-on-continuation",
        "evidence of id-duplicated",
        "Info: ",
        title,
        "evidence of index-string",
        "evidence of role-missing",
        "id-empty-on-continuation (should, found here)",
        "id-duplicated (should, found in published recordings)",
        "index-string (must, only reported)",
        "role-missing (should, only reported)",
    ]
    places = [text.index(one) for one in order]
    assert places == sorted(places)
    assert "Must: " not in text
    codes = "\n".join(commands(html))
    assert codes.index("# id-empty-on-continuation: ") < codes.index("# index-string: ")
    assert f"# index-string: {get('index-string').title} (only reported)" in codes


def test_of_a_provider_that_nobody_recorded_all_is_only_reported(lab: Lab) -> None:
    matrix = build(record(providers=[provider(recorded=False, expectations=[expectation("index-missing")])]))
    text = Page(lab.provider(matrix)).text
    assert "Only reported by others" in text
    assert "not seen" not in text
    assert "Must: " not in text


def test_ids_and_their_form(lab: Lab) -> None:
    lab.answer(streaming('{"city":"Paris"}', call_id="call_0a1b"), "first")
    lab.answer(streaming('{"city":"Paris"}', call_id="call_2c3d"), "second")
    page = Page(lab.provider())
    assert page.row("call_") == ["call_", "lower-case hexadecimal digits", "9", "2", "call_0a1b, call_2c3d"]
    assert "2 calls in the recorded answers, with 2 different ids" in page.text


def test_sizes_of_argument_fragments(lab: Lab) -> None:
    # 1, 6, 4, 5 and 2 characters; the bins are 1, 2, 3–4, 5–8
    lab.answer(streaming("{", '"city"', ': "P', "aris ", '"}'))
    html = lab.provider()
    page = Page(html)
    table = page.cells[page.cells.index(["characters", "how many"]) :][1:5]
    assert table == [["1", "1"], ["2", "1"], ["3–4", "1"], ["5–8", "2"]]
    assert "5 values: from 1 to 6 characters, median 4." in page.text


def test_arrivals_are_counted(lab: Lab) -> None:
    lab.answer(streaming("{", '"city":', '"Paris"}'))
    page = Page(lab.provider())
    tables = [number for number, cells in enumerate(page.cells) if cells == ["ms", "how many"]]
    first, pauses = (counted(page.cells[start + 1 :]) for start in tables)
    row = lab.rows[0]
    assert first == 1
    assert row["evidence"] is not None
    recorded = (lab.root / row["evidence"]["cassette"]).read_text()
    pieces = json.loads(re.findall(r"pieces: (\[.*\])", recorded)[0])
    assert pauses == len(pieces) - 1
    assert "1 streamed answer" in page.text
    assert "The server ran on the machine that asked" in page.text


def counted(rows: list[list[str]]) -> int:
    """The sum of a table's second column."""
    total = 0
    for cells in rows:
        if not re.match(r"\d", cells[0]):
            break
        total += int(cells[1])
    return total


def test_plots_are_drawings_and_nothing_else(lab: Lab) -> None:
    lab.answer(streaming("{", "}"))
    html = lab.provider()
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(drawings) >= 2
    for drawing in drawings:
        tree = ElementTree.fromstring(drawing)
        names = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert names <= {"svg", "g", "rect", "path", "text", "title", "desc"}
        attributes = {key for element in tree.iter() for key in element.attrib}
        assert not {key for key in attributes if key == "style" or "href" in key or key.startswith("on")}
        labels = (tree.get("aria-labelledby") or "").split()
        told = {element.get("id"): element.text for element in tree.iter() if element.get("id")}
        assert set(labels) == set(told)
        assert all(told.values())
        assert tree.get("role") == "img"
        assert "2026" not in drawing.replace("2026-", "")  # pygal's comments hold the day
    assert html == lab.provider()


def test_a_recording_that_cannot_be_read_is_named(lab: Lab) -> None:
    lab.answer(streaming("{", "}"), "first")
    lab.answer(streaming("{", "}"), "second")
    (lab.root / "cassettes/acme/second.stream.yaml").write_bytes(b"")
    page = Page(lab.provider())
    assert "1 recorded stream left out: cassettes/acme/second.stream.yaml is empty; restore it" in page.text
    assert "1 streamed answer, recorded" in page.text


def test_what_a_provider_says_stays_text(lab: Lab) -> None:
    lab.answer(streaming(json.dumps({NASTY: NASTY}), call_id=NASTY, name=NASTY))
    about = provider(models=[NASTY, "m1"], source=[NASTY], verified=NASTY, base_url=NASTY)
    about["expectations"] = [expectation("comment", NASTY)]  # type: ignore[list-item]
    matrix = lab.matrix(missing("acme", "no_call", detail=NASTY, fix=NASTY), providers=[about])
    html = lab.provider(matrix)
    page = Page(html)
    assert page.tags.count("script") == 1
    assert "<script>alert(1)" not in html
    assert "<script>alert(1)</script>" in page.text
    assert not set("\x1b\x00\u202e\ud83d") & set(page.text)


def test_what_was_not_run_says_why_and_what_helps(lab: Lab) -> None:
    lab.fault("id-number")
    page = Page(lab.provider(lab.matrix(missing("acme", "no_call", detail="no route to host", fix="plug it in"))))
    assert "no_call/stream: no route to host" in page.text
    assert "plug it in" in page.text


def test_expectations_say_how_they_fared(lab: Lab) -> None:
    lab.fault("id-number")
    about = provider(expectations=[expectation("id-not-string", "it always did"), expectation("done-missing")])
    page = Page(lab.provider(lab.matrix(providers=[about])))
    assert page.row("acme", "done-missing")[5] == "not found, in too few exchanges to disprove it"


def test_a_provider_that_was_never_recorded_says_so_first(lab: Lab) -> None:
    matrix = build(
        record(providers=[provider(recorded=False)]),
        observations=[observation(quirk="id-not-string", found=2, applicable=5)],
    )
    page = Page(lab.provider(matrix))
    assert "Never measured here: published recordings (5 exchanges, 1 model named, 2025-01 to 2026-03)" in page.text
    assert page.text.index("Nothing on this page was measured here") < page.text.index("Must: ")
    assert "Pace of its streams" not in page.text
    assert any("github.com/octo/agent/tree/" in address for address, _ in page.links)

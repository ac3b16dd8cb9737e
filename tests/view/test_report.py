"""The report on one exchange, as text: what a person finds in it, at any width, for any bytes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cli.text import rendered
from conformance.faults import FAULTS
from conformance.faults.respond import respond
from conformance.model import Exchange, Mode, Piece
from conformance.quirks import judge
from conformance.run.selftest import request_for
from conformance.view.report import Options, report
from conformance.wire.read import read
from tests.wire.helpers import chunk, entries, entry, sse

MERGED = sse(
    chunk({"role": "assistant", "content": None}),
    entries(entry(0, "call_a", "get_weather", '{"city":"Paris"}', type="function")),
    entries(entry(..., "call_b", "get_time", '{"zone":"UTC"}', type="function")),
    chunk({}, "tool_calls"),
)
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]")


def shown(exchange: Exchange | bytes, width: int = 80, wrapped: bool = True, options: Options = Options()) -> str:  # noqa: B008
    """The report as text without colours."""
    t = read(exchange if isinstance(exchange, Exchange) else Exchange("file#0", exchange, status=None))
    return rendered(report(t, judge(t), options), width=width, wrapped=wrapped)


def section(text: str, title: str) -> list[str]:
    """The lines of one section."""
    _, _, rest = text.partition(f"\n{title}")
    return rest.partition("\n\n")[0].splitlines()[1:]


def test_events_with_their_findings() -> None:
    lines = [line.split(maxsplit=3) for line in section(shown(MERGED), "events")]
    assert lines[0] == ["event", "byte", "bytes", "carries"]
    assert [line[0] for line in lines[1:]] == ["0", "1", "2", "▲", "3", "4"]
    assert lines[3][3] == """call 1 opens get_time ! '{"zone":"UTC"}'"""
    assert lines[4] == ["▲", "must", "index-missing", "call 1"]


def test_times_where_they_are_known() -> None:
    body = sse(chunk({"role": "assistant", "content": "a"}), chunk({"content": "b"}), chunk({}, "stop"))
    sizes = [len(part) + 2 for part in body.split(b"\n\n")[:-1]]
    pieces = tuple(Piece(at, size) for at, size in zip((100, 105, 405, 410), sizes, strict=True))
    text = shown(Exchange("x", body, pieces=pieces))
    assert [line.split()[3] for line in section(text, "events")[1:5]] == ["100", "105", "405", "410"]
    assert "first event after 100 ms, last after 410 ms, longest pause 300 ms before event 2" in text
    assert " ms" not in shown(body)


def test_calls_side_by_side_where_there_is_room() -> None:
    wide = section(shown(MERGED, width=120), "deltas")
    assert wide[0].split() == ["event", "call", "0", "call", "1"]
    rows = [line for line in wide[1:] if line.lstrip()[:1].isdigit()]
    assert [line.split()[:3] for line in rows] == [["1", "index", "0"], ["2", "!", "no"]]
    narrow = shown(MERGED, width=60)
    assert narrow.count("event  call ") == 2  # one below the other


def test_how_accumulators_are_wrong() -> None:
    text = shown(MERGED, width=300)
    lines = section(text, "what documented accumulators make of it")
    wrong = lines.index(next(line for line in lines if "default-index-to-zero" in line))
    assert [line.strip() for line in lines[wrong + 1 : wrong + 3]] == [
        "runs 0 calls instead of 2",
        """cannot run 'get_time': its arguments are '{"city":"Paris"}{"zone":"UTC"}'""",
    ]
    # key-by-id files each of these calls under its id, and comes to the right ones
    assert "key-by-id" in next(line for line in lines if line.startswith("  right"))


def test_an_accumulator_that_honest_bytes_break_too_is_not_held_against_the_answer() -> None:
    honest = sse(
        chunk({"role": "assistant", "content": None}),
        entries(entry(0, "call_a", "get_weather", "")),
        entries(entry(0, arguments="{}")),
        chunk({}, "tool_calls"),
    )
    lines = section(shown(honest, width=300), "what documented accumulators make of it")
    assert [line for line in lines if "wrong" in line] == [
        "  wrong  key-by-id (with honest bytes for the same calls as well)"
    ]


@pytest.mark.parametrize(
    ("language", "code"), [("python", "if entry.index is not None:"), ("typescript", "entry.index ??")]
)
def test_the_guard_in_either_language(language: str, code: str) -> None:
    text = shown(MERGED, 300, options=Options(language=language))  # type: ignore[arg-type]
    assert any(line.startswith(f"      {language}") and code in line for line in text.splitlines())


def long_stream(events: int) -> bytes:
    """A call whose arguments come in this many pieces, every one with an empty id."""
    head = entries(entry(0, "call_a", "write", '{"text":"'))
    pieces = [entries(entry(0, "", arguments=f"{number:05} ")) for number in range(events)]
    return sse(head, *pieces, entries(entry(0, arguments='"}')), chunk({}, "tool_calls"))


def test_twenty_thousand_events_stay_readable() -> None:
    text = shown(long_stream(20_000))
    assert len(text.splitlines()) < 80
    assert "2–20000" in text
    assert "19999 pieces, 119994 characters" in text


def test_what_cannot_be_folded_is_bounded_and_can_be_had() -> None:
    body = sse(*(entries(entry(n % 2, f"call_{n}" if n < 2 else ..., arguments="1")) for n in range(200)))
    rows = section(shown(body), "events")
    assert sum(line.lstrip()[:1].isdigit() for line in rows) == 24
    (gap,) = [line for line in rows if "rows left out" in line]
    assert "177 rows left out, --events all shows them" in gap
    assert (
        sum(line.lstrip()[:1].isdigit() for line in section(shown(body, options=Options(events=None)), "events")) == 201
    )
    assert "\nevents" not in shown(body, options=Options(events=0))


def test_many_calls_are_bounded() -> None:
    body = sse(*(entries(entry(n, f"call_{n}", "f", "{}")) for n in range(30)))
    assert "22 more calls, --events all shows them" in shown(body)
    assert "call 29" in "".join(section(shown(body, 100, options=Options(events=None)), "deltas")) + shown(body)


def test_many_findings_of_one_quirk_are_bounded_and_share_their_guard() -> None:
    body = sse(
        *(entries(entry(..., f"call_{n}", "f", "{}", type="function")) for n in range(9)), chunk({}, "tool_calls")
    )
    lines = section(shown(body), "findings")
    assert sum(line.startswith("  must index-missing: call ") for line in lines) == 6
    assert "      " + " " * 10 + "and 3 more like this, --format json has all" in lines
    assert sum(line.startswith("      guard ") for line in lines) == 1


def test_numbers_agree_with_their_nouns() -> None:
    text = shown(sse("{}", done=False))
    assert "stream, 1 event, 10 bytes" in text


@pytest.mark.parametrize("mode", ["stream", "complete"])
def test_every_fault_fits_into_eighty_columns(mode: Mode) -> None:
    for fault in FAULTS.values():
        if mode not in fault.modes:
            continue
        request = request_for(fault, mode)
        wire = respond(request, fault)
        text = shown(Exchange("x#0", wire.body, wire.status, dict(wire.headers), request=request))
        code = re.compile(r"      (python|typescript) |                ")  # is not wrapped into other code
        assert all(len(line) <= 80 for line in text.splitlines() if not code.match(line)), fault.name


@given(st.binary(max_size=300), st.sampled_from([20, 80]))
def test_any_bytes_make_a_report_without_control_characters(noise: bytes, width: int) -> None:
    for body in (noise, b"data: " + noise + b"\n\n", MERGED[:250] + noise + MERGED[250:]):
        for wrapped in (True, False):
            assert not CONTROL.search(shown(body, width, wrapped))


@given(st.text(max_size=40))
def test_names_ids_and_arguments_come_out_harmless(text: str) -> None:
    body = sse(entries(entry(0, text, text, text, **{text or "x": text})), chunk({"content": text}, text))
    assert not CONTROL.search(shown(body))

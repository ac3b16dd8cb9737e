"""The terminal view: verdicts first, then what is unexpected, then what is missing; plain in a pipe."""

from io import StringIO

import pytest

from conformance.report.matrix import build
from conformance.report.terminal import render, show
from tests.report.examples import exchange, finding, missing, nasty, provider, record


class Terminal(StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_one_fact_per_line() -> None:
    text = render(
        build(
            record(
                exchange("acme", "single_call", "stream", finding()),
                exchange("zeta"),
                exchange("zeta", "single_call", "complete"),
                missing("acme", "two_tools"),
                providers=[provider("acme"), provider("zeta"), provider("other", recorded=False)],
            )
        )
    )
    assert text.splitlines() == [
        "acme m1: needs guards: index-missing (1 of 2 exchanges not run)",
        "zeta m1: safe",
        "no recording: other",
        (
            "✕ must index-missing: acme: 1/1, cassettes/acme/single_call.stream.yaml interaction 0, event 3, byte 812, "
            "/choices/0/delta/tool_calls/0"
        ),
        "! acme: 1 exchange not run: refused: connection refused; what helps: start the server",
        (
            "3 exchanges judged, 1 unexpected finding at must, 0 at should, 0 stale expectations, 1 not run, "
            "1 of 3 rows without a recording."
        ),
    ]


def test_a_pipe_gets_plain_text() -> None:
    matrix, pipe = build(nasty()), StringIO()
    show(matrix, pipe)
    assert pipe.getvalue() == render(matrix)


@pytest.mark.parametrize("stream", [StringIO, Terminal])
def test_what_providers_write_cannot_drive_the_terminal(
    stream: type[StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    out = stream()
    show(build(nasty()), out)
    assert "\\x1b[31m\\x00" in out.getvalue()
    assert not any(character in out.getvalue() for character in "\x00\u202e\ud83d")
    assert "\x1b[31m" not in out.getvalue()


def test_a_terminal_gets_a_table_with_the_same_verdicts() -> None:
    out = Terminal()
    show(build(record(exchange("acme", "single_call", "stream", finding()))), out)
    assert "provider" in out.getvalue()
    assert "needs guards: index-missing" in out.getvalue()


def test_an_incomplete_record_says_so_first() -> None:
    assert render(build(record(exchange(), finished=False))).startswith("INCOMPLETE")
    out = Terminal()
    show(build(record(exchange(), finished=False)), out)
    assert "INCOMPLETE" in out.getvalue()


def test_nothing_measured_says_so() -> None:
    assert render(build(record())).startswith("Nothing was measured")


def test_many_unexpected_cells_are_cut_and_counted() -> None:
    names = [f"p{n}" for n in range(25)]
    text = render(build(record(*(exchange(name, "single_call", "stream", finding()) for name in names))))
    assert text.count("✕") == 20
    assert "and 5 more" in text


def test_stale_expectations_are_listed() -> None:
    stale = [{"provider": "acme", "quirk": "index-missing", "applicable": 1}]
    text = render(build(record(exchange(), stale=stale)))
    assert "≠ stale expectation: acme: index-missing: not found in 0/1" in text

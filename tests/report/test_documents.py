"""`quirks.md` and `quirks.html` say the same things, and hold whatever providers write as text."""

import re
from collections.abc import Callable

import pytest

from conformance.report import html, markdown
from conformance.report.matrix import Matrix, build
from conformance.run.record import Record
from tests.report.examples import (
    NASTY,
    call,
    exchange,
    expectation,
    finding,
    missing,
    nasty,
    provider,
    record,
)
from tests.report.pages import Page, page_of_markdown

View = Callable[..., Page]


def _markdown(*records: Record, base: str = "../") -> Page:
    return page_of_markdown(markdown.render(build(*records), base))


def _html(*records: Record, base: str = "../") -> Page:
    return Page(html.render(build(*records), base))


@pytest.fixture(params=[_markdown, _html], ids=["markdown", "html"])
def view(request: pytest.FixtureRequest) -> View:
    found: View = request.param
    return found


def test_a_cell_says_how_often_and_leads_to_the_evidence(view: View) -> None:
    page = view(
        record(
            exchange("acme", "single_call", "stream", finding()),
            exchange("acme", "two_tools"),
            exchange("zeta"),
            missing("zeta", "two_tools"),
        )
    )
    assert ["index-missing", "must", "✕ 1/2", "✓ 0/1 !1"] in [[cell.strip() for cell in row] for row in page.cells]
    assert "#evidence-index-missing--acme" in page.values("href")
    assert "../cassettes/acme/single_call.stream.yaml" in page.values("href")
    assert "event 3, byte 812, /choices/0/delta/tool_calls/0" in page.text


def test_every_link_inside_leads_somewhere(view: View) -> None:
    page = view(
        record(
            exchange("acme", "single_call", "stream", finding("index-stray-tail"), calls=[call(usable=False)]),
            exchange("acme", "single_call", "complete", finding("call-in-content")),
            exchange("zeta", "single_call", "stream", finding("comment", "info")),
        )
    )
    targets = [link[1:] for link in page.values("href") if link.startswith("#")]
    assert len(targets) >= 3
    assert set(targets) <= set(page.values("id"))
    assert len(set(page.values("id"))) == len(page.values("id"))


def test_the_verdict_line_and_its_guards(view: View) -> None:
    page = view(
        record(
            exchange("acme", "single_call", "stream", finding("index-stray-tail"), calls=[call(usable=False)]),
            exchange("acme", "single_call", "complete", finding("call-in-content")),
        )
    )
    verdict = page.row("acme", "m1")[2]
    assert re.sub(r"\s+", " ", verdict) == (
        "do not stream tools: index-stray-tail; without streaming needs guards: call-in-content"
    )
    assert "Do not run a call whose pieces came under different indexes" in page.text
    assert page.row("acme", "m1")[-1] == "2026-11-01"


def test_providers_without_a_recording_keep_their_row(view: View) -> None:
    row = view(record(exchange(), providers=[provider(), provider("zeta", recorded=False, verified="never")])).row(
        "zeta"
    )
    assert "no recording" in row[2]
    assert row[-1] == "never"


def test_what_was_not_run_says_why_and_what_helps(view: View) -> None:
    page = view(record(exchange(), missing("acme", "two_tools"), missing("acme", "no_call")))
    assert "refused" in page.text
    assert "connection refused" in page.text
    assert "start the server" in page.text
    assert "no_call/stream, two_tools/stream" in page.text


def test_expectations_are_listed_with_reason_source_and_standing(view: View) -> None:
    known = provider(expectations=[expectation("index-missing", "known since spring")])
    page = view(
        record(exchange("acme", "single_call", "stream", finding(expected_by="known since spring")), providers=[known])
    )
    assert page.row("acme", "index-missing")[2:] == [
        "everywhere",
        "known since spring",
        "reference 000 §5",
        "⊘ found in 1 exchange",
    ]


def test_quirks_found_nowhere_are_named_with_what_could_have_shown_them(view: View) -> None:
    page = view(
        record(exchange(applicable=["index-missing"]), exchange("acme", "two_tools", applicable=["index-missing"]))
    )
    text = page.text.replace("\xa0", " ")
    assert "index-missing (2)" in text
    assert "comment" in text.partition("Not applicable anywhere")[2]
    assert "index-missing" not in text.partition("Not applicable anywhere")[2]


def test_an_incomplete_record_says_so_loudly(view: View) -> None:
    assert "INCOMPLETE" in view(record(exchange(), finished=False)).text
    assert "INCOMPLETE" not in view(record(exchange())).text


def test_nothing_measured_says_so(view: View) -> None:
    for empty in (record(), record(missing()), record(providers=[provider(recorded=False)])):
        assert "Nothing was measured" in view(empty).text


def test_what_providers_write_stays_text(view: View) -> None:
    page = view(nasty())
    assert "script" not in page.tags
    assert "<script>alert(1)</script> | `x` ``y`` [a](b) *b* @octo \\x1b[31m\\x00 \\n# head \\u202e" in page.text
    assert not any(character in page.text for character in "\x00\x1b\u202e\ud83d")
    assert "b" not in page.values("href")
    widths = [len(row) for row in page.cells]
    assert widths == [len(row) for row in view(_tame(nasty())).cells]


def test_a_cassette_cannot_lead_out_of_the_report(view: View) -> None:
    odd = {"cassette": 'javascript:alert(1)"<x>.yaml', "interaction": 0}
    for base in ("../", ""):
        page = view(record(exchange("acme", "single_call", "stream", finding(), evidence=odd)), base=base)
        assert not [link for link in page.values("href") if link.lower().startswith("javascript:")]
        assert "x" not in page.tags


def test_live_findings_name_the_exchange_instead_of_a_file(view: View) -> None:
    page = view(record(exchange("acme", "single_call", "stream", finding(), evidence=None), run_mode="live"))
    assert "single_call/stream" in page.text
    assert not [link for link in page.values("href") if "cassette" in link]


def _many() -> Record:
    names = [f"provider-{n:02}" for n in range(25)]
    return record(*(exchange(name, "single_call", "stream", finding()) for name in names))


def test_twenty_five_providers_fit_a_page_of_github() -> None:
    page = _markdown(_many())
    grids = [row for row in page.cells if row[:2] == ["quirk", "level"] and "guard" not in row]
    assert [len(row) - 2 for row in grids] == [8, 8, 8, 1]
    assert [name for row in grids for name in row[2:]] == [f"provider-{n:02}" for n in range(25)]


def test_twenty_five_providers_are_columns_of_one_table_in_html() -> None:
    (row,) = [row for row in _html(_many()).cells if row[:2] == ["index-missing", "must"] and len(row) > 5]
    assert [cell.strip() for cell in row[2:]] == ["✕ 1/1"] * 25


def test_the_page_needs_nothing_from_outside() -> None:
    page = _html(_many(), nasty())
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not page.values("src")
    text = html.render(build(_many()))
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text
    assert "url(" not in text
    assert "prefers-color-scheme: dark" in text
    assert "position: sticky" in text


def test_long_evidence_is_cut_and_counted(view: View) -> None:
    page = view(record(*(exchange("acme", f"s{n:02}", "stream", finding()) for n in range(30))))
    assert "and 27 more" in page.text or "and 25 more" in page.text
    assert len(page.text) < 12_000


def test_the_same_record_gives_the_same_text() -> None:
    matrices: list[Matrix] = [build(nasty(), _many()), build(_many(), nasty())]
    assert markdown.render(matrices[0]) == markdown.render(matrices[1])
    assert html.render(matrices[0]) == html.render(matrices[1])


def _tame(only: Record) -> Record:
    """The same record with harmless words in place of the nasty ones."""
    import json
    from dataclasses import replace

    def swap(value: object) -> object:
        return json.loads(json.dumps(value).replace(json.dumps(NASTY)[1:-1], "word"))

    return replace(only, header=swap(only.header), exchanges=tuple(map(swap, only.exchanges)))  # type: ignore[arg-type]

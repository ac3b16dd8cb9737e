"""The pages about clients: what they say, links, barriers, and hostile text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from conformance.cli import call
from conformance.impact.table import table
from conformance.site.build import build
from tests.impact.made_up import client, clients
from tests.report.pages import Page as Parsed
from tests.site.browser import NARROW, WIDE, violations, visiting
from tests.site.made_up import CLOSING, IMAGE, SCRIPT, matrix
from tests.site.recorded import Lab
from tests.transport.server import sized

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KINDS = ("index", "providers", "agno", "agno-openai-1-0", "providers-x", "evil")


@pytest.fixture(scope="package")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the invented providers and of clients with every outcome, hostile ones among them."""
    root = tmp_path_factory.mktemp("clients")
    lab = Lab(root)
    lab.answer(sized(b'data: {"choices": []}\n\ndata: [DONE]\n\n', "200 OK", "Content-Type: text/event-stream"))
    outcomes = {
        "id-empty-on-continuation": {"stream": "wrong-id"},
        "index-missing": {"stream": "merged", "complete": "right"},
        "comment": {"stream": "raised"},
        "bom": {"stream": "right"},
        "event-named": {"stream": "not-applicable"},
        "call-in-content": {"stream": "truncated-run", "complete": "hung"},
    }
    faults = {
        "id-empty-on-continuation": "later-id-empty",
        "index-missing": "index-missing",
        "comment": "comments",
        "call-in-content": "markup-in-content",
    }
    evil = client("evil", outcomes, faults=faults)
    evil |= {
        "title": SCRIPT,
        "drives": IMAGE,
        "version": CLOSING,
        "home": "javascript:alert(4)",
        "packages": {SCRIPT: "1"},
    }
    evil["outcomes"][0]["faults"][0] |= {"detail": IMAGE, "raw": SCRIPT + CLOSING}
    agno = client("agno", outcomes, faults=faults)
    agno["control"] = [{"request": "honest-two", "mode": "stream", "outcome": "dropped", "detail": IMAGE}]
    said = clients(
        agno,
        client("agno (openai==1.0)", {"comment": {"stream": "right"}, "index-missing": {"stream": "dropped"}}),
        client("providers", {}, judged=False),
        evil,
    )
    build(matrix(lab), root / "site", root=root, clients=table(said))
    return root / "site"


def test_a_client_says_what_breaks_it_with_raw_output_and_where(pages: Path) -> None:
    text = " ".join(Parsed((pages / "clients/agno.html").read_text("utf-8")).text.split())
    assert "Agno 1.2.3" in text
    assert "3 quirks make it lose or corrupt calls without a word, 1 with an error; it survives 1." in text
    assert '{"case":"index-missing-fault.stream"}' in text
    assert "what came of index-missing" in text
    where = text[text.index("On which providers") : text.index("What breaks it")]
    beta = where[where.index("beta") : where.index("alibaba-compatible")]
    # the gravest first, what bytes show before what is only reported, and what is loud last
    assert re.sub(r"\s+", "", beta) == (
        "betaindex-missing✕mergedstreamed●1/1recorded"
        "id-empty-on-continuation✕wrong-idstreamed●1/1recorded"
        "comment!raisedstreamed●1/1recorded"  # a report of call-in-content, which no recording bears out, is not sure
    )
    assert "delta index-missing✕ merged streamed◆ 2/5 published".replace(" ", "") in where.replace(" ", "")
    unjudged = Parsed((pages / "clients/providers-x.html").read_text("utf-8")).text
    assert "Not judged: it raised on an honest answer" in unjudged
    assert "On which providers" not in unjudged


def test_client_by_provider_names_the_quirks_and_keeps_nothing_known_apart(pages: Path) -> None:
    text = " ".join(Parsed((pages / "clients/providers.html").read_text("utf-8")).text.split())
    assert "✕ wrong-id id-empty-on-continuation ● 1/1" in text
    assert "Nothing known does not mean safe" in text
    assert "Nothing that clients were asked about is known of" in text


def test_what_breaks_my_client_on_a_provider_is_two_clicks_away_with_the_guard(pages: Path) -> None:
    beta = Parsed((pages / "providers/beta.html").read_text("utf-8"))
    text = " ".join(beta.text.split())
    said = text[text.index("Client libraries that it harms") : text.index("What a client needs to survive it")]
    assert "Lose or corrupt calls on it without a word: 2 of 3." in said
    sure, _, folded = said.partition("It depends on the form of the answer: 3 clients")
    bare = "".join(sure.split())
    assert "agno1.2.3index-missing✕mergedstreamed●1/1recordedguardagainstindex-missing" in bare
    assert "agno (openai==1.0)" not in sure  # no planted answer of this form is known of it
    assert "agno(openai==1.0)1.2.3index-missing✕dropped" in "".join(folded.split())
    assert "Gets honest answers wrong, whatever the provider: agno 1.2.3." in said
    links = set(beta.values("href"))
    assert {"../clients/agno.html#on-beta", "../quirks/index-missing.html#guard"} <= links
    assert "providers/beta.html" in Parsed((pages / "index.html").read_text("utf-8")).values("href")


def test_honest_answers_that_a_client_gets_wrong_are_marked_wherever_it_stands(pages: Path) -> None:
    for name, says in (
        ("agno", "‼ Gets honest answers wrong, whatever the provider: two calls at once (streamed): dropped"),
        ("index", "‼ Gets honest answers wrong, whatever the provider: agno 1.2.3: two calls at once"),
        ("providers", "agno ‼"),
    ):
        assert says in " ".join(Parsed((pages / f"clients/{name}.html").read_text("utf-8")).text.split()), name


def test_a_quirk_says_whom_it_breaks_and_in_which_version(pages: Path) -> None:
    text = " ".join(Parsed((pages / "quirks/comment.html").read_text("utf-8")).text.split())
    assert "agno1.2.3! raisedwhat came of comment" in text
    assert "Come out right: agno (openai==1.0) 1.2.3." in text
    assert "Documented accumulators" in text


def test_every_link_of_and_to_these_pages_leads_somewhere(pages: Path) -> None:
    parsed = {path: Parsed(path.read_text(encoding="utf-8")) for path in sorted(pages.rglob("*.html"))}
    places = {path: set(page.values("id")) for path, page in parsed.items()}
    reached, broken = set(), []
    for path, page in parsed.items():
        assert len(page.values("id")) == len(places[path]), path
        for address in {*page.values("href"), *page.values("src")}:
            name, _, fragment = address.partition("#")
            target = (path.parent / unquote(name)).resolve() if name else path
            view = target.name == "index.html" and "=" in fragment
            reached.add(target)
            if re.match(r"https?://", address):
                continue
            if not target.is_file() or (fragment and not view and unquote(fragment) not in places[target]):
                broken.append(f"{path.relative_to(pages)}: {address}")
    assert broken == []
    assert {pages / "clients" / f"{name}.html" for name in KINDS} == set((pages / "clients").iterdir())
    assert set((pages / "clients").iterdir()) <= reached
    assert "javascript:alert(4)" not in "".join(parsed[pages / "clients/evil.html"].values("href"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_there_is_no_barrier_and_hostile_text_stays_text(
    pages: Path, browser: Browser, scheme: str, viewport: dict[str, int]
) -> None:
    with visiting(browser, viewport=viewport, color_scheme=scheme) as page:
        for name in KINDS:
            page.goto((pages / "clients" / f"{name}.html").as_uri())
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            assert violations(page) == [], name
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], name
            assert page.evaluate("[document.scripts.length, document.images.length]") == [1, 0], name
        assert SCRIPT in page.inner_text("h1")  # the last is the hostile one
        assert SCRIPT + CLOSING in page.inner_text("body")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_there_is_no_barrier_on_other_pages_that_speak_of_clients(
    pages: Path, browser: Browser, scheme: str, viewport: dict[str, int]
) -> None:
    said = {
        "index.html": "Clients by quirk",
        "providers/beta.html": "Lose or corrupt calls on it without a word: 2 of 3",
        "quirks/index-missing.html": "Client libraries",
        "quirks/comment.html": "Come out right",
    }
    with visiting(browser, viewport=viewport, color_scheme=scheme) as page:
        for name, text in said.items():
            page.goto((pages / name).as_uri())
            assert text in page.inner_text("body"), name
            assert violations(page) == [], name
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], name


def test_a_link_to_a_quirk_of_a_client_opens_it(pages: Path, browser: Browser) -> None:
    with visiting(browser) as page:
        page.goto((pages / "clients/agno.html").as_uri() + "#quirk-index-missing")
        assert page.evaluate("[...document.querySelectorAll('details[open] p[id]')].map((one) => one.id)") == [
            "quirk-index-missing"
        ]


def test_without_clients_there_are_no_such_pages_and_the_option_is_for_a_site(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not (small / "clients").exists()
    assert "clients/" not in (small / "index.html").read_text("utf-8")
    assert call(["report", "run.jsonl", "--clients", "clients.json"]) == 4
    assert "--clients is for a site" in capsys.readouterr().err

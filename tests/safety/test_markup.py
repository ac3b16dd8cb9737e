"""Text that a provider controls is harmless wherever it is shown: terminal, Markdown, HTML, XML, pytest."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from markdown_it import MarkdownIt

from conformance.cli import call
from conformance.run.record import load_record
from conformance.scenarios import catalogue
from tests.safety.answers import body, chunk, error, stream
from tests.transport.server import Answer, greeting, head, raw, serving

PLAIN: Final = (
    "\x1b[2J\x1b]0;owned\x07\x1b]8;;http://evil.example\x07link\x1b]8;;\x07\x08\x7f\x9b31m\u202eevil\u2066\u200b\ufeff"
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`</pre></td></script>--><!--]]>"
    "[click](javascript:alert(1)) ![x](http://evil.example/x.png) <http://evil.example> @octocat #1 | a | b | "
    "***bold*** {% raw %} =cmd() $(touch owned) `touch owned`"
)
NASTY: Final = f"{PLAIN}\r\n# Heading\n```\n~~~\n    code\n{PLAIN}\ud83d\x00"

FILE: Final = "providers:\n  acme: {base_url: '${ACME_URL:-http://127.0.0.1:9/v1}', models: [m]}\n"
CALL: Final = {"index": 0, "id": f"call_{NASTY}", "type": NASTY, "function": {"name": NASTY, "arguments": NASTY}}
MESSAGE: Final = {"role": NASTY, "content": NASTY, "tool_calls": [CALL], NASTY: NASTY}
ERROR: Final = {"message": NASTY, "type": NASTY, "code": NASTY, "param": NASTY, NASTY: NASTY}


def _events(*chunks: object) -> Answer:
    return stream(f"data: {json.dumps(one)}\n\n".encode() for one in chunks)


def _said_in_the_head(status: str) -> Answer:
    said = "".join(char for char in PLAIN if char.isprintable())
    names = ("X-Said", "Server", "Content-Type", "X-Request-Id", "Content-Encoding")
    lines = [f"HTTP/1.1 {status} {said}", *(f"{name}: {said}" for name in names), "Content-Length: 2"]
    return raw("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n{}")


RAW: Final = NASTY.encode("utf-8", "surrogatepass")
ANSWERS: Final[tuple[Answer, ...]] = (
    _events(chunk({"role": NASTY, "content": NASTY, NASTY: NASTY}, **{NASTY: NASTY}), chunk({"tool_calls": [CALL]})),
    _events(chunk({"tool_calls": [{**CALL, "type": "function"}]}), chunk({}, "tool_calls")),
    _events({"error": ERROR}),
    _events(chunk({"content": "x"}, NASTY), {"id": NASTY, "object": NASTY, "model": NASTY, "usage": {NASTY: NASTY}}),
    body(json.dumps({"id": NASTY, "choices": [{"index": NASTY, "finish_reason": NASTY, "message": MESSAGE}]}).encode()),
    body(json.dumps({"choices": [{"index": 0, "message": {"tool_calls": [CALL]}, "finish_reason": "stop"}]}).encode()),
    body(json.dumps({"error": ERROR}).encode(), "422 Oops"),
    body(json.dumps({"error": ERROR}).encode(), "500 Oops"),
    stream([f"event: {PLAIN}\nid: {PLAIN}\n: {PLAIN}\n{PLAIN}: x\ndata: {PLAIN}\n\ndata: {{{PLAIN}\n\n".encode()]),
    body(RAW),
    body(RAW, "500 Oops"),
    _said_in_the_head("200"),
    _said_in_the_head("418"),
)
REFUSALS: Final[dict[str, Answer]] = {
    "said": error("503 Oops", NASTY.replace("\ud83d", ""), "Retry-After: 0"),
    "page": body(RAW, "502 Oops"),
    "redirect": raw(head("307 Oops", "Content-Length: 0", "Location: https://h.example/`<b>owned</b>`|[x](y)/v1")),
    "protocol": greeting(f"SSH-{PLAIN}\r\n".encode()),
}
NAMES: Final = [scenario.name for scenario in catalogue() if scenario.steps == 1 and "complete" in scenario.modes]
RUN: Final = ("run", "-p", "acme", "-s", ",".join(NAMES[: len(ANSWERS)]), "--mode", "complete", "--strict")


@dataclass
class Shown:
    """What was printed, and the folder in which files were written."""

    folder: Path
    printed: dict[str, str] = field(default_factory=dict)

    def call(self, *args: str) -> None:
        """Run a command of ours."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            assert call(list(args)) in (0, 1)
        self.printed[" ".join(args)] = out.getvalue()


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """Everything that is ever written about the answers."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "providers.yaml").write_text(FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        everything = Shown(folder)
        with serving(*ANSWERS) as local:
            patch.setenv("ACME_URL", local.url)
            everything.call(*RUN, "--retries", "0", "--timeout", "2", "--record", "-o", "recorded")
        for name, answer in REFUSALS.items():
            with serving(answer) as local:
                patch.setenv("ACME_URL", local.url)
                everything.call(*RUN[:3], "-s", "no_call", "--live", "--timeout", "0.5", "-o", name)
        everything.printed["pytest"] = _pytest()
        everything.printed["terminal"] = _terminal(*RUN, "-o", "again")
        cassettes = sorted(map(str, Path("cassettes/acme").iterdir()))
        everything.call("inspect", *cassettes, "--events", "all")
        everything.call("expect", "--from", "recorded/run.jsonl")
        everything.call("audit", "cassettes", "--by", "provider,model,file", "--workers", "1")
        everything.call("audit", "cassettes", "--format", "md", "--workers", "1", "-o", "audit.md")
        everything.printed["inspect"] = _terminal("inspect", *cassettes)
        for number, cassette in enumerate(cassettes):
            everything.call("inspect", cassette, "--report", f"report{number}")
        yield everything


def _pytest() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--pyargs", "conformance.suites", "--provider=acme", "--conformance-strict",
         "--conformance-mode=complete", f"--conformance-scenario={RUN[4]}", "-pno:cacheprovider", "-vv", "-rA",
         "--color=no", "--junit-xml=pytest.xml"],
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    return done.stdout.decode()


def _terminal(*args: str) -> str:
    """What a terminal gets."""
    ours, theirs = pty.openpty()
    code = "from conformance.cli import main; main()"
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *args], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=environment
    ):
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while data := os.read(ours, 65536):
                said += data
    os.close(ours)
    return said.decode()


def test_all_of_it_was_judged(shown: Shown) -> None:
    rows = load_record(shown.folder / "recorded" / "run.jsonl").exchanges
    assert len(rows) == len(ANSWERS)
    assert "owned" in json.dumps([row["findings"] for row in rows])
    for name in REFUSALS:
        first, *_ = load_record(shown.folder / name / "run.jsonl").exchanges
        assert first["not_run"] is not None
        assert "owned" in first["not_run"]["detail"]


SEQUENCE: Final = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|2K|1A)|\r")  # colours, the progress bar, line ends


def test_nothing_but_visible_characters_reaches_a_terminal(shown: Shown) -> None:
    assert len(shown.printed) > len(ANSWERS)
    for name, text in shown.printed.items():
        assert text or " -o " in name, name
        plain = SEQUENCE.sub("", text) if name in ("terminal", "inspect") else text
        assert {char for char in plain if not char.isprintable()} <= {"\n"}, name


def test_nothing_but_visible_characters_reaches_a_document(shown: Shown) -> None:
    documents = [path for path in shown.folder.rglob("*") if path.suffix in (".md", ".html", ".sh")]
    assert len(documents) > 2 * len(ANSWERS)
    for path in documents:
        text = path.read_bytes().decode()
        assert {char for char in text if not char.isprintable()} <= {"\n"}, path


class Elements(HTMLParser):
    """Collects what a browser would act upon."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.targets: set[str] = set()
        self.headings: list[str] = []
        self.scripts: list[str] = []
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._within = tag
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src", "action", "formaction", "data"):
                self.targets.add(value or "")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within in ("h1", "h2", "h3", "h4"):
            self.headings.append(data)
        if self._within == "script":
            self.scripts.append(data)


def _harmless(text: str, where: object) -> None:
    page = Elements(text)
    assert not page.tags & {"img", "iframe", "object", "embed", "form", "base", "b"}, where
    assert not [name for name in page.attributes if name.startswith("on")], where
    assert not [target for target in page.targets if "evil" in target or "javascript" in target.lower()], where
    assert "alert(1)" not in "".join(page.scripts), where
    assert not [title for title in page.headings if title.strip() == "Heading"], where


def test_html_holds_no_markup_of_theirs(shown: Shown) -> None:
    pages = list(shown.folder.rglob("*.html"))
    assert len(pages) > len(REFUSALS)
    for path in pages:
        text = path.read_text()
        assert "owned" in text, path
        _harmless(text, path)


def test_markdown_holds_no_markup_of_theirs(shown: Shown) -> None:
    documents = list(shown.folder.rglob("*.md"))
    assert len(documents) > len(ANSWERS)
    render = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render
    for path in documents:
        text = path.read_text()
        _harmless(render(text), path)
        bare = re.sub(r"(`+).*?\1", "", text, flags=re.DOTALL)  # what stands in code mentions nobody
        assert "@octocat" not in bare, path
        assert "<script" not in render(text), path


def test_xml_is_well_formed(shown: Shown) -> None:
    documents = list(shown.folder.rglob("*.xml"))
    assert len(documents) > len(REFUSALS)
    for path in documents:
        root = ET.parse(path).getroot()
        assert root.tag == "testsuites"
        assert "script" not in {element.tag for element in root.iter()}


def test_scripts_run_nothing_of_theirs(shown: Shown, tmp_path: Path) -> None:
    scripts = list(shown.folder.rglob("*.sh"))
    assert scripts
    (tmp_path / "curl").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "curl").chmod(0o755)
    for path in scripts:
        environment = {
            **os.environ,
            "PATH": f"{tmp_path}:/usr/bin:/bin",
            "BASE_URL": "http://127.0.0.1:9",
            "API_KEY": "k",
        }
        subprocess.run(["sh", str(path)], cwd=path.parent, env=environment, capture_output=True, check=False)
    assert not list(shown.folder.rglob("owned"))

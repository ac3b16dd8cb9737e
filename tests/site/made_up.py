"""A small site in which every state of a cell, and every kind of evidence, occurs, and hostile text wherever it can."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from conformance.quirks.registry import catalogue
from conformance.report.matrix import Matrix, build
from conformance.site.build import build as build_site
from tests.report.examples import ALL, exchange, expectation, finding, missing, observation, provider, record
from tests.site.recorded import Lab, events
from tests.transport.server import sized

SCRIPT: Final = "<script>alert(1)</script>"
IMAGE: Final = "\"><img src=x onerror='alert(2)'>"
CLOSING: Final = "</script></pre><script>alert(3)</script>"
HOSTILE: Final = (SCRIPT, IMAGE, CLOSING)


def hostile_answer() -> bytes:
    """A stream in which the name, the id and the arguments of a call without an index are markup."""
    call = {"id": IMAGE, "type": "function", "function": {"name": SCRIPT, "arguments": f'{{"city":"{CLOSING}"}}'}}
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m1"}
    return events(
        {**frame, "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [call]}}]},
        {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )


def matrix(lab: Lab) -> Matrix:
    """The matrix: `acme` is what the lab recorded, the other providers are invented."""
    slugs = {*ALL, *(one["quirk"] for row in lab.rows for one in row["findings"])}
    quirks = [
        {"slug": one.slug, "area": one.area, "level": one.level, "title": one.title}
        for one in catalogue()
        if one.slug in slugs
    ]
    # as the quirks say it, so that these answers have the form of planted ones
    index = finding(message="1 entry has no usable index (absent)")
    comment = finding("comment", "info", message="1 comment line")
    said = "1 continuation carries an empty id"
    known = finding("id-empty-on-continuation", "should", expected_by="it always did", message=said)
    rows = [
        exchange("beta", "single_call", "stream", index, known, comment, evidence=None),
        exchange("beta", "no_call", "stream", applicable=["call-in-content"], evidence=None),
        missing("gamma", detail=SCRIPT),
        exchange(SCRIPT, "single_call", "stream", finding(message=SCRIPT, actual=IMAGE), evidence=None),
    ]
    providers = [
        provider(),
        provider("beta", expectations=[expectation("call-in-content", SCRIPT)]),
        provider("gamma"),
        provider("delta", recorded=False),
        provider(SCRIPT),
    ]
    stale = [{"provider": "beta", "quirk": "call-in-content", "reason": SCRIPT, "applicable": 50}]
    theirs = [observation("delta", path=f"{SCRIPT}.yaml"), observation("delta", "comment", found=0)]
    return build(record(*lab.rows, *rows, providers=providers, quirks=quirks, stale=stale), observations=theirs)


def small_site(root: Path) -> Path:
    """Record the hostile answer, and write the site; its folder."""
    lab = Lab(root)
    lab.answer(sized(hostile_answer(), "200 OK", "Content-Type: text/event-stream"))
    build_site(matrix(lab), root / "site", root=root)
    return root / "site"

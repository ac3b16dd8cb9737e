"""Cassettes recorded from real servers on loopback, and the run record about them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from conformance.audit.observation import Observation
from conformance.faults.catalogue import FAULTS
from conformance.faults.server import FaultServer
from conformance.model import Exchange, Mode
from conformance.quirks.registry import catalogue, judge
from conformance.report.matrix import Matrix, Row, build
from conformance.run.rows import ExchangeRow, FindingRow, finding_document
from conformance.site import evidence_page, provider_page
from conformance.site.evidence_source import Recordings
from conformance.site.frame import Context
from conformance.transport import Endpoint, Store, send
from conformance.wire.read import read
from tests.report.examples import exchange, provider, record
from tests.report.pages import Page
from tests.transport.server import Answer, serving

TOOL: Final = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
REQUEST: Final[Mapping[str, Any]] = {
    "model": "m1",
    "messages": [{"role": "user", "content": "What is the weather in Paris?"}],
    "tools": [TOOL],
    "tool_choice": "required",
    "max_tokens": 64,
}


class Lab:
    """A folder with cassettes, and the lines of a run that judged them.

    Args:
        root: the folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rows: list[ExchangeRow] = []
        self.bodies: list[bytes] = []

    def fault(self, name: str, mode: Mode = "stream", request: Mapping[str, Any] = REQUEST) -> ExchangeRow:
        """Record one answer of the fault server."""
        with FaultServer(FAULTS[name]) as server:
            return self.record(server.url, name.replace("-", "_"), mode, request)

    def answer(self, answer: Answer, scenario: str = "single_call", mode: Mode = "stream") -> ExchangeRow:
        """Record what a server answers that says exactly this."""
        with serving(answer) as server:
            return self.record(server.url, scenario, mode, REQUEST)

    def record(self, url: str, scenario: str, mode: Mode, request: Mapping[str, Any], key: str = "") -> ExchangeRow:
        """Ask a server, keep its answer as a cassette, and judge it."""
        name = f"cassettes/acme/{scenario}.{mode}.yaml"
        with Store.open(self.root / name, "record") as store:
            got = send(
                Endpoint(url, api_key=key or None, public_url=url),
                {**request, "stream": mode == "stream"},
                mode=mode,
                source="test",
                provider="acme",
                model="m1",
                scenario=scenario,
                store=store,
            )
        row = line(got, scenario, mode, name)
        self.rows.append(row)
        self.bodies.append(got.body)
        return row

    def matrix(self, *more: ExchangeRow, observations: Iterable[Observation] = (), **header: Any) -> Matrix:
        """The matrix of all that was judged."""
        quirks = [{"slug": q.slug, "area": q.area, "level": q.level, "title": q.title} for q in catalogue()]
        header = {"providers": [provider()], "quirks": quirks, **header}
        return build(record(*self.rows, *more, **header), observations=observations)

    def evidence(self, slug: str, matrix: Matrix | None = None) -> str:
        """The page about one cell."""
        found = matrix or self.matrix()
        row = acme(found)
        column = next(one for one in found.columns if one.slug == slug)
        return evidence_page.render(Context(found, self.root), Recordings(self.root), row, column)

    def provider(self, matrix: Matrix | None = None) -> str:
        """The page of the provider."""
        found = matrix or self.matrix()
        return provider_page.render(Context(found, self.root), Recordings(self.root), acme(found))


def line(got: Exchange, scenario: str, mode: Mode, cassette: str, position: int = 0) -> ExchangeRow:
    """The line that a run writes about an exchange."""
    transcript = read(got)
    verdict = judge(transcript)
    findings: list[FindingRow] = [{**finding_document(one), "expected_by": None} for one in verdict.findings]
    return exchange(
        "acme",
        scenario,
        mode,
        *findings,
        evidence={"cassette": cassette, "interaction": position},
        recorded_at=got.recorded_at,
        status=got.status,
        answered_mode=transcript.mode,
        complete=transcript.complete,
        finish_reason=transcript.finish_reason,
        calls=[{"id": call.id, "name": call.name, "usable": call.usable} for call in transcript.calls],
        bytes=len(got.body),
        sha256=hashlib.sha256(got.body).hexdigest(),
        applicable=sorted(verdict.applicable),
    )


def acme(matrix: Matrix) -> Row:
    """The row of the provider."""
    (row,) = [one for one in matrix.rows if one.provider["name"] == "acme" and one.model in ("m1", "")]
    return row


def marked(page: str) -> list[str]:
    """The texts that a page marks; what was cut into pieces is one text."""
    return [text for tag, text in Elements(page).found if tag == "mark"]


def commands(page: str) -> list[str]:
    """The blocks to copy."""
    return [text for tag, text in Elements(page).found if tag == "pre.copy"]


def events(*documents: Any) -> bytes:
    """A stream of these chunks."""
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in documents]
    return "".join(f"data: {one}\n\n" for one in [*lines, "[DONE]"]).encode("utf-8", "surrogatepass")


class Elements(Page):
    """Also the text of each `mark` and of each `pre` that is there to be copied."""

    def __init__(self, html: str) -> None:
        self.found: list[tuple[str, str]] = []
        self._inside = ""
        self._beside = False
        super().__init__(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        copied = tag == "pre" and dict(attrs).get("class") == "copy"
        if tag == "mark" or copied:
            self._inside = "pre.copy" if copied else tag
            if not (tag == "mark" and self._beside):
                self.found.append((self._inside, ""))
        self._beside = False

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self._beside = tag == "mark"
        if tag in ("mark", "pre"):
            self._inside = ""

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if self._inside:
            tag, text = self.found[-1]
            self.found[-1] = (tag, text + data)
        self._beside = False

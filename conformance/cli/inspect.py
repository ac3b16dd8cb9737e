"""`conformance inspect`: what is wrong with captured exchanges, where, and what the calls really are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import orjson

from conformance.cli.document import dumps, exchange_document
from conformance.errors import ConformanceError, InputError
from conformance.model import Exchange
from conformance.quirks import Verdict, judge
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

SCHEMA = "conformance/inspect/1"


_EPILOG = """\b
Examples:
  conformance inspect capture.sse                        what is wrong, and where
  curl -iN URL -d @request.json | conformance inspect - --request request.json
  conformance inspect captures/*.json --format json      for scripts
"""


@click.command(epilog=_EPILOG, short_help="Read captured exchanges: what is wrong, where, and what the calls are.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--request", type=click.Path(path_type=Path), metavar="FILE", help="The request body, as JSON.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
def command(files: tuple[str, ...], request: Path | None, form: str, strict: bool) -> int:
    """Read captured answers and say what deviates, at which event and byte, and what the calls are.

    FILE is a raw SSE body, a JSON body, a raw HTTP response (curl -i), JSON Lines of chunks, a vcrpy cassette, a HAR,
    a capture file, or a request body alone; which one is told by its content. '-' is standard input.

    Exit code: 0 without unexpected findings, 1 with a 'must' finding (or a 'should' one with --strict), 4 if a file
    cannot be read.
    """
    asked = _request(request)
    counted = {"must", "should"} if strict else {"must"}
    found = unreadable = False
    documents: list[dict[str, Any]] = []
    for exchange in _exchanges(files, asked):
        if isinstance(exchange, ConformanceError):
            unreadable = True
            click.echo(str(exchange), err=True)
            continue
        transcript = read(exchange)
        verdict = judge(transcript)
        found = found or any(f.level in counted for f in verdict.findings)
        if form == "json":
            documents.append(exchange_document(transcript, verdict))
        else:
            _print(transcript, verdict)
    if form == "json":
        click.echo(dumps({"schema": SCHEMA, "exchanges": documents}))
    return 4 if unreadable else 1 if found else 0


def _request(path: Path | None) -> Mapping[str, Any] | None:
    if path is None:
        return None
    try:
        body = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path}: not JSON ({error}); give the request body as it was sent") from None
    if not isinstance(body, dict):
        raise InputError(f"{path}: not a JSON object; give the request body as it was sent")
    return body


def _exchanges(files: tuple[str, ...], request: Mapping[str, Any] | None) -> Iterator[Exchange | ConformanceError]:
    from conformance.importers import load

    for name in files:
        try:
            yield from load(name, request)
        except ConformanceError as problem:
            yield problem


def _print(transcript: Transcript, verdict: Verdict) -> None:
    from conformance.cli.text import render

    click.echo(render(transcript, verdict))

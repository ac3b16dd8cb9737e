"""`conformance inspect`: what is wrong with captured exchanges, where, and what the calls really are."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from conformance.cli.choose import CLOSED, exchanges, only
from conformance.errors import ConfigError, ConformanceError, InputError
from conformance.model import Exchange
from conformance.quirks import judge
from conformance.view import EVENTS
from conformance.view.document import dumps, exchange_document
from conformance.wire.read import read

if TYPE_CHECKING:
    from conformance.view.report import Options

SCHEMA = "conformance/inspect/1"


class _Rows(click.ParamType[int | None]):
    """A number of rows, or `all` (None)."""

    name = "N|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value is None or value == "all":
            return None
        if isinstance(value, int):
            return value
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            self.fail(f"{value!r} is neither 'all' nor a number of rows, 0 for none", param, ctx)
        return int(value)


_EPILOG = """\b
Examples:
  conformance inspect capture.sse                        what is wrong, and where
  conformance inspect log.jsonl#3                        the fourth exchange of a file
  curl -iN URL -d @request.json | conformance inspect - --request request.json
  conformance inspect --watch capture.sse                while it is being written
  conformance inspect --diff stream.sse complete.json    what the streaming path gets wrong
  conformance inspect captures/*.json --format json      for scripts
"""


@click.command(epilog=_EPILOG, short_help="Read captured exchanges: what is wrong, where, and what the calls are.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--request", metavar="FILE", help="The request body, as JSON; '-' is standard input.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
@click.option("--events", type=_Rows(), default=EVENTS, show_default=True, help="Rows of events to show.")
@click.option(
    "--guard",
    type=click.Choice(["python", "typescript"]),
    default="python",
    show_default=True,
    help="The language of the guards to add.",
)
@click.option("--diff", is_flag=True, help="Compare two answers to the same request, streamed or not.")
@click.option("--watch", is_flag=True, help="Follow a file while it grows.")
@click.option("--redact", type=click.Path(path_type=Path), metavar="FILE", help="Also write what was read, redacted.")
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="DIR", help="Also write a report to send to the provider."
)
@click.option(
    "--redact-content", is_flag=True, help="In both, replace what people and models wrote by placeholders as well."
)
def command(files: tuple[str, ...], request: str | None, **chosen: Any) -> int:
    """Read captured answers and say what deviates, at which event and byte, and what the calls are.

    FILE is a raw SSE body, a JSON body, what curl shows (-i, -v, --trace), JSON Lines of chunks, a cassette (vcrpy,
    Ruby VCR, go-vcr, nock, Polly.js), a HAR, a log with requests and answers (LiteLLM, gateways), OpenTelemetry GenAI
    data, a capture file, a request body alone, or a folder of such files; which one is told by its content. '-' is
    standard input. FILE#3 is the fourth exchange in FILE.

    Exit code: 0 without unexpected findings, 1 with a 'must' finding (or a 'should' one with --strict), 4 if a file
    cannot be read. --diff: 1 if the answers differ in something that two runs of one model do not explain. --watch: 2
    if it is interrupted before the stream is complete.
    """
    _check(files, request, chosen)
    asked = _request(request)
    if chosen["diff"]:
        return _diff(only(files[0], asked), only(files[1], asked), chosen)
    if chosen["watch"]:
        from conformance.cli.watch import watch

        return watch(files[0], asked, _options(chosen))
    return _inspect(files, asked, chosen)


def _check(files: tuple[str, ...], request: str | None, chosen: Mapping[str, Any]) -> None:
    """Refuse what cannot be done together.

    Raises:
        click.UsageError: says what.
    """
    problem = ""
    bundle = chosen["redact"] or chosen["report"]
    if [*files, request].count("-") > 1:
        problem = "Standard input ('-') can be read once only; give the others as files."
    elif chosen["diff"] and chosen["watch"]:
        problem = "--diff compares what is there and --watch waits for more; choose one of them."
    elif (chosen["diff"] or chosen["watch"]) and bundle:
        problem = "--redact and --report go with neither --diff nor --watch; inspect one file for them."
    elif chosen["redact_content"] and not bundle:
        problem = "--redact-content goes with --redact FILE or --report DIR: it says what these leave out."
    elif chosen["diff"] and len(files) != 2:
        problem = f"--diff compares two answers, not {len(files)}: --diff A B."
    elif chosen["watch"] and (len(files) != 1 or files[0] == "-"):
        problem = "--watch follows one file; for a pipe, use `… | tee FILE` and follow FILE."
    elif chosen["watch"] and chosen["form"] == "json":
        problem = "--watch shows findings as they come, as text; use --format json once the file is complete."
    if problem:
        raise click.UsageError(problem)


def _inspect(files: tuple[str, ...], asked: Mapping[str, Any] | None, chosen: Mapping[str, Any]) -> int:
    counted = {"must", "should"} if chosen["strict"] else {"must"}
    found = unreadable = False
    documents: list[dict[str, Any]] = []
    kept: list[Exchange] = []
    given = exchanges(files, asked)
    for exchange in _single(given) if chosen["report"] is not None else given:
        if isinstance(exchange, ConformanceError):
            unreadable = True
            click.echo(str(exchange), err=True)
            continue
        if chosen["redact"] or chosen["report"]:
            kept.append(exchange)
        transcript = read(exchange)
        verdict = judge(transcript)
        found = found or any(f.level in counted for f in verdict.findings)
        if chosen["form"] == "json":
            documents.append(exchange_document(transcript, verdict))
        else:
            from conformance.cli.text import show
            from conformance.view.report import report

            show(report(transcript, verdict, _options(chosen)))
    if chosen["form"] == "json":
        click.echo(dumps({"schema": SCHEMA, "exchanges": documents}))
    _write(kept, chosen)
    return 4 if unreadable else 1 if found else 0


def _single(given: Iterator[Exchange | ConformanceError]) -> Iterator[Exchange | ConformanceError]:
    """The same, known to hold one exchange at most before anything is shown.

    Raises:
        ConfigError: there are more.
    """
    first: list[Exchange | ConformanceError] = []
    for one in given:
        first.append(one)
        if sum(isinstance(known, Exchange) for known in first) > 1:
            raise ConfigError("--report is about one exchange, and there are more; choose one, as in FILE#0")
    return iter(first)


def _write(kept: Sequence[Exchange], chosen: Mapping[str, Any]) -> None:
    """Write what goes to the provider.

    Raises:
        ConfigError: there is nothing to write, too much, or it cannot be written.
        InputError: there is nothing to report.
    """
    path, directory = chosen["redact"], chosen["report"]
    if path is None and directory is None:
        return
    from conformance.support import write_capture, write_report

    if not kept:
        raise ConfigError("nothing could be read, so there is nothing to write")
    content: bool = chosen["redact_content"]
    told: set[str] = set()

    def tell(sentence: str) -> None:
        if sentence not in told:
            told.add(sentence)
            click.echo(sentence, err=True)

    if path is not None:
        write_capture(kept, path, content=content, tell=tell)
        click.echo(f"redacted capture in {path}", err=True)
    if directory is not None:
        write_report(kept[0], directory, content=content, tell=tell)
        click.echo(f"report in {directory}/REPORT.md", err=True)


def _diff(first: Exchange, second: Exchange, chosen: Mapping[str, Any]) -> int:
    from conformance.cli.text import show
    from conformance.view.comparison import comparison_document, comparison_view
    from conformance.view.difference import compare
    from conformance.view.side import Side

    a, b = (Side(name, transcript, judge(transcript)) for name, transcript in (("A", read(first)), ("B", read(second))))
    found = compare(a, b, chosen["strict"])
    if chosen["form"] == "json":
        click.echo(dumps(comparison_document(a, b, found)))
    else:
        show(comparison_view(a, b, found))
    return 1 if found.faults else 0


def _options(chosen: Mapping[str, Any]) -> Options:
    from conformance.view.report import Options

    return Options(events=chosen["events"], language=chosen["guard"], strict=chosen["strict"])


def _request(name: str | None) -> Mapping[str, Any] | None:
    if name is None:
        return None
    if name == "-" and sys.stdin is None:
        raise InputError(CLOSED)
    try:
        body = orjson.loads(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror}); check the path") from None
    except orjson.JSONDecodeError as error:
        raise InputError(f"{name}: not JSON ({error}); give the request body as it was sent") from None
    if not isinstance(body, dict):
        raise InputError(f"{name}: not a JSON object; give the request body as it was sent")
    return body

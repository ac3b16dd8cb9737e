"""`conformance tap`: a loopback proxy in front of a provider that says what deviates as the answers pass."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from conformance.quirks import Verdict
from conformance.view.document import dumps, exchange_document
from conformance.wire.transcript import Transcript

if TYPE_CHECKING:
    from conformance.tap.passed import Glimpse, Judged
    from conformance.tap.tally import Tally

_EPILOG = """\b
Examples:
  conformance tap --upstream https://api.example.com/v1 --save captures
  conformance tap --upstream http://127.0.0.1:8000/v1 --format json > exchanges.jsonl
"""


@click.command(epilog=_EPILOG, short_help="Pass a client's requests on to a provider and judge what passes.")
@click.option("--upstream", required=True, metavar="URL", help="The provider's base URL, as a client would use it.")
@click.option("--port", type=click.IntRange(0, 65535), default=8809, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="A loopback address.")
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="DIR", help="Keep each exchange as a cassette, redacted."
)
@click.option("--provider", metavar="NAME", help="What to call the provider. Default: its host.")
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.pass_context
def command(
    ctx: click.Context,
    upstream: str,
    port: int,
    host: str,
    save: Path | None,
    provider: str | None,
    strict: bool,
    form: str,
) -> int:
    """Listen on loopback, pass every request on to a provider, and say what deviates in its answers.

    Point any client at the address that is printed. Bytes pass unchanged, as they come; keys pass and are kept nowhere.
    Ctrl-C ends it, and prints model × quirk of what passed. --format json prints one line for each chat completion, as
    'inspect --format json' has it, and the rest on standard error.

    Exit code: 0 without unexpected findings, 1 with a 'must' finding (or a 'should' one with --strict), or if the tap
    itself could not judge or save an exchange, 2 if it is interrupted twice, 4 if an option is wrong, 5 if no chat
    completion was judged.
    """
    from conformance.tap.address import Upstream, loopback
    from conformance.tap.passed import Settings
    from conformance.tap.save import check_folder
    from conformance.tap.server import Tap
    from conformance.tap.tally import Tally

    to = Upstream.parse(upstream)
    address = loopback(host)
    if save is not None:
        check_folder(save)
    label = provider or to.label
    tally = Tally(label)
    show = _Show(tally, json=form == "json", color=ctx.color)
    settings = Settings(
        base_url=to.base_url,
        provider=label,
        save=save,
        begun=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}",
        describe=describe if form == "json" else None,
    )
    stopped = threading.Event()
    with _interrupts(stopped), Tap(to, settings, show, host=address, port=port, stopped=stopped) as tap:
        show.aside(f"tap on {tap.origin} passes on to {to.base_url}; Ctrl-C ends it")
        show.aside(f"  export OPENAI_BASE_URL={tap.url}")
        stopped.wait()
    show.end()
    return tally.exit_code(strict=strict)


def describe(transcript: Transcript, verdict: Verdict) -> bytes:
    """One exchange of the inspect document, on one line."""
    return dumps(exchange_document(transcript, verdict), line=True)


class _Show:
    """Prints what came of exchanges, and counts them."""

    def __init__(self, tally: Tally, *, json: bool, color: bool | None) -> None:
        from conformance.tap.lines import Lines

        self._tally = tally
        self._json = json
        self._color = color
        self._lines = Lines()

    def __call__(self, event: Glimpse | Judged) -> None:
        from conformance.tap.passed import Glimpse

        if isinstance(event, Glimpse):
            if not self._json:
                self._print(self._lines.glimpse(event))
            return
        self._tally.add(event)
        if not self._json:
            self._print(self._lines.judged(event))
            return
        if event.document is not None:
            self._print([event.document.decode()])
        elif event.standing == "not judged":
            self._print(self._lines.judged(event), err=True)
        if event.problem:
            self.aside(event.problem)

    def aside(self, text: str) -> None:
        """Say something that is no result."""
        self._print([text], err=True)

    def end(self) -> None:
        """Print the table."""
        self._print(["", *self._tally.lines()], err=self._json)

    def _print(self, lines: Iterable[str], *, err: bool = False) -> None:
        text = "\n".join(lines)
        try:
            if text:
                click.echo(text, err=err, color=self._color)
        except BrokenPipeError:
            # whoever read this has gone; the client that is served has not
            os.dup2(os.open(os.devnull, os.O_WRONLY), (sys.stderr if err else sys.stdout).fileno())


@contextlib.contextmanager
def _interrupts(stopped: threading.Event) -> Iterator[None]:
    """Let the first interrupt end the tap, and the second one everything."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

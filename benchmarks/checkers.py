"""What checkers of endpoints notice: each runs against the fault server, once for each fault and legal variation.

A fault counts as noticed if the checker complains of something that it does not complain of when the answers are
honest; a legal variation that it complains of so is a false alarm. Faults that only one particular request brings out
are left out, for a checker that does not send it cannot see them, and so are variations in which the model says
something else: nobody can tell them from a fault by one answer. The checkers have to be installed:

    pip install canitoolcall llm-comply      # anywhere on the PATH
    python benchmarks/checkers.py canitoolcall llm-comply conformance
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

from conformance.faults import FAULTS, Fault
from conformance.faults.respond import respond
from conformance.faults.server import FaultServer
from conformance.model import Exchange, Mode
from conformance.quirks.common import WEATHER
from conformance.wire.read import read


@dataclass(frozen=True, slots=True)
class Checker:
    """A program that checks an endpoint.

    Attributes:
        command: with `{url}` for the base URL, and `{folder}` for a folder to write to.
        complaint: which lines of its output are complaints; the group `what` says what of the line is compared.
    """

    command: tuple[str, ...]
    complaint: re.Pattern[str]


MODEL: Final = "made-up-1"
CHECKERS: Final = {
    "canitoolcall": Checker(
        ("canitoolcall", "probe", "--base-url", "{url}", "--model", MODEL),
        re.compile(r"^ +(?P<what>\S+ \[.*\] fail: .*)"),
    ),
    "llm-comply": Checker(
        ("llm-comply", "--format", "openai-chat", "-u", "{url}", "-k", "none", "-m", MODEL),
        re.compile(r"└─ (?P<what>(?!⚠).*)"),
    ),
    "conformance": Checker(
        (
            sys.executable,
            "-m",
            "conformance",
            "run",
            "--strict",
            "--base-url",
            "{url}",
            "--model",
            MODEL,
            "-o",
            "{folder}",
        ),
        re.compile(r"✕ (?P<what>(?:must|should) [\w-]+)"),
    ),
}
ASKS: Final = ("one", "two", "text")


def complaints(checker: Checker, url: str) -> frozenset[str]:
    """What a checker complains of, with numbers and ids masked."""
    with tempfile.TemporaryDirectory() as folder:
        command = [word.format(url=url, folder=folder) for word in checker.command]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    found = (match["what"] for line in done.stdout.splitlines() if (match := checker.complaint.search(line)))
    return frozenset(re.sub(r"call_\w+|chatcmpl-\w+|\d+", "…", text) for text in found)


def planted() -> list[Fault]:
    """The faults that ordinary requests bring out, and the variations that leave everything as it was said."""
    ordinary = [fault for fault in FAULTS.values() if not fault.scenario and fault.ask in ASKS]
    return [fault for fault in ordinary if not fault.legal or all(map(partial(_as_said, fault), _requests()))]


def _requests() -> Iterator[dict[str, Any]]:
    for prompt, tools, stream in product(("get_weather of Paris?", "get_weather of Paris and Tokyo?"), (1, 0), (1, 0)):
        body = {"model": MODEL, "messages": [{"role": "user", "content": prompt}], "stream": bool(stream)}
        body |= {"stream_options": {"include_usage": True}} if stream else {}
        yield {**body, "tools": [WEATHER]} if tools else body


def _as_said(fault: Fault, request: dict[str, Any]) -> bool:
    """Whether an answer with this variation says what the honest one says."""
    return _said(request, fault) == _said(request, None)


def _said(request: dict[str, Any], fault: Fault | None) -> list[object]:
    wire = respond(request, fault)
    mode: Mode = "stream" if request["stream"] else "complete"
    exchange = Exchange("answer", wire.body, wire.status, wire.headers, request, mode)
    transcript = read(exchange)
    calls = [(call.name, call.arguments) for call in transcript.calls]
    ids = len({call.id for call in transcript.calls})
    return [transcript.usage, calls, ids, *((choice.content, choice.finish_reason) for choice in transcript.choices)]


def main() -> None:
    """Count for each checker named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkers", nargs="+", choices=CHECKERS)
    parser.add_argument("-v", "--verbose", action="store_true", help="name what was missed, and each false alarm")
    options = parser.parse_args()
    faults = planted()
    with FaultServer() as server:
        for name in options.checkers:
            checker = CHECKERS[name]
            usual = complaints(checker, server.url) | complaints(checker, server.url)
            noticed = {fault.name: complaints(checker, server.url_of(fault)) - usual for fault in faults}
            wrong = [fault.name for fault in faults if bool(noticed[fault.name]) is fault.legal]
            for legal, what in ((False, "faults noticed"), (True, "legal variations complained of")):
                kind = [fault.name for fault in faults if fault.legal is legal]
                print(f"{name}: {sum(bool(noticed[fault]) for fault in kind)} of {len(kind)} {what}")
            if options.verbose:
                print("\n".join(f"  {fault}: {'; '.join(sorted(noticed[fault])) or 'missed'}" for fault in wrong))


if __name__ == "__main__":
    main()

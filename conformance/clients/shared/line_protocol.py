"""The loop of a client adapter: cases on standard input, outcomes on standard output, JSON Lines.

An adapter says hello, then answers one line per case, in order, until standard input ends; see `protocol.schema.json`.
Whatever a library prints goes to standard error, so that it cannot be taken for an answer. Standard library only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PROTOCOL = "conformance/client/1"


class Outcome:
    """What a library made of one answer, filled while it is driven, so that what came before an error is kept.

    Attributes:
        calls: what it hands its user to be run, exactly as it hands it over.
        invalid: calls it reports as not to be run.
        content, finish_reason: as it hands them over; None if it does not.
    """

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.invalid: list[dict[str, Any]] = []
        self.content: str | None = None
        self.finish_reason: str | None = None

    def call(self, id: str | None, name: str | None, arguments: Any) -> None:  # noqa: A002
        """Add a call to be run; `arguments` are the text or the value that the library gives."""
        self.calls.append({"id": id, "name": name, "arguments": arguments})

    def openai_call(self, call: Any) -> None:
        """Add a call to be run in the form of openai's types; a field that did not come is None."""
        function = getattr(call, "function", None)
        self.call(getattr(call, "id", None), getattr(function, "name", None), getattr(function, "arguments", None))

    def refused(self, id: str | None, name: str | None, arguments: Any, why: str) -> None:  # noqa: A002
        """Add a call that the library reports as not to be run."""
        self.invalid.append({"id": id, "name": name, "arguments": arguments, "why": why})


def serve(
    name: str,
    distribution: str,
    drive: Callable[[Mapping[str, Any], Outcome], None],
    *,
    packages: Iterable[str] = (),
    modes: Iterable[str] = ("stream", "complete"),
    release: str = "",
) -> None:
    """Answer cases until standard input ends.

    Args:
        name: of the client; that of its folder.
        distribution: the installed distribution whose version is the client's; "" for the Python in use.
        drive: makes the library send one case and fills the outcome; what it raises is what the library raised.
        packages: further distributions to name in the greeting.
        modes: that the library can ask for.
        release: the client's version where it is no distribution's.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr

    def say(line: Mapping[str, Any]) -> None:
        answers.write(json.dumps(line, default=repr) + "\n")
        answers.flush()

    say(
        {
            "protocol": PROTOCOL,
            "name": name,
            "version": release or (version(distribution) if distribution else sys.version.split()[0]),
            "modes": list(modes),
            "packages": {one: found for one in packages if (found := _version(one))},
        }
    )
    for line in sys.stdin.buffer:
        case = json.loads(line)
        outcome, error = Outcome(), None
        try:
            drive(case, outcome)
        except BaseException as problem:  # a library may raise anything, and it is what we came to see
            if isinstance(problem, KeyboardInterrupt):
                raise
            error = {"type": type(problem).__name__, "message": str(problem)[:2000]}
        say(
            {
                "case": case["case"],
                "calls": outcome.calls,
                "invalid": outcome.invalid,
                "content": outcome.content,
                "finish_reason": outcome.finish_reason,
                "error": error,
            }
        )


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""

"""Invented nights for the tests of the comparison, and the command as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from conformance.report import json_
from conformance.report.matrix import build
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow
from tests.report.examples import exchange, record


def asked(
    shown: int, of: int, *findings: Any, provider: str = "acme", scenario: str = "single_call", **fields: Any
) -> list[ExchangeRow]:
    """A scenario repeated `of` times, of which the first `shown` have the findings."""
    quirks = [one["quirk"] for one in findings] or ["index-missing"]
    return [
        exchange(provider, scenario, "stream", *(findings if n < shown else ()), sample=n, applicable=quirks, **fields)
        for n in range(of)
    ]


def written(folder: Path, night: Record, *, form: str = "record") -> str:
    """A night as files: its record, or its quirks.json."""
    folder.mkdir(parents=True, exist_ok=True)
    if form == "record":
        rows: list[Any] = [night.header, *night.exchanges, night.footer]
        (folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows if row is not None))
        return str(folder)
    file = folder / "quirks.json"
    file.write_text(json_.render(build(night)))
    return str(file)


class Nights:
    """Two nights in a folder, and what `conformance diff` says about them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def say(self, *args: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of any comparison."""
        self._capsys.readouterr()
        code = call(["diff", *args])
        out, err = self._capsys.readouterr()
        return code, out, err

    def compare(self, old: Record, new: Record, *options: str, form: str = "record") -> tuple[int, str]:
        """Exit code and output of a comparison of two nights."""
        names = [written(self.folder / name, one, form=form) for name, one in (("old", old), ("new", new))]
        code, out, err = self.say(*names, *options)
        assert err == ""
        return code, out

    def document(self, old: Record, new: Record, *options: str, form: str = "record") -> Any:
        """The JSON document."""
        code, out = self.compare(old, new, "-f", "json", *options, form=form)
        document = json.loads(out)
        assert document["exit_code"] == code
        return document

    def cell(self, old: Record, new: Record, *options: str, form: str = "record") -> Any:
        """The only cell that changed."""
        (cell,) = self.document(old, new, *options, form=form)["cells"]
        return cell


def night(*exchanges: ExchangeRow | list[ExchangeRow], **fields: Any) -> Record:
    """A record of all of them."""
    rows = [row for one in exchanges for row in (one if isinstance(one, list) else [one])]
    return record(*rows, **fields)

"""`history.jsonl`: since when each cell says what it says, over years, in a file that stays small.

JSON Lines. After a header, a line says on which days somebody looked at a model of a provider, and a line for each
change of a cell says what it says from a day on (`conformance.report.timeline` has the rules); `history.schema.json`
gives both to other languages. Lines stand in the order of provider, model, quirk and day, so that a night changes
little, and two branches of the file seldom touch the same place. Where git puts the lines of both together
(`merge=union`), the result is a history like any other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from conformance.errors import InputError
from conformance.report.timeline import Change, Looked, at, observe, settled

SCHEMA: Final = "conformance/history/1"
"""Names the format in the header; a later format counts on."""

RowKey = tuple[str, str]
"""Provider and model."""
CellKey = tuple[str, str, str]
"""Provider, model and quirk."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a cell showed.

    Attributes:
        provider, model, quirk: which cell.
        day: of the latest exchange with that model (ISO 8601).
        seen: `found` or `ok`, dated to the earliest exchange that tells so.
        partial: exchanges were missing, so that *not found* does not mean *gone*.
    """

    provider: str
    model: str
    quirk: str
    day: str
    seen: Change
    partial: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """What is known of the past.

    Attributes:
        rows: when somebody looked.
        cells: by day, what changed.
        others: lines that this version does not know; they are kept.
    """

    rows: Mapping[RowKey, Looked] = field(default_factory=dict)
    cells: Mapping[CellKey, tuple[Change, ...]] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    def changes(self, provider: str, model: str, quirk: str) -> tuple[Change, ...]:
        """The past of a cell, by day; empty if nobody looked."""
        return self.cells.get((provider, model, quirk), ())

    def silence(self, provider: str, model: str, quirk: str) -> int:
        """How many days on which somebody looked at the model have gone by since the quirk was found for the last time.

        0 where it was found on the last of them, or nobody looked. What the answers of each of these days could have
        shown is not kept; that the first of them could have shown the quirk is sure.
        """
        looked, past = self.rows.get((provider, model), Looked()), self.changes(provider, model, quirk)
        if not past or past[-1].state == "found":
            return 0
        last = past[-1]
        return looked.since(last.day) if last.state == "ok" else looked.since(looked.after(last.found) or "9999-12-31")

    def add(self, looks: Iterable[Look]) -> History:
        """With further looks. What was added before changes nothing.

        Looks that are added by day say most. One from between two others counts for its own day; of two of one day, the
        one that is added last counts.
        """
        rows, cells = dict(self.rows), dict(self.cells)
        for look in looks:
            row, key = (look.provider, look.model), (look.provider, look.model, look.quirk)
            known = cells.get(key, ())
            if not look.partial or look.seen.state == "found" or at(known, look.day) is None:
                cells[key] = observe(known, look.seen, look.day, rows.get(row, Looked()))
            rows[row] = rows.get(row, Looked()).on(look.day)
        return History(rows, cells, self.others)

    def dumps(self) -> str:
        """The lines of the file; the same history is the same text."""
        lines: list[tuple[tuple[str, ...], dict[str, Any]]] = [
            ((*row, "", ""), {"provider": row[0], "model": row[1], "looked": list(map(_span, looked.spans))})
            for row, looked in self.rows.items()
        ]
        lines += [((*key, one.day), _line(key, one)) for key, changes in self.cells.items() for one in changes]
        known = [json.dumps(line, separators=(",", ":")) for _, line in sorted(lines, key=lambda item: item[0])]
        return "\n".join([json.dumps({"schema": SCHEMA}, separators=(",", ":")), *known, *self.others]) + "\n"


def load(path: Path) -> History:
    """Read a history.

    Raises:
        InputError: the file cannot be read, or a line is not what the schema says.
    """
    try:
        data = path.read_bytes()
    except OSError as problem:
        why = problem.strerror or problem
        raise InputError(f"{path}: {why}; give a file that 'conformance history add' wrote") from None
    return parse(str(path), data)


def parse(path: str, data: bytes) -> History:
    """A history out of the bytes of a file.

    Args:
        path: to be named in errors.
        data: the bytes.

    Raises:
        InputError: a line is not what the schema says.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8 at byte {problem.start}, so this is no history") from None
    rows: dict[RowKey, list[tuple[str, str]]] = {}
    cells: dict[CellKey, list[Change]] = {}
    others: set[str] = set()
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines or "schema" not in _parsed(path, *lines[0]):
        raise InputError(f"{path}: line 1 is no header, so this is no history or its beginning is lost")
    for number, line in lines:
        row = _parsed(path, number, line)
        if "schema" in row:
            if row["schema"] != SCHEMA:
                raise InputError(f"{path}: its format is {row['schema']!r}, this version reads {SCHEMA!r}")
        elif "looked" in row:
            _check(path, number, row)
            rows.setdefault((row["provider"], row["model"]), []).extend(_spans(path, number, row["looked"]))
        elif "quirk" in row:
            _check(path, number, row)
            cells.setdefault((row["provider"], row["model"], row["quirk"]), []).append(_change(path, number, row))
        else:
            others.add(line.strip())
    looked = {key: Looked.of(spans) for key, spans in rows.items()}
    return History(
        looked,
        {key: settled(changes, looked.get(key[:2], Looked()).last) for key, changes in cells.items()},
        tuple(sorted(others)),
    )


def schema() -> dict[str, Any]:
    """The JSON Schema of one line."""
    text = resources.files("conformance.report").joinpath("history.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _line(key: CellKey, one: Change) -> dict[str, Any]:
    provider, model, quirk = key
    line: dict[str, Any] = {"provider": provider, "model": model, "quirk": quirk, "day": one.day, "state": one.state}
    if one.level is not None:
        line["level"] = one.level
    line |= {"occurrences": one.occurrences, "applicable": one.applicable}
    return line | ({"found": one.found, "missed": one.missed} if one.state == "varies" else {})


def _span(span: tuple[str, str]) -> str:
    return span[0] if span[0] == span[1] else "/".join(span)


def _parsed(path: str, number: int, line: str) -> dict[str, Any]:
    if line.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||")):
        raise InputError(f"{path}: line {number} marks a merge conflict; take the marks out and keep both sides' lines")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: line {number} is not JSON ({problem}); the file is cut or altered") from None
    if not isinstance(row, dict):
        raise InputError(f"{path}: line {number} is no JSON object; the file is cut or altered")
    return row


def _check(path: str, number: int, row: dict[str, Any]) -> None:
    fault = next(iter(_validator().iter_errors(row)), None)
    if fault is not None:
        place = "".join(f"/{step}" for step in fault.instance_path) or "the line"
        raise InputError(f"{path}: line {number}: {place}: {str(fault.message)[:160]}; this is no line of a history")


def _change(path: str, number: int, row: dict[str, Any]) -> Change:
    days = [_day(path, number, row[name]) if name in row else "" for name in ("day", "found", "missed")]
    if row["occurrences"] > row["applicable"]:
        raise InputError(f"{path}: line {number}: more occurrences than applicable exchanges; the file is altered")
    return Change(days[0], row["state"], row.get("level"), row["occurrences"], row["applicable"], days[1], days[2])


def _spans(path: str, number: int, spans: list[str]) -> Iterable[tuple[str, str]]:
    for span in spans:
        first, _, last = span.partition("/")
        began, ended = _day(path, number, first), _day(path, number, last or first)
        if ended < began:
            raise InputError(f"{path}: line {number}: {span} ends before it begins; the file is altered")
        yield began, ended


def _day(path: str, number: int, text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise InputError(f"{path}: line {number}: {text!r} is no day as in 2026-11-30; the file is altered") from None


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema())

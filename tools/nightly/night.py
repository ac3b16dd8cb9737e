"""What belongs to a night: whom it asked, whose answers are kept, and which cells are settled.

night.py collect            puts the cassettes together; prints the records of those that were asked, a line each
night.py settled FILE       prints the keys of cells that are in order, by FILE, the quirks.json of the night
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from conformance.diff.issues import NOT_RUNNING, key
from conformance.diff.night import Night
from conformance.diff.source import load
from conformance.errors import ConformanceError, RecordError
from conformance.model import LEVELS
from conformance.report.text import code
from conformance.run.record import load_record

NIGHT = Path("runs/night")
RESULT = Path("runs/result")


def collect() -> list[Path]:
    """Put the committed cassettes and those of this night together in `runs/result/cassettes`.

    Writes who was asked and who was not: `runs/result/asked.md` for people, `asked` and `failed` for programs; failed
    are those that were to be asked and left no whole record.

    Returns:
        The records of those that were asked.
    """
    cassettes = RESULT / "cassettes"
    cassettes.mkdir(parents=True)
    if Path("cassettes").is_dir():
        shutil.copytree("cassettes", cassettes, dirs_exist_ok=True)
    records, lines, failed = [], [], []
    for name in _planned():
        reason = NIGHT / name / "not-asked"
        if reason.is_file():
            lines.append(f"- {name}: not asked: {reason.read_text(encoding='utf-8').strip()}")
        elif (problem := _kept(name, cassettes)) is not None:
            failed.append(name)
            lines.append(f"- **{name}: {problem}**")
        else:
            records.append(NIGHT / name / "run.jsonl")
    asked = [record.parent.name for record in records]
    about = f"Asked this night: {', '.join(asked) or 'nobody'}."
    for file, text in (("asked", asked), ("failed", failed), ("asked.md", [about, "", *lines, ""])):
        (RESULT / file).write_text("\n".join(text), encoding="utf-8")
    return records


def _planned() -> list[str]:
    return [one["name"] for one in json.loads((NIGHT / "_committed" / "plan.json").read_text(encoding="utf-8"))]


def _kept(name: str, cassettes: Path) -> str | None:
    """Keep a provider's answers; why they cannot be, if so."""
    record = NIGHT / name / "run.jsonl"
    if not record.is_file():
        return "its job left no record"
    try:
        footer = load_record(record, incomplete=True).footer
    except RecordError as error:
        return f"its record cannot be read: {code(str(error))}"
    if footer is None:
        return "its run did not finish"
    if footer["not_run"] == 0:
        # everything was had: what is left of earlier nights would be of scenarios and samples that are no more
        shutil.rmtree(cassettes / name, ignore_errors=True)
    new = NIGHT / name / "cassettes" / name
    if new.is_dir():
        shutil.copytree(new, cassettes / name, dirs_exist_ok=True)
    return None


def settled(night: Night) -> Iterator[str]:
    """Keys of cells that could have shown their quirk and are not red, and of rows of which everything was run.

    Of providers that were to be asked and were not, there are old recordings at most: they settle nothing.
    """
    counting = LEVELS[:2] if night.strict else LEVELS[:1]
    asked = set((RESULT / "asked").read_text(encoding="utf-8").split())
    for row in night.rows.values():
        if row.provider in set(_planned()) - asked:
            continue
        if row.judged and not row.missing:
            yield key(row.provider, row.model, NOT_RUNNING)
        for slug, cell in row.cells.items():
            red = cell.unexpected_level in counting or cell.state == "stale"
            if cell.applicable and not cell.not_run and not red:
                yield key(row.provider, row.model, slug)


if __name__ == "__main__":
    try:
        if sys.argv[1:] == ["collect"]:
            print(*collect(), sep="\n")
        else:
            print(*settled(load(sys.argv[2])), sep="\n")
    except ConformanceError as error:
        sys.exit(str(error))

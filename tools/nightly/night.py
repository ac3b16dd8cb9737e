"""What belongs to a night: whom it asked, whose answers are kept, and which cells are settled.

night.py collect            puts the cassettes together; prints the records of those that were asked, a line each
night.py settled FILE       prints the keys of cells that are in order, by FILE, the quirks.json of the night
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from conformance.diff.issues import NOT_RUNNING, key
from conformance.diff.night import Night
from conformance.diff.source import load
from conformance.errors import ConformanceError, RecordError
from conformance.model import LEVELS
from conformance.report import history
from conformance.report.history import History
from conformance.report.text import code
from conformance.run.record import load_record
from conformance.statistics import turned

NIGHT = Path("runs/night")
RESULT = Path("runs/result")
SILENT = 5
"""Days without a finding after which an issue is closed: a quirk that shows on every second day, or more often, is
silent on five in a row in 1/32 = 3 % of the cases at most; on four it would be 6 %."""


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
    for name in [*_planned(), *_near()]:
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
    said = [about, "", *lines, ""] if asked else [about, "", *lines, "", _nothing(failed, lines), ""]
    for file, text in (("asked", asked), ("failed", failed), ("asked.md", said)):
        (RESULT / file).write_text("\n".join(text), encoding="utf-8")
    return records


def _nothing(failed: Collection[str], lines: Collection[str]) -> str:
    """That nothing was measured, and what helps."""
    if failed:
        helps = "nobody that was to be asked left a whole record; what their jobs printed says why."
    elif any("no key" in line for line in lines):
        helps = "give a provider its key (docs/nightly.md)."
    else:
        helps = "no hosted provider takes a key; name those to ask in NIGHTLY_PROVIDERS (docs/nightly.md)."
    return f"Nothing was measured: {helps}"


def _planned() -> list[str]:
    return [one["name"] for one in json.loads((NIGHT / "_committed" / "plan.json").read_text(encoding="utf-8"))]


def _near() -> list[str]:
    """Who is not planned, with a reason."""
    return sorted({path.parent.name for path in NIGHT.glob("*/not-asked")} - set(_planned()))


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


def settled(night: Night, past: History, mended: Collection[str]) -> Iterator[str]:
    """Keys of cells about which an open issue is settled, and of rows of which everything was run.

    A cell is settled that could have shown its quirk, is not red, and of which one of these is true: an expectation is
    about it, or the quirk is found at a level that does not count; it is gone, by the comparison or by its past; it has
    been silent for `SILENT` days. One silent night is no end: a quirk that shows now and then has many.

    Of providers that were to be asked and were not, there are old recordings at most: they settle nothing.

    Args:
        night: what was measured.
        past: with this night.
        mended: keys of cells that the comparison says are resolved.
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
                name = key(row.provider, row.model, slug)
                known = cell.found or slug in row.expected or name in mended
                if known or _over(past, (row.provider, row.model, slug), cell.applicable):
                    yield name


def _over(past: History, cell: tuple[str, str, str], applicable: int) -> bool:
    """Whether a quirk that is not found is gone, going by its past."""
    *_, before, last = (None, None, *past.changes(*cell))
    if before is None or last is None or (before.state, last.state) != ("found", "ok"):
        return past.silence(*cell) >= SILENT
    return turned(before.occurrences, before.applicable, 0, applicable) or past.silence(*cell) >= SILENT


def _mended() -> set[str]:
    """Keys of cells that the comparison says are resolved; none where nothing was compared."""
    file = RESULT / "diff.json"
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"] if file.is_file() else []
    return {key(one["provider"], one["model"], one["quirk"]) for one in cells if one["resolved"]}


if __name__ == "__main__":
    try:
        if sys.argv[1:] == ["collect"]:
            print(*collect(), sep="\n")
        else:
            file = RESULT / "reports" / "history.jsonl"
            past = history.load(file) if file.is_file() else history.History()
            print(*settled(load(sys.argv[2]), past, _mended()), sep="\n")
    except ConformanceError as error:
        sys.exit(str(error))

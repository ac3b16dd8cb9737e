"""`conformance history`: keep since when each cell says what it says."""

from __future__ import annotations

from pathlib import Path

import click

_EPILOG = """\b
Example, after each night:
  conformance history add runs/night --history reports/history.jsonl
  conformance report runs/night --history reports/history.jsonl -o reports

\b
Exit codes: 0 the file is up to date; 4 a record or the file cannot be read, or it cannot be
written; 5 the records hold nothing with a day that could be added.
"""


@click.group(short_help="Keep since when each cell says what it says.")
def command() -> None:
    """Keep since when each cell says what it says: found, not found, or coming and going."""


@command.command(epilog=_EPILOG, short_help="Add what runs found to a history.")
@click.argument("paths", nargs=-1, required=True, metavar="RUN.jsonl...", type=click.Path(path_type=Path))
@click.option(
    "--history",
    "file",
    type=click.Path(path_type=Path),
    default=Path("reports/history.jsonl"),
    show_default=True,
    metavar="FILE",
    help="The file to bring up to date; made if it is not there.",
)
def add(paths: tuple[Path, ...], file: Path) -> int:
    """Add what runs found to a history. RUN.jsonl is the record a run wrote, or the folder that holds it.

    What was added before changes nothing. Days are those on which exchanges were recorded, so that a replay adds
    nothing new. What was not run is no change. A run of some scenarios only can show that a quirk is there, and not
    that it is gone.
    """
    from conformance.cli.output import writing
    from conformance.errors import SelectionError
    from conformance.report import build
    from conformance.report.history import History, load
    from conformance.report.since import looks
    from conformance.run.outcome import is_part
    from conformance.run.record import load_record
    from conformance.text import plural

    records = [load_record(path / "run.jsonl" if path.is_dir() else path) for path in paths]
    records.sort(key=lambda record: record.header["started"])
    before = load(file) if file.exists() else History()
    seen = [look for one in records for look in looks(build(one), partial=is_part(one.header))]
    if not seen:
        raise SelectionError(f"{', '.join(map(str, paths))}: nothing was measured on a known day; nothing to add")
    after = before.add(sorted(seen, key=lambda look: look.day))
    changed = sum(changes != before.cells.get(key) for key, changes in after.cells.items())
    text = after.dumps()
    if not file.exists() or file.read_bytes() != text.encode():  # also what git put together of two branches
        with writing(file.resolve()) as write:  # a link stays one, to the file that is brought up to date
            write(text)
    click.echo(f"{file}: {plural(changed, 'cell')} changed, {len(after.cells)} known")
    return 0

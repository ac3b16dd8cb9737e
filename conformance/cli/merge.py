"""`conformance merge`: the records of the shards of one run, put together."""

from __future__ import annotations

import sys
from pathlib import Path

import click

_EPILOG = """\b
Example, on four machines and then on one:
  conformance run --provider acme --live --shard 1/4 -o part1     (and 2/4, 3/4, 4/4)
  conformance merge part*/run.jsonl -o runs/night

\b
Exit codes: those of the whole run: 0 nothing unexpected; 1 unexpected findings, stale expectations,
or exchanges that could not be had; 4 the records do not belong together, or one is incomplete.
"""


@click.command(epilog=_EPILOG, short_help="Join the records of the shards of one run.")
@click.argument("paths", nargs=-1, required=True, metavar="RUN.jsonl...", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where the whole run goes."
)
def command(paths: tuple[Path, ...], output: Path) -> None:
    """Write the record and the reports that one run would have written. RUN.jsonl can be the folder that holds it.

    Nothing is lost and nothing counts twice: a missing shard, or an exchange that two records hold, is an error. To see
    several runs together, the latest counting, use 'conformance report'.
    """
    from conformance.report import build, terminal, write_all
    from conformance.run.join import join
    from conformance.run.record import load_record

    records = [load_record(path / "run.jsonl" if path.is_dir() else path) for path in paths]
    target = output / "run.jsonl"
    code = join(records, target)
    whole = load_record(target)
    write_all(whole, output)
    terminal.show(build(whole), sys.stdout)
    click.echo(f"reports in {output}/")
    sys.exit(code)

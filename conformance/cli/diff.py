"""`conformance diff`: what changed between two nights."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path

import click

_EPILOG = """\b
Exit codes: 0 no unexpected change; 1 unexpected changes: a quirk that no expectation covers
appeared, became graver or more frequent, an expectation became stale, a provider no longer runs;
4 a side cannot be read; 5 nothing could be compared.

\b
Examples:
  conformance diff runs/monday runs/tuesday              two nights
  conformance diff HEAD~1 reports/quirks.json            since the last commit of the reports
  conformance diff v1.0 HEAD -f markdown                 between two revisions
  conformance diff HEAD runs/night -f issues -o issues   one file for each cell to look at
"""


@click.command(epilog=_EPILOG, short_help="Say what changed between two nights.")
@click.argument("old")
@click.argument("new")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["terminal", "markdown", "json", "issues"]),
    default="terminal",
    show_default=True,
    help="issues: a Markdown file for each changed cell somebody has to look at, or may close; with -o.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write into this folder: diff.md, diff.json, or the issues; what somebody else wrote there stays.",
)
@click.option(
    "--history",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Says what comes and goes: what 'conformance history add' wrote. A git revision brings its own.",
)
@click.option("--all", "everything", is_flag=True, help="List counts that differ insignificantly as well.")
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
def command(
    old: str, new: str, form: str, output: Path | None, history: Path | None, everything: bool, strict: bool
) -> int:
    """Say what changed from OLD to NEW.

    Each is a run record, the folder of one, several records with commas between them, a quirks.json, or a git revision
    of reports/quirks.json (HEAD~1, or v1.0:path/quirks.json).

    What could not be measured, or was not looked for, is never gone and has never appeared. What is not found now is
    gone only if that is no chance; else it is 'not seen'.
    """
    from conformance.diff import json_, markdown, terminal
    from conformance.diff.compare import compare
    from conformance.diff.source import load
    from conformance.errors import ConfigError
    from conformance.report.history import load as load_history
    from conformance.report.publish import publish

    if form == "issues" and output is None:
        raise ConfigError("-f issues writes files; say where with -o DIR")
    if form == "terminal" and output is not None:
        raise ConfigError("-f terminal writes no file; leave out -o, or choose another format")
    past = load_history(history) if history is not None else None
    diff = compare(load(old, strict=strict), load(new, strict=strict), strict=strict, history=past)
    if isinstance(sys.stdout, TextIOWrapper):
        # symbols and names must not end the command on a terminal that knows only ASCII
        sys.stdout.reconfigure(errors="backslashreplace")
    if form == "terminal":
        from conformance.cli.text import colours

        for red, line in terminal.lines(diff, everything=everything):
            click.echo(click.style(line, fg="red") if red and colours() else line)
        return diff.exit_code
    if form == "issues":
        from conformance.diff import issues

        texts = issues.render(diff)
    else:
        view = markdown.render if form == "markdown" else json_.render
        texts = {f"diff.{'md' if form == 'markdown' else 'json'}": view(diff, everything=everything)}
    if output is None:
        click.echo("".join(texts.values()), nl=False)
        return diff.exit_code
    contents = {name: text.encode("utf-8") for name, text in texts.items()}
    if form == "issues":
        publish(output, contents, "issues.sha256")
    else:
        publish(output, contents, "diff.sha256", clear=False)
    for name in texts:
        click.echo(str(output / name))
    return diff.exit_code

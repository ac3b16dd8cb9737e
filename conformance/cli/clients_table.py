"""`conformance clients table`: the tables of clients, and client × provider."""

from __future__ import annotations

from pathlib import Path

import click

_EPILOG = """\b
Exit codes: 0 written; 4 a file cannot be read or written.

\b
Examples:
  conformance clients table                    of what stands in reports/
  conformance clients table runs/clients --providers reports/quirks.json
"""


@click.command("table", epilog=_EPILOG, short_help="Write the tables client × quirk and client × provider.")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("reports"), metavar="[DIR]")
@click.option(
    "--providers",
    "matrix",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What is known of providers.  [default: DIR/quirks.json]",
)
def table(folder: Path, matrix: Path | None) -> int:
    """Write DIR/clients.md and DIR/client-provider.json, from DIR/clients.json and what is known of providers.

    Nothing is measured: a client × provider cell joins what the client makes of a quirk with the evidence that the
    provider has it.
    """
    from conformance.impact import documents, markdown, pairs
    from conformance.report.files import write

    clients = documents.clients(folder / documents.CLIENTS)
    providers = documents.providers(matrix or folder / documents.MATRIX)
    for name, text in (
        ("clients.md", markdown.render(clients, providers)),
        ("client-provider.json", pairs.render(clients, providers)),
    ):
        click.echo(str(write(folder / name, text)))
    return 0

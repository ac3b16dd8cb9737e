"""`conformance serve`: the fault server, for people who test a client."""

from __future__ import annotations

import click


@click.command(short_help="Serve made-up answers with a planted fault, to test a client.")
@click.option("--fault", "name", metavar="FAULT", help="What to plant in every answer; none: honest answers.")
@click.option("--port", type=click.IntRange(0, 65535), default=8808, show_default=True, help="0 takes a free one.")
@click.option("--list", "listed", is_flag=True, help="List the faults and legal variations.")
def command(name: str | None, port: int, listed: bool) -> int:
    """Serve Chat Completions on loopback: any tools, both modes, arguments made up from the schema.

    One fault or legal variation is planted in every answer under /v1; under /FAULT/v1 that one, whatever was chosen.
    """
    from conformance.faults import FAULTS, find
    from conformance.faults.server import FaultServer

    if listed:
        width = max(len(n) for n in FAULTS)
        for fault in FAULTS.values():
            kind = "legal" if fault.legal else "fault"
            click.echo(f"{fault.name.ljust(width)}  {kind}  {'+'.join(fault.modes):15}  {fault.title}")
        return 0
    chosen = find(name) if name else None
    server = FaultServer(chosen, port)
    planted = f"{chosen.name}: {chosen.title}" if chosen else "nothing: honest answers"
    click.echo(f"{server.url} plants {planted}; all answers are made up; Ctrl-C ends it", err=True)
    server.serve()
    return 0

"""`conformance corpus export`: every fault and legal variation as files, for clients in any language."""

from __future__ import annotations

import json
from pathlib import Path

import click

from conformance.errors import ConfigError

SCHEMA = "conformance/corpus/1"


@click.group(short_help="Write every fault and legal variation as files, to test any client against.")
def command() -> None:
    """Write the answers of the fault server as files."""


@command.command(short_help="Write the corpus to a folder.")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
def export(folder: Path) -> int:
    """Write every fault and legal variation to DIR as NAME.sse or NAME.json, beside NAME.expected.json.

    The expected file holds the request, the response's status and headers, the calls of the honest answer, and what is
    left of them: `all` (a client ends with exactly these), `unusable` (it must not run them as they stand), `none`
    (other or no calls are on the wire). All of it is made up.
    """
    from importlib.metadata import version

    from conformance.faults import FAULTS
    from conformance.faults.honest import answer
    from conformance.faults.respond import respond
    from conformance.run.selftest import request_for

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for fault in FAULTS.values():
            for mode in fault.modes:
                request = request_for(fault, mode)
                wire = respond(request, fault)
                stem = f"{fault.name}.{mode}"
                (folder / f"{stem}.{'sse' if mode == 'stream' else 'json'}").write_bytes(wire.body)
                expected = {
                    "schema": SCHEMA,
                    "version": version("toolcall-conformance"),
                    "made_up": True,
                    "name": fault.name,
                    "title": fault.title,
                    "legal": fault.legal,
                    "mode": mode,
                    "request": request,
                    "status": wire.status,
                    "headers": dict(wire.headers),
                    "cut": wire.cut,
                    "left": fault.left,
                    "calls": [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in answer(request).calls],
                }
                text = json.dumps(expected, ensure_ascii=False, indent=2) + "\n"
                (folder / f"{stem}.expected.json").write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror}); choose another folder") from None
    click.echo(f"{sum(len(f.modes) for f in FAULTS.values())} answers in {folder}", err=True)
    return 0

"""`conformance advise`: what goes wrong with a client on a provider, and the guard."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path

import click

from conformance.errors import InputError

WRONG = 1
NOTHING = 5

_EPILOG = """\b
Exit codes: 0 of what is known there, nothing harms the client; 1 something does; 4 the name is not
known, or the reports cannot be read; 5 nothing is known of the two together, or it depends on the
form of the provider's answers.

\b
Examples:
  conformance advise --client langchain-openai --provider gemini
  conformance advise --client pydantic-ai --provider mistral --format markdown
"""


@click.command(epilog=_EPILOG, short_help="Say what goes wrong with a client on a provider, and the guard.")
@click.option("--client", "client_name", required=True, metavar="NAME", help="See 'conformance clients list'.")
@click.option("--provider", "provider_name", required=True, metavar="NAME", help="See 'conformance list providers'.")
@click.option("--model", default="", metavar="NAME", help="Only this model, where several were measured.")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option(
    "--reports",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    metavar="DIR",
    help="The folder that holds clients.json and quirks.json.",
)
def command(client_name: str, provider_name: str, model: str, form: str, reports: Path) -> int:
    """Join what the client was seen to make of each quirk with the evidence that the provider has it.

    Nothing is sent: it reads the reports of earlier measurements. What harms comes in order of gravity, each with the
    evidence, what becomes of calls, and what to do about it.
    """
    from conformance.impact import advice_views, documents
    from conformance.impact.advice import advise, choose_client, choose_providers

    if not (reports / documents.CLIENTS).is_file():
        raise InputError(
            f"{reports}: holds no {documents.CLIENTS}; name the folder of the reports with --reports DIR (the "
            "repository of conformance keeps them in reports/), or write it with 'conformance clients run -o DIR'"
        )
    table = documents.clients(reports / documents.CLIENTS)
    providers = documents.providers(reports / documents.MATRIX)
    client = choose_client(table, client_name)
    found = [advise(table, client, one) for one in choose_providers(providers, provider_name, model)]
    if isinstance(sys.stdout, TextIOWrapper):
        # symbols and names must not end advice on a terminal that knows only ASCII
        sys.stdout.reconfigure(errors="backslashreplace")
    match form:
        case "json":
            click.echo(advice_views.json_(client, found), nl=False)
        case "markdown":
            click.echo(advice_views.markdown(found), nl=False)
        case _:
            click.echo(advice_views.text(found), nl=False)
    if any(one.harms or one.pair.standing == "honest" for one in found):
        return WRONG
    standings = {one.pair.standing for one in found}
    return 0 if "unharmed" in standings and "depends" not in standings else NOTHING

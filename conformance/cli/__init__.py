"""The command line: one file per command, imported only when it is called."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from typing import Final

import click

from conformance.errors import ConfigError, ConformanceError

COMMANDS: Final = {
    "run": "Measure providers and write the quirks table.",
    "inspect": "Read captured exchanges: what is wrong, where, and what the calls are.",
    "audit": "Count the quirks of any number of captured exchanges.",
    "expect": "Propose expectations for what a run found.",
    "merge": "Join the records of the shards of one run.",
    "report": "Write the reports of a run record again.",
    "diff": "Say what changed between two nights.",
    "history": "Keep since when each cell says what it says.",
    "clients": "Measure what real client libraries make of each quirk.",
    "advise": "Say what goes wrong with a client on a provider, and the guard.",
    "list": "List quirks, scenarios or providers.",
    "explain": "Say all there is to say about one quirk.",
    "config": "Check providers.yaml, or print its schema.",
    "docs": "Write the pages about the quirks.",
    "serve": "Serve made-up answers with a planted fault, to test a client.",
    "tap": "Pass a client's requests on to a provider and judge what passes.",
    "corpus": "Write every fault and legal variation as files, to test any client against.",
    "selftest": "Measure how often the verdict is right, on planted faults.",
}
INTERNAL: Final = 3
_UNWRITABLE: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EROFS))
"""Errors that say of a disk or a stream that it takes no more."""
USAGE: Final = 4
_EPILOG = """\b
Begin here:
  conformance run                       replay what is recorded: no network, no key
  conformance run --base-url http://localhost:8000/v1 --model my-model
  conformance inspect capture.sse       what is wrong with a captured answer

\b
Exit codes, of every command: 0 nothing unexpected; 1 unexpected findings, stale
expectations, or exchanges that could not be had; 2 interrupted; 3 internal error;
4 usage or configuration; 5 nothing selected.
"""


class _Commands(click.Group):
    """Imports a command when it is called, so that `inspect` does not wait for pytest."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__name__}.{_module(cmd_name)}")
        found: click.Command = module.command
        return found

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0] if args else "", list(COMMANDS), 1)
            if near:
                raise click.UsageError(f"{error.message} Did you mean '{near[0]}'?", ctx) from None
            raise


def _module(name: str) -> str:
    return {"list": "list_"}.get(name, name)


@click.group(
    cls=_Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="toolcall-conformance", prog_name="conformance")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Find out how an OpenAI-compatible provider deviates in tool calling, with the bytes that show it."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    elif os.environ.get("FORCE_COLOR"):
        ctx.color = True


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with the exit code of DESIGN §6.3."""
    sys.exit(call(args))


def call(args: list[str] | None = None) -> int:
    """Run the command line.

    Returns:
        The exit code. Whatever goes wrong is one sentence on standard error; in a job of GitHub Actions an annotation.
    """
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return _call(args)
    from conformance.cli.log import guarded

    with guarded():
        return _call(args)


def _call(args: list[str] | None) -> int:
    try:
        result = group.main(args=args, prog_name="conformance", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # what cannot be written has to be known here, not when Python ends
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return 2
    except click.ClickException as error:
        if not _annotated(ConfigError(error.format_message())):
            error.show()
        return USAGE
    except ConformanceError as error:
        if not _annotated(error):
            _complain(str(error))
        return error.exit_code
    except BrokenPipeError:
        # the reader (head, less) went away: nothing to say, and nobody to say it to
        _drop_output()
        return 0
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else INTERNAL if done.code else 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:
            where = error.filename or "the output"
            _complain(f"{where}: cannot be written ({error.strerror}); make room, or write somewhere else")
            _drop_output()
            return USAGE
        if os.environ.get("CONFORMANCE_DEBUG"):
            raise
        _complain(
            f"internal error: {type(error).__name__}: {error}\n"
            "This is a bug in conformance: set CONFORMANCE_DEBUG=1 for the traceback, and please report it."
        )
        return INTERNAL


def _complain(text: str) -> None:
    """Print to standard error, if it takes anything; the exit code says the rest."""
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


def _annotated(error: ConformanceError) -> bool:
    """Say it as annotations, if anybody reads those."""
    from conformance.cli import actions

    if not actions.running():
        return False
    actions.annotate(actions.problems(error))
    return True


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that leaving does not fail on it again."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

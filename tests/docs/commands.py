"""Shell text: its commands one by one, and what of each can be checked without running it."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import click

from conformance.cli import COMMANDS, group
from tests.docs.blocks import ROOT, Wrong

_SEPARATORS: Final = frozenset(("|", "||", "&&", "&", ";", "(", ")", ";;", "|&"))
_REDIRECTIONS: Final = frozenset((">", ">>", "<", "<<", ">&", "2>", "&>"))
_WORDS_BEFORE: Final = frozenset(
    ("if", "then", "do", "else", "while", "!", "time", "exec", "env", "uv", "run", "--no-sync")
)
_FOLDERS: Final = ("benchmarks/", "tools/", "tests/")


@dataclass(frozen=True, slots=True)
class Shown:
    """A command, and what the page shows of its output; None if it shows none."""

    text: str
    output: str | None = None


def script(text: str) -> list[Shown]:
    """The commands of a `sh` block: lines, or several that bash reads as one command."""
    found: list[Shown] = []
    held = ""
    for line in text.split("\n"):
        held = f"{held}\n{line}" if held else line
        if not held.strip() or (held.strip().startswith("#") and "\n" not in held):
            held = ""
        elif not held.rstrip().endswith("\\") and _whole(held):
            found.append(Shown(held))
            held = ""
    if held:
        raise Wrong(f"bash does not read {held!r}")
    return found


def console(text: str) -> list[Shown]:
    """The commands of a `console` block: lines after `$ `, each followed by its output.

    Raises:
        Wrong: the block does not begin with a command.
    """
    found: list[Shown] = []
    lines = text.split("\n")
    if not lines[0].startswith("$ "):
        raise Wrong("a console block begins with a line after '$ '")
    for line in lines:
        if line.startswith("$ "):
            found.append(Shown(line[2:], ""))
        elif found[-1].text.endswith("\\") and not found[-1].output:
            found[-1] = Shown(f"{found[-1].text}\n{line.removeprefix('> ')}", "")
        else:
            found[-1] = Shown(found[-1].text, f"{found[-1].output}{line}\n")
    return found


def _whole(text: str) -> bool:
    """Whether bash reads a whole command; an open here-document is a warning only."""
    read = subprocess.run(["bash", "-n", "-c", text], capture_output=True, check=False)
    return read.returncode == 0 and not read.stderr


def simple_commands(text: str) -> Iterator[list[str]]:
    """The simple commands in shell text, as words, without redirections, assignments and comments."""
    body = re.sub(r"<<-?\s*['\"]?(\w+)['\"]?.*?\n\1\b", "", text, flags=re.DOTALL)
    lexer = shlex.shlex(body.replace("\\\n", " ").replace("\n", " ; "), posix=True, punctuation_chars="();<>|&")
    lexer.commenters = ""
    lexer.wordchars += "#$,@:{}[]%^+!"
    words: list[str] = []
    skip = False
    for word in (*lexer, ";"):
        if word in _SEPARATORS or set(word) <= set(";&|()"):
            if words:
                yield words
            words, skip = [], False
        elif word in _REDIRECTIONS:
            skip = True
        elif skip:
            skip = False
        elif words or not (word in _WORDS_BEFORE or re.match(r"\w+=", word)):
            words.append(word)


def check(text: str) -> None:
    """Check what can be checked of shell text without running it.

    Commands of ours have to know their options, make its targets, and bash the grammar.

    Raises:
        Wrong: something is not so.
    """
    for command in simple_commands(re.sub(r"(^|\s)#\s.*", "", text, flags=re.MULTILINE)):
        name = command[0].rpartition("/")[2]
        if name == "conformance":
            check_ours(command[1:])
        elif name == "make":
            check_make(command[1:])
        elif name == "pytest":
            check_pytest(command[1:])
        elif (
            name == "python"
            and len(command) > 1
            and command[1].startswith(_FOLDERS)
            and not (ROOT / command[1]).is_file()
        ):
            raise Wrong(f"{' '.join(command)}: there is no {command[1]}")


def check_ours(arguments: Sequence[str]) -> None:
    """Our own command line: the command exists, and each option, and what is chosen from a list.

    Raises:
        Wrong: something of it does not exist.
    """
    command: click.Command = group
    rest = list(arguments)
    while isinstance(command, click.Group):
        context = click.Context(command, help_option_names=["-h", "--help"])
        if not rest or rest[0].startswith("-"):
            break
        name = rest.pop(0)
        inner = command.get_command(context, name)
        if inner is None:
            raise Wrong(f"conformance {' '.join(arguments)}: there is no command {name!r}")
        command = inner
    context = click.Context(command, help_option_names=["-h", "--help"])
    try:
        values, _, _ = command.make_parser(context).parse_args(rest)
        for parameter in command.params:
            value = values.get(parameter.name or "")
            if isinstance(parameter.type, click.Choice) and isinstance(value, str):
                parameter.type.convert(value, parameter, context)
    except click.ClickException as error:
        raise Wrong(f"conformance {' '.join(arguments)}: {error.format_message()}") from None


def check_make(arguments: Sequence[str]) -> None:
    """`make -n`: the targets exist, and their recipes can be put together.

    Raises:
        Wrong: make says no.
    """
    done = subprocess.run(
        ["make", "-n", *arguments], cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        raise Wrong(f"make {' '.join(arguments)}: {done.stderr.strip()}")


def check_pytest(arguments: Sequence[str]) -> None:
    """The options of pytest and its plugins that are here.

    Raises:
        Wrong: an option that nobody adds.
    """
    for word in arguments:
        option = word.partition("=")[0]
        if option.startswith("--") and option not in pytest_options():
            raise Wrong(f"pytest: no plugin here adds {option}")


@cache
def pytest_options() -> frozenset[str]:
    """Every long option that pytest and its plugins know here."""
    import sys

    shown = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], cwd="/", capture_output=True, text=True, check=True
    )
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", shown.stdout))


@cache
def our_options() -> frozenset[str]:
    """Every option of every command of ours that can be imported."""
    found = {"--help", "--version"}
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        inner = list(command.commands.values()) if isinstance(command, click.Group) else []
        for one in (command, *inner):
            found.update(option for parameter in one.params for option in (*parameter.opts, *parameter.secondary_opts))
    return frozenset(found)

"""The command line as a whole: exit codes, sentences instead of tracebacks, and a quick start for `inspect`."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

import click
import pytest

import conformance.cli
from conformance.cli import COMMANDS, call
from conformance.errors import ConfigError, SelectionError
from tests.importers.examples import STREAM

INSTALLED = Path(sysconfig.get_path("scripts")) / "conformance"


def script(*args: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    return subprocess.run([INSTALLED, *args], capture_output=True, text=True, timeout=60, check=False)


def fails_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    """The exit code when a command raises this."""

    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(conformance.cli, "COMMANDS", {"broken": ""})
    monkeypatch.setattr(conformance.cli.importlib, "import_module", lambda _: _module(command))  # type: ignore[attr-defined]
    return call(["broken"])


def _module(command: click.Command) -> object:
    return type("Module", (), {"command": command})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call([name, "--help"]) == 0
    assert f"Usage: conformance {name} " in capsys.readouterr().out


def test_help_shows_every_command_the_beginning_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["--help"]) == 0
    out = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name} " in out
    assert "Begin here:" in out
    assert "Exit codes" in out


def test_without_a_command_the_help_is_shown_as_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert call([]) == 4
    assert "Begin here:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["inspct"], "Did you mean 'inspect'?"),
        (["zzz"], "No such command 'zzz'"),
        (["inspect", "--formt", "json"], "--format"),
        (["list", "quarks"], "'quarks' is not one of"),
    ],
)
def test_usage_errors_are_exit_code_four(args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(args) == 4
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ConfigError("providers.yaml:3: a", "providers.yaml:4: b"), 4, "providers.yaml:3: a\nproviders.yaml:4: b\n"),
        (SelectionError("nothing is left"), 5, "nothing is left\n"),
        (KeyboardInterrupt(), 2, "interrupted\n"),
        (SystemExit(1), 1, ""),
        (SystemExit(None), 0, ""),
    ],
)
def test_errors_become_exit_codes(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails_with(monkeypatch, error) == code
    assert capsys.readouterr().err.endswith(said)


def test_a_bug_is_a_sentence_and_says_how_to_see_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CONFORMANCE_DEBUG", raising=False)
    assert fails_with(monkeypatch, ZeroDivisionError("division by zero")) == 3
    err = capsys.readouterr().err
    assert "internal error: ZeroDivisionError: division by zero" in err
    assert "CONFORMANCE_DEBUG=1" in err
    assert "Traceback" not in err


def test_a_bug_is_a_traceback_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFORMANCE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        fails_with(monkeypatch, ZeroDivisionError())


def test_the_installed_command(tmp_path: Path) -> None:
    assert script("--version").stdout == f"conformance, version {metadata.version('toolcall-conformance')}\n"
    path = tmp_path / "a.sse"
    path.write_bytes(STREAM)
    assert script("inspect", str(path)).returncode == 0
    missing = script("inspect", "none.sse")
    assert (missing.returncode, missing.stdout) == (4, "")
    assert missing.stderr == "none.sse: there is no such file; check the path\n"


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "a.sse"
    path.write_bytes(STREAM)
    process = subprocess.Popen(
        [INSTALLED, "inspect", *[str(path)] * 500], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    assert said == b""


def test_inspect_starts_without_what_only_runs_need(tmp_path: Path) -> None:
    path = tmp_path / "a.sse"
    path.write_bytes(STREAM)
    code = (
        "import sys\nfrom conformance.cli import call\n"
        f"assert call(['inspect', '--format', 'json', {str(path)!r}]) == 0\n"
        "print(sorted({'openai', 'pytest', 'vcr', 'httpx2', 'pydantic', 'rich', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

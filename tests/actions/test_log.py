"""In the log of a job nothing that a provider says is a command, whichever command of ours prints it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conformance.cli import call
from conformance.cli.log import guarded, issue
from conformance.text import inert
from tests.actions.runner import Command, commands
from tests.safety.answers import body, chunk, error, stream
from tests.transport.server import serving

EVIL: Final = (
    "::add-mask::e",
    "::stop-commands::x",
    "  ::set-output name=a::b",
    "##[add-mask]e",
    "text ##[error]owned",
    "\r::group::x",
    "\u3000::warning::x",
    "::error file=a,line=1::owned",
)
TEXT: Final = "\n".join(EVIL)
PIECES = st.lists(st.sampled_from([*EVIL, "\n", ":", "::", "#", "[", "x", " ", "\r", "error", "]"]), max_size=8)


def test_the_runner_would_obey() -> None:
    assert len(commands(TEXT)) == len(EVIL)


@given(PIECES.map("".join))
@example(TEXT)
def test_inert_text_holds_no_command(text: str) -> None:
    assert commands(inert(text)) == []


@given(st.text(st.characters(codec="utf-8"), max_size=40) | PIECES.map("".join))
def test_json_says_the_same_afterwards(text: str) -> None:
    document = json.dumps({"text": text}, ensure_ascii=False, indent=1)
    assert json.loads(inert(document)) == {"text": text}


def test_other_text_stays_as_it_is() -> None:
    plain = "## [a] std::vector x::y\n# [b]\na ::error::\n: ::\n[::1]:80"
    assert inert(plain) == plain


@given(st.lists(PIECES.map("".join), max_size=4))
def test_however_it_is_printed(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        out = _captured(patch)
        with guarded():
            for part in parts:
                click.echo(part, nl=False)
                sys.stdout.flush()
            click.echo("".join(parts).encode())
            issue("::error title=ours::one")
            sys.stderr.write("the end")
        read = out.read()
    assert commands(read["out"]) == []
    assert commands(read["err"]) == [Command("error", "one", {"title": "ours"})]
    assert read["err"].endswith("the end")


class _captured:  # noqa: N801
    """Standard output and error as files of bytes; hypothesis and pytest's own fixture do not go together."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        import io

        self._streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for name in ("out", "err")}
        patch.setattr(sys, "stdout", self._streams["out"])
        patch.setattr(sys, "stderr", self._streams["err"])

    def read(self) -> dict[str, str]:
        found = {}
        for name, one in self._streams.items():
            one.flush()
            raw = one.buffer
            raw.seek(0)
            found[name] = raw.read().decode()
        return found


CALL: Final = {"index": 0, "id": TEXT, "type": "function", "function": {"name": TEXT, "arguments": TEXT}}
ANSWERS: Final = (
    stream([f"data: {json.dumps(one)}\n\n".encode() for one in (chunk({"tool_calls": [CALL]}), chunk({}, TEXT))]),
    body(json.dumps({"choices": [{"index": 0, "message": {"content": TEXT, "tool_calls": [CALL]}}]}).encode()),
    error("500 Oops", TEXT),
    error("401 ::error::x", TEXT),
    body(TEXT.encode(), "502 ##[error]x"),
    body(TEXT.encode()),
)
SCENARIOS: Final = "single_call,no_call,two_tools,named_call,forced_call,zero_argument_call"
PYTEST: Final = (
    "pytest --pyargs conformance.suites --provider acme --conformance-mode complete -pno:cacheprovider -vv -rA"
    f" --conformance-strict --conformance-scenario {SCENARIOS}"
)
FILE: Final = "providers:\n  acme: {base_url: '${ACME_URL:-http://127.0.0.1:9/v1}', models: [m]}\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with recordings of a provider that writes commands into everything."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "providers.yaml").write_text(FILE)
    with pytest.MonkeyPatch.context() as patch, serving(*ANSWERS) as local:
        patch.chdir(folder)
        patch.setenv("ACME_URL", local.url)
        chosen = ("-s", SCENARIOS, "--mode", "complete", "--retries", "0", "--timeout", "2")
        call(["run", "-p", "acme", "--record", *chosen, "-o", "out"])
    return folder


@pytest.mark.parametrize(
    "line",
    [
        f"conformance run -p acme -s {SCENARIOS} --mode complete --strict -o again",
        "conformance report out",
        "conformance report out -f json",
        "conformance report out -f markdown",
        "conformance report out -f junit",
        "conformance report out -f step-summary",
        "conformance inspect cassettes/acme/no_call.complete.yaml --events all",
        "conformance inspect cassettes --format json",
        "conformance audit cassettes --workers 1",
        "conformance expect --from out/run.jsonl",
        PYTEST,
    ],
)
def test_every_command(project: Path, line: str) -> None:
    name, *arguments = line.split()
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        cwd=project,
        env={**os.environ, "GITHUB_ACTIONS": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    log = done.stdout.decode()
    assert done.returncode in (0, 1), log
    assert log
    assert {one.name for one in commands(log)} <= {"error"}
    for one in commands(log):
        assert one.fields["title"].startswith(("acme", "conformance"))


def test_the_log_of_a_run_holds_what_was_said(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "report", "out"],
        cwd=project,
        env={**os.environ, "GITHUB_ACTIONS": "true"},
        capture_output=True,
        check=False,
    )
    assert b"\\u003a:" in done.stdout or b"##\\u005b" in done.stdout


def test_a_file_gets_what_it_would_get_anywhere(project: Path) -> None:
    texts = []
    for actions in ("true", "false"):
        with (project / f"{actions}.md").open("wb") as out:
            subprocess.run(
                [sys.executable, "-m", "conformance", "report", "out", "-f", "markdown"],
                cwd=project,
                env={**os.environ, "GITHUB_ACTIONS": actions},
                stdout=out,
                check=False,
            )
        texts.append((project / f"{actions}.md").read_bytes())
    assert texts[0] == texts[1]
    assert b"##" in texts[0]

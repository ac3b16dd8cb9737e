"""What cannot be run ends in one sentence and the right exit code, before anything is sent."""

from __future__ import annotations

import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.suites.conftest import Run

pytest_plugins = ["pytester"]

USAGE = pytest.ExitCode.USAGE_ERROR
NOTHING = pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["--provider=acmee"], USAGE, "*no provider is called 'acmee'; did you mean 'acme'*"),
        (["--provider="], NOTHING, "*--provider is given without a name*"),
        (["--provider=x*"], NOTHING, "*no provider matches 'x[*]'*"),
        (["--provider=acme", "--conformance-scenario=singel_call"], USAGE, "*did you mean 'single_call'*"),
        (["--provider=acme", "--conformance-config=nix.yaml"], USAGE, "*nix.yaml: there is no such file*"),
        (["--provider=acme", "--conformance-model=m9"], USAGE, "*acme: no model is called 'm9'*"),
        (["--provider=acme", "--conformance-samples=0"], USAGE, "*--samples 0*"),
        (["--provider=acme", "--conformance-mode=chunks"], USAGE, "*invalid choice: 'chunks'*"),
        (["--provider=acme", "--conformance-live", "--record-mode=once"], USAGE, "*choose one*"),
        (["--conformance-base-url=http://x/v1"], USAGE, "*--base-url needs --model NAME*"),
        (["--provider=acme", "--conformance-output=providers.yaml"], USAGE, "*cannot write here*"),
        ([], USAGE, "*these suites need a provider*--provider NAME*"),
    ],
)
def test_one_sentence(run: Run, args: list[str], code: int, message: str) -> None:
    result = run(*args, scenarios="")
    assert result.ret == code
    said = " ".join([*result.outlines, *result.errlines])
    assert fnmatch(said, message)
    assert "Traceback" not in said


def test_a_selection_without_exchanges(run: Run) -> None:
    result = run("--provider=acme", "--conformance-mode=complete", scenarios="usage_in_stream")
    assert result.ret == NOTHING
    result.stderr.fnmatch_lines(["*nothing is left to run: usage_in_stream with acme in mode complete*"])


def test_a_k_expression_that_matches_nothing(run: Run) -> None:
    assert run("--provider=acme", "-k", "nonsense").ret == NOTHING


def test_an_empty_providers_file(run: Run, project: Path) -> None:
    (project / "providers.yaml").write_text("")
    result = run("--provider=all")
    assert result.ret == USAGE
    assert "is empty; it needs 'providers:'" in result.stderr.str() + result.stdout.str()


def test_without_a_provider_the_plugin_loads_nothing_of_the_harness() -> None:
    code = (
        "import sys, conformance.pytest_plugin\n"
        "heavy = {'yaml', 'pydantic', 'openai', 'vcr', 'httpx2', 'orjson', 'jinja2', 'rich', 'click'}\n"
        "own = {name for name in sys.modules if name.startswith('conformance.') and name.split('.')[1] in "
        "('run', 'suites', 'providers', 'quirks', 'scenarios', 'transport', 'report')}\n"
        "print(sorted(heavy & sys.modules.keys()) + sorted(own))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_other_peoples_tests_run_as_ever(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_mine(): pass")
    result = pytester.runpytest_inprocess("-pno:cacheprovider")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*conformance [0-9]*")


def test_the_options_are_explained(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--help")
    result.stdout.fnmatch_lines(["conformance of Chat Completions providers:", "*--provider=NAME*"])

"""For authors of clients: an adapter asked by pytest, the fixture `conformance_case`, and the gate `clients check`."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

# pytester forgets modules that were imported during a run; these are slow to import
import conformance.suites.client
import conformance.suites.client_case  # noqa: F401
from conformance.cli import call
from conformance.impact.asks import asks
from conformance.impact.folders import BUNDLED

pytest_plugins = ["pytester"]

CLIENTS = Path(__file__).parents[1] / "impact" / "clients"
QUIET = ("-pno:cacheprovider", "-pno:xdist")

OURS = """
import json
import urllib.request

import pytest

from conformance import Accumulator


def ask(case):
    request = urllib.request.Request(f"{case.base_url}/chat/completions", json.dumps(case.request).encode())
    accumulator = Accumulator(case.request)
    with urllib.request.urlopen(request) as response:
        for line in response:
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                accumulator.done()
            elif line.startswith(b"data:"):
                accumulator.feed(json.loads(data))
    result = accumulator.finish()
    if not result.complete:
        raise ValueError("the answer is not complete")
    return [{"id": one.id, "name": one.name, "arguments": one.arguments} for one in result.calls]
"""


@pytest.fixture
def adapter(pytester: pytest.Pytester) -> str:
    """The command of an adapter that keys by id; `right.py` stands beside it."""
    shared = pytester.path.parent / "shared"
    shared.mkdir(exist_ok=True)
    shutil.copyfile(BUNDLED / "shared" / "line_protocol.py", shared / "line_protocol.py")
    for name in ("by-id", "right"):
        shutil.copyfile(CLIENTS / name / "adapter.py", pytester.path / f"{name}.py")
    return shlex.join((sys.executable, "by-id.py"))


def test_an_adapter_gets_an_item_for_each_quirk_and_mode_and_a_failure_says_what_was_expected_and_what_came(
    pytester: pytest.Pytester, adapter: str
) -> None:
    pytester.makepyfile("def test_mine(): pass")
    found = pytester.runpytest_inprocess(*QUIET, "-v", f"--conformance-client={adapter}", "-k", "id-changing or honest")
    found.stdout.fnmatch_lines(
        [
            "conformance-client::honest/stream PASSED*",
            "conformance-client::honest/complete SKIPPED (it has no complete mode)*",
            "conformance-client::id-changing/stream FAILED*",
            "id-changing (A call's id changes*), streamed: invalid: reported good calls as invalid*",
            "  served    *",
            '  expected  exactly these calls to be run: get_weather({"city":"Paris"}), id call_*',
            "  came      handed over arguments that are no object: get_weather*",
            '  line      {"case": "id-changing.stream", "calls": *',
            "  again     conformance serve --fault id-changing",
        ]
    )
    outcomes = found.parseoutcomes()
    # chunk-id-changing is chosen as well, and my own test is not
    assert outcomes == {"passed": 2, "skipped": 1, "failed": 1, "deselected": len(asks()) + 1 - 4}
    found.stdout.no_fnmatch_line("*Traceback*")


def test_a_right_client_passes_beside_the_tests_of_its_own(pytester: pytest.Pytester, adapter: str) -> None:
    pytester.makepyfile("def test_mine(): pass")
    command = adapter.replace("by-id.py", "right.py")
    # an id that is no string counts as not sent for our own reading
    found = pytester.runpytest_inprocess(*QUIET, f"--conformance-client={command}", "-k", "not id-not-string")
    assert found.parseoutcomes() == {"passed": len(asks()) + 1 - 2, "deselected": 2}


def test_what_is_no_adapter_fails_every_item_with_one_sentence(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("hello.py").write_text("print('hello')")
    command = shlex.join((sys.executable, "hello.py"))
    found = pytester.runpytest_inprocess(*QUIET, f"--conformance-client={command}", "-k", "honest")
    assert found.parseoutcomes()["failed"] == 2
    found.stdout.fnmatch_lines(["the client: its adapter does not keep the protocol: *no JSON: hello"])
    found.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    ("command", "says"),
    [("", "it is empty"), ("'", "no closing quotation"), ("no-such-program --x", "no-such-program is not there")],
)
def test_what_is_no_command_is_a_usage_error(pytester: pytest.Pytester, command: str, says: str) -> None:
    found = pytester.runpytest_inprocess(*QUIET, f"--conformance-client={command}")
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines([f"ERROR: --conformance-client: *{says}*"])


def test_the_fixture_tries_a_function(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        OURS
        + """
@pytest.mark.conformance_cases(quirks=["honest", "index-missing", "connection-cut"], modes=["stream"])
def test_right(conformance_case):
    conformance_case.attempt(lambda: ask(conformance_case))


@pytest.mark.conformance_cases(quirks=["id-missing"], modes=["stream"])
def test_without_ids(conformance_case):
    conformance_case.check(ask(conformance_case), ids=False)
"""
    )
    found = pytester.runpytest_inprocess(*QUIET, "--strict-markers", "-v")
    outcomes = found.parseoutcomes()
    assert set(outcomes) == {"passed"}
    assert outcomes["passed"] >= 8
    found.stdout.fnmatch_lines(["*::test_right?index-missing/index-missing.stream? PASSED*"])


def test_the_fixture_says_what_was_expected_and_what_came(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        OURS
        + """
class Function:
    name, arguments = "get_weather", '{"city": "Oslo"}'


class Call:
    id, function = "call_1", Function()


@pytest.mark.conformance_cases(quirks=["index-gap"], modes=["stream"])
def test_wrong(conformance_case):
    ask(conformance_case)
    conformance_case.check([Call()])


@pytest.mark.conformance_cases(quirks=["index-gap"], modes=["stream"])
def test_raises(conformance_case):
    def client():
        ask(conformance_case)
        raise ValueError("index 2 is not 1")
    conformance_case.attempt(client)


@pytest.mark.conformance_cases(quirks=["index-gap"], modes=["stream"])
def test_asks_nobody(conformance_case):
    conformance_case.check([])
"""
    )
    found = pytester.runpytest_inprocess(*QUIET)
    assert set(found.parseoutcomes()) == {"failed"}
    text = found.stdout.str()
    assert "index-gap (" in text
    assert 'expected  exactly these calls to be run: get_weather({"city":"Paris"}), id call_' in text
    assert '"name":"get_weather","arguments":"{\\"city\\": \\"Oslo\\"}"' in text
    assert "came      ValueError: index 2 is not 1" in text
    assert "index-gap: no request came to http://127.0.0.1:" in text


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ('quirks=["index-mising"]', "index-mising: clients are not asked about it: there is no such quirk"),
        ('quirks=["tools-empty-rejected"]', "what a server makes of a request is no matter of the client"),
        ('quirk=["index-missing"]', "quirk is no argument; it takes quirks=[…] and modes=[…]"),
        ('modes=["streamed"]', "no answer is left"),
    ],
)
def test_a_marker_that_asks_for_nothing_is_one_sentence(pytester: pytest.Pytester, mark: str, says: str) -> None:
    pytester.makepyfile(f"import pytest\n@pytest.mark.conformance_cases({mark})\ndef test_it(conformance_case): pass")
    found = pytester.runpytest_inprocess(*QUIET)
    assert found.ret != 0
    (line,) = [line for line in found.outlines if says in line]
    assert line.startswith("test_a_marker_that_asks_for_nothing_is_one_sentence.py::test_it: conformance_cases: ")
    assert ".py:" not in found.stdout.str().replace(".py::", "")  # no frames of pytest


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--quirk", "index-missing"], 0, "answers: "),
        (["--quirk", "id-changing"], 1, "id-changing (A call's id changes"),
        (["--quirk", "nothing"], 4, "there is no such quirk"),
        (["--all", "--quirk", "index-missing"], 4, "--all asks for every quirk"),
        ([str(CLIENTS / "by-id")], 4, "give the FOLDER of a client, or --command"),
    ],
)
def test_the_gate_without_pytest(
    adapter: str,
    options: list[str],
    code: int,
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(["clients", "check", "--command", adapter, *options]) == code
    printed = capsys.readouterr()
    assert says in printed.out + printed.err


def test_an_adapter_that_can_be_asked_nothing_is_not_right(adapter: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("by-id.py").read_text().replace('modes=["stream"]', 'modes=["complete"]')
    Path("silent.py").write_text(text.replace("calls: dict", "return\n    calls: dict"))
    assert call(["clients", "check", "--command", adapter.replace("by-id", "silent"), "--all"]) == 1
    assert "WRONG" in capsys.readouterr().out

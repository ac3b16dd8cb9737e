"""`conformance clients`: light clients in processes of their own, real bytes over loopback, verdicts out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.cli import call
from conformance.impact.document import schema
from conformance.impact.table import table
from tests.impact.conftest import Put


def run(root: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run and read the document; it has to be by its schema."""
    output = root.parent / "out"
    known = ["--clients", str(root), "--cache", str(root.parent / "cache"), "-o", str(output)]
    code = call(["clients", "run", *known, *options])
    document = json.loads((output / "clients.json").read_text("utf-8"))
    jsonschema.validate(document, schema())
    return code, document


def outcomes(document: dict[str, Any], client: str) -> dict[str, str]:
    """Outcomes by `fault.mode`."""
    (found,) = [one for one in document["clients"] if one["key"] == client]
    cases = [case for entry in found["outcomes"] for case in entry["faults"]] + found["others"]
    return {f"{case['fault']}.{case['mode']}": case["outcome"] for case in cases}


def test_a_client_is_added_as_one_folder_and_shows_in_the_table(put: Put) -> None:
    put("right")
    root = put("by-id")
    code, document = run(root)
    assert code == 0
    assert document["complete"] is True
    drawn = table(document)
    assert [row.client["key"] for row in drawn.rows] == ["by-id", "right"]
    assert len(drawn.quirks) >= 140

    right = outcomes(document, "right")
    # an id that is no string counts as not sent for our own reading
    assert {name for name, outcome in right.items() if outcome != "right"} == {"id-number.stream", "id-number.complete"}

    by_id = outcomes(document, "by-id")
    assert by_id["index-missing.stream"] == "right"
    assert by_id["interleaved.stream"] != "right"
    assert by_id["index-all-zero.stream"] == "right"
    # pieces of calls, which no reader of JSON takes for arguments
    assert by_id["id-duplicate.stream"] == "right"
    assert by_id["id-changing.stream"] == "invalid"
    assert by_id["id-missing.complete"] == "not-applicable"
    assert by_id["name-in-pieces.stream"] == "wrong-name"
    assert by_id["stops-early.stream"] == "truncated-run"
    assert by_id["event-not-json.stream"] == "raised"
    assert by_id["arguments-truncated.stream"] == "right"
    assert by_id["finish-stop.stream"] == "right"

    broken = {row.client["key"] for row, _ in drawn.breaks("name-split")}
    assert broken == {"by-id"}
    (cell,) = [row.cells["name-split"] for row in drawn.rows if row.client["key"] == "by-id"]
    assert cell.silent
    assert json.loads(cell.cases[0]["raw"])["calls"][0]["name"] != "get_weather"


def test_two_runs_give_the_same_bytes_and_a_third_asks_nothing(put: Put) -> None:
    root = put("moody", "random")
    output = root.parent / "out" / "clients.json"
    assert run(root, "--quirk", "finish-unknown")[0] == 0
    first = output.read_bytes()
    assert run(root, "--quirk", "finish-unknown", "--fresh")[0] == 0
    assert output.read_bytes() == first
    assert b"(made up 1)" in first
    assert str(root).encode() not in first
    starts = (root.parent / "starts.txt").read_text()
    assert run(root, "--quirk", "finish-unknown")[0] == 0
    assert (root.parent / "starts.txt").read_text() == starts
    assert output.read_bytes() == first
    (root / "moody" / "mood.txt").write_text("crash")  # another adapter
    (found,) = [
        one for one in run(root, "--quirk", "finish-unknown")[1]["clients"][0]["outcomes"] if one["mode"] == "complete"
    ]
    assert found["outcome"] == "raised"
    raw = [json.loads(line) for line in (root.parent / "out" / "clients.raw.jsonl").read_text("utf-8").splitlines()]
    assert [one["stderr"] for one in raw] == ["the last words\n"]


@pytest.mark.parametrize(
    ("mood", "outcome", "detail"),
    [
        ("hang", "hung", "no answer in time"),
        ("crash", "raised", "exit code 7"),
        ("signal", "raised", "signal SIGABRT"),
        ("asks nothing", "not-applicable", "no tools, please"),
    ],
)
def test_who_hangs_or_dies_is_started_again(put: Put, mood: str, outcome: str, detail: str) -> None:
    code, document = run(put("moody", mood), "--quirk", "role-missing", "--quirk", "role-other", "--timeout", "1")
    assert code == 0
    found = [e for e in document["clients"][0]["outcomes"] if e["mode"] == "complete"]
    assert [(entry["quirk"], entry["outcome"]) for entry in found] == [
        ("role-missing", outcome),
        ("role-other", outcome),
    ]
    assert detail in found[1]["faults"][0]["detail"]


@pytest.mark.parametrize(
    ("mood", "why"),
    [
        ("rubbish", "no JSON: Loading…"),
        ("endless line", "a line of more than 8 MiB"),
        ("another case", "another case than the one"),
        ("no error field", "its outcome is wrong at the line"),
        ("no modes", 'its hello is wrong at the line: "modes" is a required property'),
        ("no hello", "it ended before its hello (exit code 1) there is nothing to say"),
        ("another name", "it greets as other"),
        ("wrong", "on an honest answer: dropped"),
    ],
)
def test_who_breaks_the_protocol_is_not_judged_and_says_why(put: Put, mood: str, why: str) -> None:
    code, document = run(put("moody", mood), "--quirk", "role-missing")
    assert code == 1
    assert document["clients"][0]["judged"] is False
    assert why in document["clients"][0]["why"]


def test_ids_are_not_judged_where_a_library_hands_over_none(put: Put) -> None:
    code, document = run(put("moody", "no ids"), "--quirk", "role-missing", "--quirk", "id-duplicated")
    assert code == 0
    (client,) = document["clients"]
    assert client["without_ids"] == ["complete"]
    assert {e["outcome"] for e in client["outcomes"] if e["mode"] == "complete"} == {"right"}


def test_names_are_not_judged_where_a_library_hands_over_none(put: Put) -> None:
    code, document = run(put("moody", "no names"), "--quirk", "role-missing", "--quirk", "finish-unknown")
    assert code == 0
    (client,) = document["clients"]
    assert (client["without_ids"], client["without_names"]) == ([], ["complete"])
    found = outcomes(document, "moody")
    assert (found["role-missing.complete"], found["finish-error.complete"]) == ("right", "flagged")


def test_honest_answers_that_a_client_loses_are_told(put: Put) -> None:
    code, document = run(put("moody", "one call"), "--quirk", "id-duplicated", "--quirk", "role-missing")
    assert code == 0
    found = outcomes(document, "moody")
    assert (found["id-duplicate.complete"], found["role-missing.complete"]) == ("not-applicable", "right")
    (row,) = table(document).rows
    assert row.honest is not None
    assert row.honest.modes == {"complete": "dropped"}
    assert [(c["request"], c["title"]) for c in row.honest.cases] == [("honest-two", "an honest answer: two calls")]
    assert row.honest.silent


def test_an_agent_that_goes_on_is_judged_by_the_first_answer(put: Put) -> None:
    root = put("moody", "agent")
    with (root / "moody" / "client.yaml").open("a") as file:
        file.write("runs: library\n")
    _, document = run(root, "--quirk", "finish-unknown")
    (client,) = document["clients"]
    assert client["runs"] == "library"
    (found,) = [e["faults"] for e in client["outcomes"] if e["mode"] == "complete"]
    # the text it ended with hides the finish reason that says so
    assert {one["fault"]: (one["outcome"], one["notes"]) for one in found} == {
        "finish-unknown": ("right", ["further-turn"]),
        "finish-error": ("truncated-run", ["further-turn"]),
    }


def test_who_hangs_at_the_first_answer_is_told_so_in_the_time_for_one_answer(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(put("moody", "hang at once"), "--quirk", "role-missing", "--timeout", "1")[0] == 1
    said = capsys.readouterr().err
    assert said == "moody: not judged: hung: no honest answer within 1 seconds, twice\n"


def test_what_an_adapter_says_beside_stands_with_its_case_and_without_places(put: Put) -> None:
    root = put("moody", "chatty")
    run(root, "--quirk", "role-missing", "--quirk", "role-other")
    raw = [json.loads(line) for line in (root.parent / "out" / "clients.raw.jsonl").read_text("utf-8").splitlines()]
    kept = {one["case"]: one["stderr"].splitlines() for one in raw if one["line"]}
    assert set(kept) == {"role-missing.complete", "role-other.complete"}
    for case, lines in kept.items():
        assert lines[0] == f"of {case}"
        assert lines[1:] == ['  File "(client)/adapter.py", line 1; see …/mod.py and http://127.0.0.1:PORT/a/b']


@pytest.mark.parametrize(
    "spoilt",
    [
        {"key": "hello", "said": {"protocol": "conformance/client/1", "name": "moody"}},
        {
            "key": "hello",
            "said": {"protocol": "conformance/client/1", "name": "x", "version": "1", "modes": ["stream"]},
        },
        {"key": "hello", "said": []},
        {"key": "hello"},
        {"line": '{"case":"x"}'},
        {"line": "{"},
        {"line": ""},
        {"asked": "complete"},
        {"asked": [1]},
        {"stderr": None},
    ],
)
def test_what_is_spoilt_in_the_cache_is_measured_anew(put: Put, spoilt: dict[str, Any]) -> None:
    root = put("moody", "random")
    output = root.parent / "out" / "clients.json"
    assert run(root, "--quirk", "finish-unknown")[0] == 0
    first = output.read_bytes()
    (seen,) = (root.parent / "cache" / "seen").iterdir()
    lines = [json.loads(line) for line in seen.read_text("utf-8").splitlines()]
    hello = spoilt.get("key") == "hello"
    lines = [spoilt if hello and one["key"] == "hello" else one if hello else {**one, **spoilt} for one in lines]
    seen.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert run(root, "--quirk", "finish-unknown")[0] == 0
    assert output.read_bytes() == first


def test_one_client_that_cannot_run_spoils_only_a_run_that_names_it(put: Put) -> None:
    put("by-id")
    root = put("moody", "no hello")
    assert run(root, "--quirk", "id-changing")[0] == 0
    assert run(root, "--quirk", "id-changing", "--client", "by-id")[0] == 0
    code, document = run(root, "--quirk", "id-changing", "--client", "by-id", "--client", "moody")
    assert (code, [one["judged"] for one in document["clients"]]) == (1, [True, False])


def test_neither_keys_nor_proxies_reach_a_client(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "OPENAI_BASE_URL", "PYTHONPATH"):
        monkeypatch.setenv(name, "http://leaked.invalid")
    root = put("moody", "environment")
    _, document = run(root, "--quirk", "role-missing")
    text = json.dumps(document)
    assert "leaked" not in text
    assert "NO_PROXY" in text
    kept = [path.read_text() for path in (root.parent / "cache" / "seen").iterdir()]
    assert "leaked" not in "".join(kept)


def test_memory_is_limited(put: Put) -> None:
    from conformance.impact.adapter import Limits
    from conformance.impact.cases import everything
    from conformance.impact.folders import select
    from conformance.impact.measure import Settings, columns, measure

    if not Path("/proc/self/statm").exists():
        pytest.skip("this system does not tell how much memory a process takes")
    root = put("moody", "memory")
    settings = Settings(root.parent / "cache", 1, limits=Limits(memory=512 * 1024**2))
    (found,) = measure(columns(select(root, ()), ()), everything().only(["role-missing"]), settings)
    assert "more than 512 MiB" in found.driven.verdicts["role-missing.complete"].detail


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_quickly_and_leaves_an_incomplete_document(put: Put, tmp_path: Path, number: int) -> None:
    root = put("moody", "hang")
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    put("by-id")
    options = ["--clients", str(root), "--cache", str(root.parent / "cache"), "-o", str(root.parent / "out")]
    options += ["--quirk", "role-missing", "--timeout", "300", "--jobs", "2"]
    child = subprocess.Popen(
        [sys.executable, "-m", "conformance", "clients", "run", *options],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert child.stderr is not None
    assert child.stderr.readline().startswith("by-id")
    child.send_signal(number)
    _, stderr = child.communicate(timeout=60)
    assert child.returncode == 2
    assert "interrupted" in stderr
    document = json.loads((root.parent / "out" / "clients.json").read_text("utf-8"))
    assert document["complete"] is False
    assert {one["key"]: one["judged"] for one in document["clients"]} == {"by-id": True, "moody": False}
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--client", "by-idd"], 4, "did you mean by-id?"),
        (["--client", "./nowhere"], 4, "holds a client.yaml"),
        (["--quirk", "nonsense"], 4, "there is no such quirk"),
        (["--quirk", "results-by-position"], 5, "decided by the server"),
        (["--versions", "openai"], 4, "it has to look like"),
        (["--versions", "openai==3.x.1"], 4, "it has to look like"),
        (["--versions", "openai==3.13.0"], 4, "no lock of the Python clients selected pins openai"),
        (["--timeout", "0"], 4, "--timeout"),
        (["--cache", f"{__file__}/cache"], 4, "cannot be written (Not a directory)"),
    ],
)
def test_bad_options_are_told_in_a_sentence(
    put: Put, options: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["clients", "run", "--clients", str(put("by-id")), *options]) == code
    assert words in capsys.readouterr().err


def test_an_empty_folder_selects_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["clients", "run", "--clients", str(tmp_path)]) == 5
    assert "no client folder" in capsys.readouterr().err


def test_clients_are_listed(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["clients", "list", "--clients", str(put("by-id"))]) == 0
    assert capsys.readouterr().out.split()[:2] == ["by-id", "Python"]


@pytest.mark.parametrize(
    ("name", "mood", "code", "says"),
    [
        ("by-id", "", 0, "it greets as by-id"),
        ("right", "", 0, "honest-two.complete: right"),
        ("moody", "wrong", 1, "honest-one.complete: dropped"),
        ("moody", "stays", 1, "at the end of its standard input it does not end"),
        ("moody", "another name", 1, "it greets as other, the folder is called moody"),
    ],
)
def test_a_folder_is_checked(
    put: Put, name: str, mood: str, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = put(name, mood)
    assert call(["clients", "check", str(root / name), "--cache", str(root.parent / "cache"), "--timeout", "5"]) == code
    assert says in capsys.readouterr().out

"""Replay: the default, without network and key, and never green without bytes that can be trusted."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from conformance.run.record import load_record
from tests.fake_provider import FakeProvider
from tests.suites.conftest import FILE, KEY, Run

pytest_plugins = ["pytester"]

IDS = [
    "test_complete[acme-single_call-complete]",
    "test_round_trip[acme-round_trip-complete]",
    "test_round_trip[acme-round_trip-stream]",
    "test_streaming[acme-single_call-stream]",
]
SINGLE = "cassettes/acme/single_call.stream.yaml"
AGAIN = "conformance run --provider acme --scenario single_call --mode stream --record"


def expect(project: Path, text: str) -> None:
    """Give acme this expectation."""
    (project / "providers.yaml").write_text(FILE.replace("  beta:", f"    expectations:\n{text}  beta:"))


def test_recorded_cells_pass_without_network_and_key(recorded: FakeProvider, run: Run) -> None:
    result = run("--provider=acme", "--block-network", "-v")
    result.assert_outcomes(passed=4)
    assert result.ret == 0
    assert recorded.requests == []
    found = [line.split("::")[1].split()[0] for line in result.outlines if "PASSED" in line]
    assert sorted(found) == IDS


@pytest.mark.usefixtures("recorded")
def test_the_header_says_what_is_measured(run: Run) -> None:
    run("--provider=acme,beta").stdout.fnmatch_lines(["conformance *: replay: acme, beta"])


@pytest.mark.usefixtures("recorded")
def test_cassettes_are_where_the_design_says(project: Path) -> None:
    found = sorted(path.relative_to(project).as_posix() for path in project.rglob("cassettes/**/*.yaml"))
    assert found == [
        f"cassettes/acme/{name}.{mode}.yaml"
        for name in ("round_trip", "single_call")
        for mode in ("complete", "stream")
    ]


@pytest.mark.usefixtures("recorded")
def test_the_record_holds_every_exchange(run: Run, project: Path) -> None:
    run("--provider=acme", "--conformance-output=out")
    record = load_record(project / "out" / "run.jsonl")
    assert [(r["scenario"], r["mode"], r["step"]) for r in record.exchanges] == [
        ("round_trip", "complete", 0),
        ("round_trip", "complete", 1),
        ("round_trip", "stream", 0),
        ("round_trip", "stream", 1),
        ("single_call", "complete", 0),
        ("single_call", "stream", 0),
    ]
    assert {r["source"] for r in record.exchanges} == set(IDS)
    assert record.exchanges[1]["evidence"] == {"cassette": "cassettes/acme/round_trip.complete.yaml", "interaction": 1}
    assert record.footer is not None
    assert (record.footer["exit_code"], record.footer["not_run"], record.footer["unexpected"]) == (0, 0, 0)
    (acme,) = record.header["providers"]
    assert (acme["selected"], acme["recorded"], acme["base_url"]) == (True, True, "http://127.0.0.1:9/v1")


@pytest.mark.usefixtures("recorded")
def test_workers_write_the_same_record(run: Run, project: Path) -> None:
    run("--provider=acme", "--conformance-output=alone")
    result = run("--provider=acme", "--conformance-output=shared", "-n2")
    result.assert_outcomes(passed=4)
    alone, shared = (load_record(project / name / "run.jsonl") for name in ("alone", "shared"))
    assert shared.exchanges == alone.exchanges
    assert shared.footer is not None


@pytest.mark.usefixtures("recorded")
def test_a_missing_cassette_is_not_run(run: Run, project: Path) -> None:
    (project / SINGLE).unlink()
    result = run("--provider=acme")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            f"not run: {SINGLE} is not there",
            "  cell      acme/single_call/stream",
            "  reason    cassette-missing",
            f"  fix       {AGAIN}",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize("change", ["one-byte", "empty", "not-yaml"])
@pytest.mark.usefixtures("recorded")
def test_a_corrupt_cassette_is_not_run_and_left_alone(run: Run, project: Path, change: str) -> None:
    path = project / SINGLE
    data = path.read_bytes()
    altered = {"one-byte": data.replace(b"Paris", b"Pariz"), "empty": b"", "not-yaml": b"a: [\n"}[change]
    assert altered != data
    path.write_bytes(altered)
    result = run("--provider=acme")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines([f"not run: {SINGLE} *", "  reason    cassette-corrupt", f"  fix       {AGAIN}"])
    assert path.read_bytes() == altered


@pytest.mark.usefixtures("recorded")
def test_without_a_name_too(run: Run, project: Path) -> None:
    (project / SINGLE).unlink()
    assert run("--provider=all").ret == 1


@pytest.mark.usefixtures("recorded")
def test_a_request_that_changed_makes_its_cassette_stale(run: Run, project: Path) -> None:
    (project / "providers.yaml").write_text(FILE.replace("  beta:", "    extra_body: {top_p: 0.5}\n  beta:"))
    result = run("--provider=acme")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["  reason    cassette-stale", f"  fix       {AGAIN}"])


@pytest.mark.usefixtures("recorded")
def test_a_recording_of_something_else_is_not_judged_as_this(run: Run, project: Path) -> None:
    folder = project / "cassettes" / "acme"
    (folder / "round_trip.stream.yaml").replace(folder / "single_call.stream.yaml")
    shutil.copytree(folder, project / "cassettes" / "beta")
    result = run("--provider=acme,beta", scenarios="single_call")
    result.assert_outcomes(passed=1, failed=3)
    said = result.stdout.str()
    assert "acme/single_call.stream.yaml was recorded for acme/round_trip, so it says nothing about acme/" in said
    assert "beta/single_call.complete.yaml was recorded for acme/single_call, so it says nothing about beta/" in said
    # in CI pytest repeats whole messages in its summary
    told, _, _ = said.partition("short test summary info")
    assert told.count("  reason    cassette-corrupt") == 3


@pytest.mark.usefixtures("recorded")
def test_a_provider_that_was_never_recorded(run: Run, project: Path) -> None:
    unnamed = run("--provider=all", "--conformance-output=out", "-rs")
    unnamed.assert_outcomes(passed=4, skipped=4)
    unnamed.stdout.fnmatch_lines(["*beta has no recording*"])
    assert unnamed.ret == 0
    rows = load_record(project / "out" / "run.jsonl").header["providers"]
    assert [(p["name"], p["recorded"], p["selected"]) for p in rows] == [("acme", True, False), ("beta", False, False)]

    named = run("--provider=beta")
    named.assert_outcomes(failed=4)
    named.stdout.fnmatch_lines(
        ["not run: beta was never recorded", "  fix       conformance run --provider beta --record"]
    )


def test_nothing_recorded_at_all_is_not_green(run: Run) -> None:
    result = run("--provider=all")
    assert result.ret == 5
    result.stdout.fnmatch_lines(["conformance: nothing was measured*"])


def test_an_unexpected_finding_is_told_in_full(
    recorded: FakeProvider, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded.vice = "no-index"
    monkeypatch.setenv("ACME_URL", recorded.url)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    recording = run("--provider=acme", "--record-mode=rewrite", scenarios="parallel_calls")
    recording.assert_outcomes(passed=1, failed=1)
    result = run("--provider=acme", scenarios="parallel_calls")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "index-missing  acme/parallel_calls/stream  [[]must[]]",
            "  expected  *",
            "  actual    *",
            "  where     cassettes/acme/parallel_calls.stream.yaml, event 1, byte *, /choices/0/delta/tool_calls/0",
            "  source    *eference 000*",
            "  rerun     conformance run --provider acme --scenario parallel_calls --mode stream",
        ]
    )
    text = result.stdout.str()
    told = text.partition("short test summary info")[0]  # which repeats the failure where CI is set
    assert told.count("index-missing  acme/parallel_calls/stream") == 2, "both calls, in one failure"
    assert "Traceback" not in text
    assert not re.search(r"\.py:\d", text), "no place in our code"


def test_an_expected_finding_is_green(recorded: FakeProvider, run: Run, project: Path) -> None:
    recorded.vice = "no-index"
    expect(
        project,
        "      - quirk: index-missing\n        reason: seen before\n        modes: [stream]\n"
        "        source: {url: 'https://example.org/1', date: 2026-11-01}\n",
    )
    result = run(
        f"--conformance-base-url={recorded.url}", "--provider=acme", "--conformance-output=out", scenarios="single_call"
    )
    result.assert_outcomes(failed=2)  # acme wants a key
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACME_API_KEY", KEY)
        result = run(
            f"--conformance-base-url={recorded.url}",
            "--provider=acme",
            "--conformance-output=out",
            scenarios="single_call",
        )
    result.assert_outcomes(passed=2)
    found = [f for r in load_record(project / "out" / "run.jsonl").exchanges for f in r["findings"]]
    assert {f["expected_by"] for f in found if f["quirk"] == "index-missing"} == {"seen before"}


@pytest.mark.usefixtures("recorded")
def test_a_disproved_expectation_is_red(run: Run, project: Path) -> None:
    expect(
        project,
        "      - quirk: id-missing\n        reason: seen before\n        min_applicable: 2\n"
        "        source: {url: 'https://example.org/1', date: 2026-11-01}\n",
    )
    narrowed = run("--provider=acme")
    assert narrowed.ret == 0
    # a whole run: everything else is missing, which is red as well, so look at the record
    run("--provider=acme", "--conformance-output=out", scenarios="")
    footer = load_record(project / "out" / "run.jsonl").footer
    assert footer is not None
    assert [(s["provider"], s["quirk"]) for s in footer["stale"]] == [("acme", "id-missing")]
    assert footer["exit_code"] == 1


@pytest.mark.usefixtures("recorded")
def test_a_session_that_stops_early_leaves_an_incomplete_record(run: Run, project: Path) -> None:
    run("--provider=acme,beta", "--conformance-output=out", "-x")
    record = load_record(project / "out" / "run.jsonl", incomplete=True)
    assert not record.complete
    assert record.exchanges


@pytest.mark.usefixtures("recorded")
def test_junit_holds_short_names_and_no_secret(run: Run, project: Path) -> None:
    (project / SINGLE).unlink()
    run("--provider=acme", "--junitxml=junit.xml")
    text = (project / "junit.xml").read_text()
    assert 'name="test_streaming[acme-single_call-stream]"' in text
    assert KEY not in text
    assert "Provider(" not in text
    assert "conformance_rows" not in text


@pytest.mark.usefixtures("recorded")
def test_the_key_is_in_no_file(run: Run, project: Path) -> None:
    run("--provider=acme", "--conformance-output=out")
    for path in project.rglob("*"):
        if path.is_file():
            assert KEY not in path.read_text(errors="replace"), path


@pytest.mark.usefixtures("recorded")
def test_other_tests_keep_their_own_cassettes(project: Path, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_mine="""
        import urllib.request, pytest

        @pytest.mark.vcr
        def test_mine(vcr):
            with urllib.request.urlopen("http://example.invalid/") as answer:
                assert answer.read() == b"mine"
        """
    )
    folder = project / "cassettes" / "test_mine"
    folder.mkdir(parents=True)
    request: dict[str, object] = {"body": None, "headers": {}, "method": "GET", "uri": "http://example.invalid/"}
    response = {"body": {"string": "mine"}, "headers": {}, "status": {"code": 200, "message": "OK"}}
    interaction = {"request": request, "response": response}
    # JSON is YAML
    (folder / "test_mine.yaml").write_text(json.dumps({"interactions": [interaction], "version": 1}))
    result = pytester.runpytest_inprocess(
        "test_mine.py",
        "--pyargs",
        "conformance.suites",
        "--provider=acme",
        "--conformance-scenario=single_call",
        "-pno:cacheprovider",
    )
    result.assert_outcomes(passed=3)

"""A loss is named only where the evidence has the form that loses: real faults, and real recordings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.impact import words
from conformance.impact.forms import forms, has_calls, untried
from conformance.impact.join import Pair, pair
from conformance.impact.known import known
from conformance.impact.table import table
from conformance.report.form import says
from tests.impact.made_up import asked, cell, clients, matrix, planted, row

ROOT = Path(__file__).parents[2]
STREAMED = ("stream",)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a replay of recordings that are kept here says, by provider and quirk."""
    out = tmp_path_factory.mktemp("replayed")
    chosen = ("-p", "transformers", "-p", "vllm", "-p", "llamacpp")
    scenarios = ("-s", "parallel_calls", "-s", "round_trip", "-s", "truncated_call")
    command = [sys.executable, "-m", "conformance", "run", "--replay", *chosen, *scenarios, "-o", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads((out / "quirks.json").read_text("utf-8"))
    return found


def on(document: dict[str, Any], client: dict[str, Any], provider: str) -> Pair:
    (one,) = [one for one in known(document) if one.name == provider]
    return pair(table(clients(client)).rows[0], one)


def standing(found: Pair, quirk: str) -> str:
    """`sure`, `depends`, `unharmed` or `unasked`."""
    held = {
        "sure": [hit.proof.quirk for hit in found.hits],
        "depends": [hit.proof.quirk for hit in found.depends],
        "unharmed": found.unharmed,
        "unasked": found.unasked,
    }
    (one,) = [name for name, quirks in held.items() if quirk in quirks]
    return one


def test_an_answer_that_breaks_off_before_any_call_is_no_call_cut_in_the_middle(recorded: dict[str, Any]) -> None:
    client = asked("agno", planted("connection-cut", "truncated-run"))
    found = on(recorded, client, "transformers")
    assert standing(found, "connection-cut") == "depends"
    assert found.standing == "depends"
    assert found.silent == ()


def test_a_client_that_survives_a_missing_index_in_some_form_is_not_said_to_lose_by_it() -> None:
    document = matrix(row("mistral", cell("index-missing", published=(2, 14))))
    survives = asked("langchain", planted("index-missing", "phantom", index_negative="right"))
    assert standing(on(document, survives, "mistral"), "index-missing") == "depends"
    never = asked("xsai", planted("index-missing", "dropped", index_float="raised"))
    found = on(document, never, "mistral")
    assert [(hit.proof.quirk, hit.outcome) for hit in found.hits] == [("index-missing", "raised")]  # at least that


def test_nobody_sends_functions_so_that_nobody_is_answered_with_a_legacy_call() -> None:
    client = asked("agno", planted("legacy-function-call", "dropped"), planted("finish-legacy", "dropped"))
    cells = [cell(one, published=(2, 94), modes=("complete",)) for one in ("legacy-function-call", "finish-legacy")]
    found = on(matrix(row("openai", *cells)), client, "openai")
    assert found.unasked == ("legacy-function-call", "finish-legacy")
    # a recording made here had `tools`
    seen = cell("legacy-function-call", recorded=(1, 4), modes=("complete",))
    assert standing(on(matrix(row("acme", seen)), client, "acme"), "legacy-function-call") == "sure"


def test_a_text_on_the_finish_chunk_is_no_call_on_it(recorded: dict[str, Any]) -> None:
    client = asked("llama-index", planted("delta-on-finish-chunk", "dropped"))
    assert standing(on(recorded, client, "vllm"), "delta-on-finish-chunk") == "depends"
    theirs = matrix(row("xai", cell("delta-on-finish-chunk", published=(2, 9))))
    assert standing(on(theirs, client, "xai"), "delta-on-finish-chunk") == "depends"


def test_an_error_that_comes_before_any_call_is_no_error_amid_one() -> None:
    client = asked("agno", planted("error-mid-stream", "truncated-run"))
    document = matrix(row("groq", cell("error-mid-stream", published=(2, 16))))
    assert standing(on(document, client, "groq"), "error-mid-stream") == "depends"
    right = asked("pi-ai", planted("error-mid-stream", "right"))
    assert standing(on(document, right, "groq"), "error-mid-stream") == "unharmed"


def test_the_form_that_was_recorded_decides(recorded: dict[str, Any]) -> None:
    client = asked("agno", planted("arguments-truncated-by-length", "truncated-run", length_in_arguments="right"))
    # the same quirk: here no argument text came; there it breaks off, and what others recorded may be of either form
    assert standing(on(recorded, client, "vllm"), "arguments-truncated-by-length") == "sure"
    assert standing(on(recorded, client, "llamacpp"), "arguments-truncated-by-length") == "depends"
    published = matrix(row("deepseek", cell("arguments-truncated-by-length", published=(5, 9))))
    assert standing(on(published, client, "deepseek"), "arguments-truncated-by-length") == "depends"
    filtered = {"content_filter_before_arguments": "truncated-run"}
    other = asked("agno", planted("arguments-truncated-by-length", "right", **filtered))
    assert standing(on(recorded, other, "vllm"), "arguments-truncated-by-length") == "unharmed"


def test_a_report_that_no_recording_bears_out_is_not_sure() -> None:
    client = asked("agno", planted("index-missing", "dropped"))
    told = matrix(
        row("never-recorded", cell("index-missing", reported=1)),
        row("here", cell("index-missing", recorded=(0, 62), reported=1)),
        row("theirs", cell("index-missing", published=(0, 16), reported=1)),
    )
    assert standing(on(told, client, "never-recorded"), "index-missing") == "sure"
    assert standing(on(told, client, "here"), "index-missing") == "depends"
    assert standing(on(told, client, "theirs"), "index-missing") == "depends"


def test_a_loss_names_only_the_evidence_that_makes_it_sure() -> None:
    client = asked("agno", planted("index-missing", "dropped"))
    milder = cell("index-missing", published=(1, 9), reported=1)
    milder["published"]["observations"][0]["level"] = "info"
    (hit,) = on(matrix(row("acme", milder)), client, "acme").hits
    assert (hit.kind, dict(hit.by)) == ("reported", {"reported": "dropped"})
    assert words.hit(hit) == "index-missing (¶ reported): dropped"


def test_an_occurrence_milder_than_what_was_planted_is_another_form() -> None:
    client = asked("agno", planted("index-missing", "dropped"))
    graver, milder = (cell("index-missing", published=(1, 9)) for _ in range(2))
    graver["published"]["observations"][0]["level"] = "must"
    milder["published"]["observations"][0]["level"] = "info"
    document = matrix(row("graver", graver), row("milder", milder))
    assert standing(on(document, client, "graver"), "index-missing") == "sure"
    assert standing(on(document, client, "milder"), "index-missing") == "depends"


def test_a_fault_that_could_not_be_asked_leaves_it_open() -> None:
    client = asked("instructor", planted("index-missing", "dropped", index_missing_two="not-applicable"))
    document = matrix(row("mistral", cell("index-missing", published=(2, 14))))
    assert standing(on(document, client, "mistral"), "index-missing") == "depends"


def test_every_planted_answer_has_a_form_by_what_is_on_its_wire() -> None:
    two = forms("index-missing-two.stream")["index-missing"]
    assert (two.mode, two.calls, two.whole, two.end, two.level) == ("stream", "several", False, "tool_calls", "must")
    cut = forms("cut.complete")["connection-cut"]
    assert (cut.calls, cut.end) == ("none", "unfinished")
    assert forms("markup-in-content.stream")["call-in-content"].end == "stop"
    assert forms("all-in-one-chunk.stream")["delta-on-finish-chunk"].whole
    assert forms("no-such-fault.stream") == {}
    assert has_calls("index-missing")
    assert not has_calls("connection-cut")
    assert untried("id-changing")
    assert not untried("index-missing")


def test_what_a_finding_says_is_told_apart_from_how_often_and_in_which_call() -> None:
    assert says("call 0 (get_weather): 2 continuations carry an empty id") == says(
        "call 3 (a(b)): 1 continuation carries an empty id"
    )
    assert says("call 0 (x): the end cuts its arguments") != says("call 0 (x): the end may have cut its arguments")

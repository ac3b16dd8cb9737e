"""Client × provider: what counts, in which mode, by what evidence, and in what order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.cli import call
from conformance.impact import markdown, pairs
from conformance.impact.join import Pair, join, most_harmed
from conformance.impact.known import Count, known
from conformance.impact.table import table
from tests.impact.made_up import cell, client, clients, matrix, put, row

ROOT = Path(__file__).parents[2]


def joined(said: dict[str, Any], providers: dict[str, Any]) -> dict[tuple[str, str], Pair]:
    """The pairs by key of the client and label of the provider."""
    found = join(table(said), known(providers))
    return {(pair.client.client["key"], pair.provider.label): pair for pair in found}


def test_only_quirks_with_evidence_count_and_the_gravest_come_first() -> None:
    said = clients(
        client(
            "agno",
            {
                "index-missing": {"stream": "merged"},
                "id-missing": {"stream": "raised"},
                "done-missing": {"stream": "right"},
                "name-split": {"stream": "truncated-run"},  # no provider has it
                "id-empty-on-continuation": {"stream": "dropped"},
                "finish-missing": {"stream": "dropped"},
            },
        )
    )
    providers = matrix(
        row(
            "acme",
            cell("id-missing", recorded=(4, 4)),
            cell("done-missing", recorded=(1, 4)),
            cell("index-string", reported=2),  # the client was not asked
            cell("id-empty-on-continuation", published=(1, 9)),
            cell("finish-missing", published=(9, 9)),  # an answer without a call shows it as well
            cell("index-missing", recorded=(1, 4), published=(2, 5), reported=1),
            cell("name-split", recorded=(0, 4)),
            cell("tools-empty-rejected", recorded=(1, 1)),  # clients are not asked about it
        )
    )
    pair = joined(said, providers)["agno", "acme"]
    assert [(hit.proof.quirk, hit.outcome) for hit in pair.hits] == [
        ("index-missing", "merged"),
        ("id-empty-on-continuation", "dropped"),
        ("id-missing", "raised"),
    ]
    assert pair.standing == "silent"
    assert pair.unharmed == ("done-missing",)
    assert [(hit.proof.quirk, hit.outcome) for hit in pair.depends] == [("finish-missing", "dropped")]
    assert pair.unasked == ("index-string", "tools-empty-rejected")
    assert [pair.worst(kind) for kind in ("recorded", "published", "reported")] == ["merged", "merged", "merged"]
    assert (pair.hits[0].proof.recorded, pair.hits[0].proof.published) == (Count(1, 4), Count(2, 5))
    assert pair.hits[0].cases[0]["raw"] == '{"case":"index-missing-fault.stream"}'


def test_a_mode_in_which_the_provider_was_not_seen_to_have_it_does_not_count() -> None:
    said = clients(
        client("agno", {"id-missing": {"stream": "wrong-id", "complete": "right"}}),
        client("xsai", {"id-missing": {"stream": "right", "complete": "raised"}}),
        client("pi-ai", {"id-missing": {"stream": "right", "complete": "not-applicable"}}),
    )
    providers = matrix(
        row("complete", cell("id-missing", recorded=(1, 2), modes=("complete",))),
        row("streams", cell("id-missing", published=(1, 2), modes=("stream",))),
        row("said", cell("id-missing", reported=1)),
    )
    standings = {key: pair.standing for key, pair in joined(said, providers).items()}
    assert standings == {
        ("agno", "complete"): "unharmed",
        ("xsai", "complete"): "loud",
        ("pi-ai", "complete"): "nothing-known",
        ("agno", "streams"): "silent",
        ("xsai", "streams"): "unharmed",
        ("pi-ai", "streams"): "unharmed",
        ("agno", "said"): "depends",  # nobody says in which mode
        ("xsai", "said"): "depends",
        ("pi-ai", "said"): "unharmed",
    }


def test_the_modes_of_recordings_come_from_the_counts_which_hold_all_and_not_from_the_findings_listed() -> None:
    one = cell("id-missing", recorded=(12, 12), modes=("stream",)) | {"findings": 12, "found_in": 1}
    counted = row("acme", one) | {"scenarios": ["a/stream", "a/complete"], "counts": [[12, 12], [11, 1]]}
    assert known(matrix(counted))[0].proofs["id-missing"].modes == {"stream", "complete"}
    counted["counts"][1] = [0, 12]
    assert known(matrix(counted))[0].proofs["id-missing"].modes == {"complete"}
    del one["found_in"]  # an older document, that lists a part
    assert known(matrix(counted))[0].proofs["id-missing"].modes == {"stream", "complete"}


def test_nothing_known_is_not_safe() -> None:
    said = clients(
        client("agno", {"index-missing": {"stream": "merged"}}), client("xsai", {}, judged=False), client("pi-ai", {})
    )
    providers = matrix(
        row("quiet", judged=0), row("acme", cell("index-missing", reported=1)), row("clean", judged=90, published=3)
    )
    standings = {key: pair.standing for key, pair in joined(said, providers).items()}
    assert standings == {
        ("agno", "quiet"): "nothing-known",
        ("xsai", "quiet"): "not-judged",
        ("pi-ai", "quiet"): "nothing-known",
        ("agno", "acme"): "silent",
        ("xsai", "acme"): "not-judged",
        ("pi-ai", "acme"): "nothing-known",
        ("agno", "clean"): "nothing-known",
        ("xsai", "clean"): "not-judged",
        ("pi-ai", "clean"): "nothing-known",
    }
    assert [one.known for one in known(providers)] == [False, True, True]


def test_models_of_one_provider_are_told_apart() -> None:
    rows = (row("acme", model="large"), row("acme", model=""), row("other", model="large"))
    assert [one.label for one in known(matrix(*rows))] == ["acme large", "acme (published)", "other"]


def test_a_client_that_loses_calls_on_honest_answers_says_so_everywhere() -> None:
    wrong = client("strands", {"index-missing": {"stream": "right"}})
    wrong["control"] = [
        {"request": "honest-one", "mode": "stream", "outcome": "right"},
        {"request": "honest-two", "mode": "stream", "outcome": "dropped", "detail": "1 call lost"},
        {"request": "honest-two", "mode": "complete", "outcome": "not-applicable"},
    ]
    said = clients(wrong, client("agno", {"index-missing": {"stream": "right"}}))
    providers = matrix(row("acme", cell("index-missing", recorded=(1, 4))), row("quiet", judged=0))
    found = joined(said, providers)
    assert {key: pair.standing for key, pair in found.items()} == {
        ("strands", "acme"): "honest",
        ("strands", "quiet"): "honest",
        ("agno", "acme"): "unharmed",
        ("agno", "quiet"): "nothing-known",
    }
    text = markdown.render(table(said), known(providers))
    assert "- **strands 1.2.3:** two calls at once (streamed): dropped: 1 call lost" in text
    assert text.count("| strands&nbsp;‼ |") == 2  # among the clients, and by provider
    assert "| ‼&nbsp;✓&nbsp;1 |" in text
    document = json.loads(pairs.render(table(said), known(providers)))
    jsonschema.validate(document, pairs.schema())
    assert [one["honest_wrong"] for one in document["clients"]] == [
        [{"request": "honest-two", "mode": "stream", "outcome": "dropped"}],
        [],
    ]


def test_flagged_is_neither_silent_nor_an_error_and_has_a_mark_of_its_own() -> None:
    said = clients(client("agno", {"index-missing": {"stream": "flagged"}, "id-missing": {"stream": "raised"}}))
    providers = matrix(
        row("acme", cell("index-missing", recorded=(1, 4))),
        row("both", cell("index-missing", reported=1), cell("id-missing", reported=1)),
    )
    found = joined(said, providers)
    assert [pair.standing for pair in found.values()] == ["flagged", "loud"]
    text = markdown.render(table(said), known(providers))
    assert "| agno | 1.2.3 | Python | 0 | 1 | 1 | 0 |" in text
    assert "| agno | ⚑&nbsp;●1 | !&nbsp;¶1&nbsp;⚑&nbsp;¶1 |" in text
    assert "⚑&nbsp;flagged" in text
    jsonschema.validate(json.loads(pairs.render(table(said), known(providers))), pairs.schema())


def test_what_depends_on_the_form_is_folded_and_counts_as_no_loss() -> None:
    said = clients(client("agno", {"finish-missing": {"stream": "dropped"}}))
    providers = matrix(row("acme", cell("finish-missing", published=(1, 4))))
    (pair,) = joined(said, providers).values()
    assert (pair.standing, pair.hits) == ("depends", ())
    assert most_harmed([pair], 9) == []
    text = markdown.render(table(said), known(providers))
    assert "| agno | ±&nbsp;1 |" in text
    folded = text[text.index("<details>") : text.index("</details>")]
    assert "| [finish-missing](#quirk-finish-missing) | ◆ 1/4 published | **dropped**: agno 1.2.3 |" in folded
    (told,) = json.loads(pairs.render(table(said), known(providers)))["pairs"]
    assert (told["silent"], told["worst"]["published"]) == ([], None)
    assert told["depends"] == [
        {"quirk": "finish-missing", "outcome": "dropped", "modes": ["stream"], "kind": "published"}
    ]


def test_most_harmed_counts_what_is_shown_by_bytes_and_silent() -> None:
    two = {"index-missing": {"stream": "merged"}, "id-missing": {"stream": "wrong-id"}}
    said = clients(client("agno", two), client("xsai", {"index-missing": {"stream": "raised"}}))
    providers = matrix(
        row("reported", cell("index-missing", reported=1), cell("id-missing", reported=1)),
        row("rare", cell("index-missing", recorded=(1, 9))),
        row("often", cell("index-missing", published=(8, 9))),
        row("both", cell("index-missing", recorded=(1, 9)), cell("id-missing", published=(1, 9))),
    )
    found = most_harmed(join(table(said), known(providers)), 9)
    assert [(pair.client.client["key"], pair.provider.label) for pair in found] == [
        ("agno", "both"),
        ("agno", "often"),
        ("agno", "rare"),
    ]


def test_the_page_shows_kinds_apart_names_quirks_and_versions_and_escapes() -> None:
    evil = client("agno", {"index-missing": {"stream": "merged"}, "id-missing": {"stream": "raised"}})
    evil["drives"] = "<img src=x> | @all"
    said = clients(evil, client("xsai", {"index-missing": {"stream": "right"}}), complete=False)
    providers = matrix(
        row("acme", cell("index-missing", recorded=(1, 4)), cell("id-missing", published=(2, 3), reported=1)),
        row("a|b", cell("id-missing", reported=1)),
        row("quiet", judged=0),
    )
    text = markdown.render(table(said), known(providers))
    assert "INCOMPLETE" in text
    assert "| agno | ✕&nbsp;●1&nbsp;!&nbsp;◆1 | !&nbsp;¶1 |" in text
    assert "| xsai | ✓&nbsp;1 | ? |" in text
    assert "| [index-missing](#quirk-index-missing) | ● 1/4 recorded | **merged**: agno 1.2.3 |  |" in text
    assert "| [id-missing](#quirk-id-missing) | ◆ 2/3 published, ¶ reported |  | **raised**: agno 1.2.3 |" in text
    assert "Nothing that clients were asked about is known of quiet." in text
    assert '<a id="quirk-id-missing"></a>id-missing | must | !&nbsp;raised |' in text
    assert "<img" not in text
    assert "| @all" not in text


def test_the_document_is_by_its_schema_and_the_command_writes_both(tmp_path: Path) -> None:
    said = clients(client("agno", {"index-missing": {"stream": "merged"}}))
    folder = put(tmp_path / "reports", said, matrix(row("acme", cell("index-missing", recorded=(1, 4)))))
    assert call(["clients", "table", str(folder)]) == 0
    document = json.loads((folder / "client-provider.json").read_text("utf-8"))
    jsonschema.validate(document, pairs.schema())
    (pair,) = document["pairs"]
    assert pair["silent"] == [{"quirk": "index-missing", "outcome": "merged", "modes": ["stream"], "kind": "recorded"}]
    assert pair["worst"] == {"recorded": "merged", "published": None, "reported": None}
    assert "index-missing" in (folder / "clients.md").read_text("utf-8")
    before = [(folder / name).read_bytes() for name in ("clients.md", "client-provider.json")]
    assert call(["clients", "table", str(folder)]) == 0
    assert [(folder / name).read_bytes() for name in ("clients.md", "client-provider.json")] == before


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("clients.json", None, "No such file"),
        ("clients.json", "[" * 100_000, "it is no JSON"),
        ("clients.json", "{}", "it is no conformance/clients/1"),
        ("quirks.json", '{"schema": "conformance/clients/1"}', "it is no conformance/matrix/1"),
        ("quirks.json", '{"schema": "conformance/matrix/1", "rows": [{}]}', "parts of it are missing or wrong"),
        ("quirks.json", '{"schema": "conformance/matrix/1", "rows": 3}', "parts of it are missing or wrong"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    tmp_path: Path, name: str, text: str | None, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = put(tmp_path / "reports", clients(), matrix())
    (folder / name).unlink() if text is None else (folder / name).write_text(text)
    assert call(["clients", "table", str(folder)]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
    assert str(folder / name) in line


def test_the_committed_tables_are_current(tmp_path: Path) -> None:
    reports = ROOT / "reports"
    if not (reports / "clients.json").is_file():
        pytest.skip("reports/clients.json is not there: 'make clients' measures the clients")
    for name in ("clients.json", "quirks.json"):
        (tmp_path / name).write_bytes((reports / name).read_bytes())
    assert call(["clients", "table", str(tmp_path)]) == 0
    for name in ("clients.md", "client-provider.json"):
        assert (tmp_path / name).read_bytes() == (reports / name).read_bytes(), f"{name}: conformance clients table"

"""The scenarios of the request side: each asks about one thing and costs little."""

import re
from typing import Any

import pytest

from conformance.quirks.asked import made_up, traits
from conformance.scenarios import Scenario, catalogue, get
from conformance.wire.asked import asked

TRAITS = {
    "history_content_null": "content-null",
    "history_content_absent": "content-absent",
    "history_content_empty": "content-empty",
    "history_arguments_empty": "arguments-empty",
    "history_arguments_invalid": "arguments-invalid",
    "history_arguments_object": "arguments-object",
    "history_result_array": "result-array",
    "history_result_empty": "result-empty",
    "history_result_with_ref": "result-with-ref",
    "history_result_missing": "result-missing",
    "history_result_orphan": "result-orphan",
    "history_results_reordered": "results-reordered",
    "history_user_after_result": "user-after-result",
    "history_tools_omitted": "tools-omitted",
    "history_reasoning": "reasoning",
    "history_signature": "call-fields",
    "history_id_nine": "foreign-id",
    "history_id_long": "long-id",
    "history_id_unicode": "foreign-id",
    "history_id_punctuation": "foreign-id",
    "history_id_empty": "empty-id",
    "tools_empty": "tools-empty",
    "tools_without_parameters": "parameters-absent",
    "tools_schema_ref": "schema-ref",
    "tools_schema_union": "schema-union",
    "tools_type_array": "type-array",
    "tools_long_name": "long-name",
    "tools_dotted_name": "dotted-name",
    "tools_duplicate_names": "duplicate-names",
    "tools_over_limit": "too-many-tools",
    "choice_auto_one": "tool-choice",
    "choice_auto_two": "tool-choice",
    "choice_none_two": "tool-choice",
    "choice_required_two": "tool-choice",
    "choice_named_one": "tool-choice",
    "choice_unknown": "choice-unknown",
    "choice_without_tools": "choice-without-tools",
    "option_one_call": "parallel-disabled",
    "option_strict": "strict",
    "option_two_choices": "n",
    "option_unknown_field": "unknown-field",
}
# what the request cannot do without: 129 tools with parameters are too long for a small context
BESIDE = {"tools_over_limit": {"parameters-absent"}}
GROUP = re.compile(r"(history|tools|choice|option)_")


def request(name: str) -> dict[str, Any]:
    return dict(next(get(name).conversation("m")).body)


each = pytest.mark.parametrize("scenario", [s for s in catalogue() if GROUP.match(s.name)], ids=lambda s: s.name)


@each
def test_it_is_sent_in_one_mode_and_asks_for_little(scenario: Scenario) -> None:
    assert scenario.modes == ("complete",)
    if scenario.steps == 1:
        assert request(scenario.name)["max_tokens"] <= 96


@pytest.mark.parametrize(("name", "trait"), TRAITS.items())
def test_it_is_about_one_thing(name: str, trait: str) -> None:
    found = traits(asked(request(name))).keys() - {"result-without-name"}
    assert found == {trait} | BESIDE.get(name, set())


def test_the_plain_history_is_plain() -> None:
    assert traits(asked(request("history_plain"))) == {"result-without-name": "/messages/2/name"}


@pytest.mark.parametrize(
    "name", [name for name in TRAITS if name.startswith("history_") and name != "history_id_empty"]
)
def test_its_ids_are_known_to_be_made_up(name: str) -> None:
    assert made_up(asked(request(name)))


def test_the_long_name_is_as_long_as_allowed() -> None:
    (tool,) = request("tools_long_name")["tools"]
    assert re.fullmatch(r"[a-zA-Z0-9_-]{64}", tool["function"]["name"])


def test_one_tool_more_than_allowed() -> None:
    names = [tool["function"]["name"] for tool in request("tools_over_limit")["tools"]]
    assert len(set(names)) == 129


def test_every_value_of_tool_choice_with_one_tool_and_with_two() -> None:
    asked_for = set()
    for scenario in catalogue():
        body = dict(next(scenario.conversation("m")).body)
        choice = body.get("tool_choice")
        kind = "named" if isinstance(choice, dict) else choice
        if kind and not {"choice-unknown", "choice-without-tools"} & traits(asked(body)).keys():
            asked_for.add((kind, len(body["tools"])))
    assert {(kind, count) for kind in ("auto", "none", "required", "named") for count in (1, 2)} <= asked_for

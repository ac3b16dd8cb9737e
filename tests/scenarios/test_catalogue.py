"""What every scenario owes to whoever pays for it, and to small models."""

import json
from typing import Any

import pytest

from conformance.errors import ConfigError
from conformance.scenarios import Scenario, catalogue, get, select
from conformance.scenarios.long_arguments import TEXT

NAMES = {
    "choice_auto_one",
    "choice_auto_two",
    "choice_named_one",
    "choice_none_two",
    "choice_required_two",
    "choice_unknown",
    "choice_without_tools",
    "compressed",
    "forced_call",
    "history_arguments_empty",
    "history_arguments_invalid",
    "history_arguments_object",
    "history_content_absent",
    "history_content_empty",
    "history_content_null",
    "history_extras_left_out",
    "history_id_empty",
    "history_id_long",
    "history_id_nine",
    "history_id_punctuation",
    "history_id_unicode",
    "history_plain",
    "history_reasoning",
    "history_result_array",
    "history_result_empty",
    "history_result_missing",
    "history_result_orphan",
    "history_result_with_ref",
    "history_results_reordered",
    "history_signature",
    "history_tools_omitted",
    "history_user_after_result",
    "link_empty_ids",
    "link_order",
    "link_unknown_id",
    "long_arguments",
    "named_call",
    "nested_arguments",
    "no_call",
    "option_one_call",
    "option_strict",
    "option_two_choices",
    "option_unknown_field",
    "parallel_calls",
    "parallel_round_trip",
    "round_trip",
    "single_call",
    "text_then_call",
    "tools_dotted_name",
    "tools_duplicate_names",
    "tools_empty",
    "tools_long_name",
    "tools_over_limit",
    "tools_schema_ref",
    "tools_schema_union",
    "tools_type_array",
    "tools_without_parameters",
    "truncated_call",
    "two_tools",
    "unicode_arguments",
    "usage_in_stream",
    "zero_argument_call",
}

WITHOUT_TOOLS = {"choice_without_tools", "history_tools_omitted", "tools_empty"}
REQUEST_SIDE = ("history_", "tools_", "choice_", "option_")


def first(scenario: Scenario) -> dict[str, Any]:
    return dict(next(scenario.conversation("some-model")).body)


each = pytest.mark.parametrize("scenario", catalogue(), ids=lambda s: s.name)


def test_all_scenarios_are_found_in_order() -> None:
    names = [s.name for s in catalogue()]
    assert names == sorted(names)
    assert set(names) >= NAMES


@each
def test_a_request_is_bounded_deterministic_and_plain_json(scenario: Scenario) -> None:
    body = first(scenario)
    assert json.loads(json.dumps(body)) == body
    assert body["model"] == "some-model"
    assert body["temperature"] == 0
    assert 0 < body["max_tokens"] <= 1200
    assert "stream" not in body, "the mode decides that"
    assert body.get("tools") or scenario.name in WITHOUT_TOOLS


@each
def test_a_conversation_starts_the_same_every_time(scenario: Scenario) -> None:
    assert first(scenario) == first(scenario)


@each
def test_a_scenario_explains_itself(scenario: Scenario) -> None:
    assert scenario.doc
    assert 0 < len(scenario.title) <= 70
    assert not scenario.title.endswith(".")


def test_titles_are_unique() -> None:
    titles = [s.title for s in catalogue()]
    assert len(set(titles)) == len(titles)


def test_features_are_those_that_providers_declare() -> None:
    from conformance.providers.models import FEATURES

    assert {feature for s in catalogue() for feature in s.features} <= set(FEATURES)


def test_tool_choice_is_what_the_name_says() -> None:
    assert first(get("forced_call"))["tool_choice"] == "required"
    assert first(get("no_call"))["tool_choice"] == "none"
    assert first(get("named_call"))["tool_choice"]["function"]["name"] == "get_weather"
    assert "tool_choice" not in first(get("single_call"))


def test_the_long_text_is_long_enough() -> None:
    assert len(TEXT.encode()) >= 2048
    assert TEXT in first(get("long_arguments"))["messages"][0]["content"]


def test_only_one_scenario_accepts_compression() -> None:
    asking = {s.name: dict(next(s.conversation("m")).headers) for s in catalogue()}
    assert {name: headers for name, headers in asking.items() if headers} == {"compressed": {"accept-encoding": "gzip"}}


def test_usage_is_only_asked_for_in_a_stream() -> None:
    assert get("usage_in_stream").modes == ("stream",)
    assert first(get("usage_in_stream"))["stream_options"] == {"include_usage": True}


def test_a_selection_keeps_the_catalogues_order() -> None:
    assert [s.name for s in select(["two_tools", "no_call"])] == ["no_call", "two_tools"]
    assert select([]) == catalogue()


def test_a_pattern_selects_a_group() -> None:
    names = [s.name for s in select(["history_id_*", "no_call"])]
    assert names == [f"history_id_{form}" for form in ("empty", "long", "nine", "punctuation", "unicode")] + ["no_call"]


@pytest.mark.parametrize("pattern", ["history_idd_*", "[", "?"])
def test_a_pattern_that_matches_nothing_is_an_error(pattern: str) -> None:
    with pytest.raises(ConfigError, match="no scenario matches"):
        select([pattern])


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(ConfigError, match="no scenario is called 'singel_call'; did you mean 'single_call'"):
        get("singel_call")

"""What a server may make of an unusual request: answer it, or reject it and say what is wrong. No alarm may follow."""

from __future__ import annotations

from typing import Final

from conformance.faults.catalogue import plant
from conformance.faults.refuse import Says, behind, flat, located, nested, openai, text


def _plant(name: str, title: str, scenario: str, says: Says | None = None) -> None:
    plant(name, f"{scenario}: {title}", legal=True, scenario=scenario, says=says, complete=dict, left="none")


# --- answered ---------------------------------------------------------------------------------------------------------
_ANSWERED: Final = (
    "choice_auto_one choice_auto_two choice_named_one choice_none_two choice_required_two choice_unknown",
    "choice_without_tools history_arguments_empty history_arguments_invalid history_arguments_object",
    "history_content_absent history_content_empty history_content_null history_id_empty history_id_long",
    "history_id_nine history_id_punctuation history_id_unicode history_plain history_reasoning history_result_array",
    "history_result_empty history_result_missing history_result_orphan history_result_with_ref",
    "history_results_reordered history_signature history_tools_omitted history_user_after_result option_one_call",
    "option_strict option_two_choices option_unknown_field tools_dotted_name tools_duplicate_names tools_empty",
    "tools_long_name tools_over_limit tools_schema_ref tools_schema_union tools_type_array tools_without_parameters",
)
for _scenario in " ".join(_ANSWERED).split():
    _plant(f"answers-{_scenario.replace('_', '-')}", "it is answered", _scenario)

# --- rejected with the reason -----------------------------------------------------------------------------------------
_REJECTED: Final[tuple[tuple[str, Says], ...]] = (
    (
        "history_arguments_empty",
        openai("arguments must be valid JSON", "messages[1].tool_calls[0].function.arguments"),
    ),
    ("history_arguments_invalid", flat("messages[1].tool_calls[0].function.arguments: unterminated string")),
    (
        "history_arguments_object",
        openai("Invalid type for 'messages[1].tool_calls[0].function.arguments': got an object instead of a string."),
    ),
    (
        "history_id_empty",
        openai("Invalid 'messages[1].tool_calls[0].id': empty string. Expected a minimum length of 1."),
    ),
    ("history_id_long", openai("Invalid 'messages[1].tool_calls[0].id': string too long. Expected at most 40.")),
    ("history_reasoning", located("Extra inputs are not permitted", "messages", 1, "assistant", "reasoning_content")),
    (
        "history_result_missing",
        openai("'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.", "messages"),
    ),
    (
        "history_result_orphan",
        openai("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.", "messages"),
    ),
    ("tools_empty", openai("[] is too short - 'tools'")),
    ("tools_dotted_name", openai("Invalid 'tools[0].function.name': string does not match '^[a-zA-Z0-9_-]+$'.")),
    ("tools_duplicate_names", nested("Tool names must be unique.")),
    ("tools_over_limit", openai("Invalid 'tools': array too long. Expected at most 128, got 129.", "tools")),
    ("tools_schema_union", openai("tools[0].function.parameters: 'oneOf' is not permitted at the top level.")),
    ("choice_unknown", openai("Tool choice 'get_tide' not found in 'tools' parameter.", "tool_choice")),
    ("choice_without_tools", openai("'tool_choice' is only allowed when 'tools' are specified.", "tool_choice")),
    ("option_unknown_field", behind("Unrecognized request argument supplied: x_unknown")),
)
for _scenario, _says in _REJECTED:
    _plant(f"refuses-{_scenario.replace('_', '-')}", "it is rejected, and the error says what", _scenario, _says)

# --- rejected for a reason of its own: the request is not to blame ----------------------------------------------------
_OTHERWISE: Final[tuple[tuple[str, str, Says], ...]] = (
    ("key-refused-with-400", "history_content_null", openai("API key not valid. Please pass a valid API key.")),
    ("model-gone", "choice_named_one", openai("The model `m` has been decommissioned and is no longer supported.")),
    ("tools-unknown-to-model", "tools_schema_ref", openai("`tool calling` is not supported with this model")),
    (
        "context-too-short",
        "tools_over_limit",
        flat("This model's maximum context length is 2048 tokens, the request has 3611."),
    ),
    ("overloaded", "history_user_after_result", text("Too Many Requests", 429)),
    ("upstream-gone", "history_id_unicode", text("Bad Gateway", 502)),
    (
        "another-message",
        "history_content_null",
        openai("Invalid 'messages[0].content': expected a shorter string.", "messages[0].content"),
    ),
)
for _name, _scenario, _says in _OTHERWISE:
    _plant(_name, "it is rejected for another reason", _scenario, _says)

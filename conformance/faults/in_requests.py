"""Faults in what a server makes of a request: what is legal is rejected, or the error does not say what is wrong."""

from __future__ import annotations

from dataclasses import replace

from conformance.faults.catalogue import plant
from conformance.faults.honest import Answer, Planned
from conformance.faults.refuse import Says, behind, flat, located, nested, openai, text


def _plant(scenario: str, shows: str, says: Says, name: str = "") -> None:
    title = "the error does not say why" if shows == "rejection-vague" else "a legal request is rejected"
    name = name or f"rejects-{shows.removesuffix('-rejected')}"
    plant(name, f"{scenario}: {title}", shows, scenario=scenario, says=says, complete=dict, left="none")


# --- histories --------------------------------------------------------------------------------------------------------
_plant("history_content_null", "content-null-rejected", openai("messages[1].content must be a string"))
_plant(
    "history_content_null",
    "content-null-rejected",
    located("Input should be a valid string", "messages", 1, "content"),
    "rejects-content-null-by-path",
)
_plant("history_content_absent", "content-absent-rejected", text("messages[1]: missing field `content` at line 1", 422))
_plant("history_content_empty", "content-empty-rejected", behind("text content blocks must be non-empty"))
_plant(
    "history_result_array", "result-array-rejected", text("messages[2]: invalid type: sequence, expected a string", 422)
)
_plant("history_result_empty", "result-empty-rejected", openai("messages.2.content: must not be empty"))
_plant("history_result_with_ref", "result-with-ref-rejected", nested("The referenced name `#/$defs/level` is unknown."))
_plant("history_plain", "result-without-name-rejected", nested("function_response.name: Name cannot be empty."))
_plant("history_results_reordered", "results-reordered-rejected", flat("Results are not in the order of the calls."))
_plant("history_user_after_result", "user-after-result-rejected", flat("Unexpected role 'user' after role 'tool'"))
_plant("history_tools_omitted", "tools-omitted-rejected", behind("The toolConfig field must be defined"))
_plant(
    "history_signature",
    "call-fields-rejected",
    located("Extra inputs are not permitted", "messages", 1, "tool_calls", 0, "extra_content"),
)
_plant(
    "history_id_nine",
    "foreign-id-rejected",
    openai("Invalid 'messages[1].tool_calls[0].id': expected a string that matches the pattern ^call_."),
    "rejects-id-nine",
)
_plant(
    "history_id_unicode",
    "foreign-id-rejected",
    flat("Tool call id must be a-z, A-Z, 0-9, with a length of 9."),
    "rejects-id-unicode",
)
_plant(
    "history_id_punctuation",
    "foreign-id-rejected",
    flat("tool_call_id has to match the pattern ^[a-zA-Z0-9_-]+$"),
    "rejects-id-punctuation",
)
_plant("history_plain", "foreign-id-rejected", openai("Unknown tool_call_id.", "messages"), "rejects-id-not-its-own")
_plant(
    "history_plain",
    "field-demanded",
    openai("The reasoning_content in the thinking mode must be passed back to the API."),
    "demands-reasoning",
)
_plant(
    "history_plain",
    "field-demanded",
    nested("Function call is missing a thought_signature in functionCall parts."),
    "demands-signature",
)

# --- tools ------------------------------------------------------------------------------------------------------------
_plant(
    "tools_without_parameters",
    "parameters-absent-rejected",
    located("Field required", "tools", 0, "function", "parameters"),
)
_plant(
    "zero_argument_call",
    "properties-empty-rejected",
    nested("tools[0].function.parameters.properties: should be non-empty for OBJECT type"),
)
_plant(
    "tools_schema_ref", "schema-ref-rejected", openai("Invalid schema for function 'pack_crate': unsupported $defs.")
)
_plant(
    "tools_type_array",
    "type-array-rejected",
    nested("Proto field is not repeating, cannot start list at 'tools[0].function.parameters.properties[0].type'."),
)
_plant("tools_long_name", "long-name-rejected", openai("tools[0].function.name: must have at most 63 characters"))
_plant("option_strict", "strict-rejected", located("Extra inputs are not permitted", "tools", 0, "function", "strict"))

# --- options ----------------------------------------------------------------------------------------------------------
_plant("choice_named_one", "tool-choice-rejected", openai("Thinking mode does not support this tool_choice"))
_plant(
    "choice_required_two",
    "tool-choice-rejected",
    flat("tool choice 'required' is not implemented"),
    "rejects-tool-choice-required",
)
_plant(
    "choice_auto_one", "tool-choice-rejected", openai("Unsupported value.", "tool_choice"), "rejects-tool-choice-auto"
)
_plant("option_one_call", "parallel-disabled-rejected", openai("Unsupported parameter: 'parallel_tool_calls'."))
_plant("option_two_choices", "n-rejected", openai("n must be at most 1"))

# --- how it is said ---------------------------------------------------------------------------------------------------
_plant("history_content_null", "rejection-vague", text("Bad Request"), "vague-text")
_plant("history_user_after_result", "rejection-vague", behind("Error code: 400"), "vague-behind-a-gateway")
_plant("tools_schema_union", "rejection-vague", openai("Invalid request.", status=422), "vague-422")
_plant("choice_named_one", "rejection-vague", nested(""), "vague-upstream")
_plant(
    "history_arguments_invalid",
    "server-error",
    openai("Failed to parse tool call arguments as JSON", status=500),
    "fails-on-arguments",
)
_plant("tools_over_limit", "server-error", text("Internal Server Error", 500), "fails-on-many-tools")


def _other_function(honest: Answer) -> Answer:
    planned = Planned("call_made_up", "get_weather", '{"city":"Paris"}')
    return replace(honest, calls=[planned], content=None, finish="tool_calls")


_plant("choice_unknown", "choice-unknown-accepted", _other_function, "calls-another-function")

"""How a request is fitted to a provider."""

from typing import Any

from conformance.run.ask import adapt
from conformance.scenarios import get
from tests.run.examples import provider

BODY = dict(next(get("parallel_calls").conversation("m1")).body)


def body_of(scenario: str, **fields: Any) -> dict[str, Any]:
    return adapt(next(get(scenario).conversation("m1")).body, provider(**fields), "m1", "stream")


def test_nothing_declared_nothing_changed() -> None:
    assert adapt(BODY, provider(), "m1", "stream") == {**BODY, "stream": True}
    assert adapt(BODY, provider(), "m1", "complete") == {**BODY, "stream": False}


def test_undeclared_parts_are_left_out() -> None:
    assert "seed" not in body_of("single_call", features={"seed": False})
    assert "tool_choice" not in body_of("zero_argument_call", features={"required": False})
    assert body_of("no_call", features={"required": False})["tool_choice"] == "none"
    assert "tool_choice" not in body_of("named_call", features={"named": False})
    assert body_of("choice_auto_one", features={"required": False, "named": False})["tool_choice"] == "auto"


def test_fields_are_renamed_and_the_providers_own_come_over_them() -> None:
    adapted = body_of(
        "single_call", rename={"max_tokens": "max_completion_tokens"}, extra_body={"temperature": None, "top_k": 1}
    )
    assert adapted["max_completion_tokens"] == 256
    assert adapted["top_k"] == 1
    assert not {"max_tokens", "temperature"} & adapted.keys()


def test_the_models_own_fields_come_last() -> None:
    models = [{"name": "m1", "extra_body": {"top_k": 2}}]
    assert body_of("single_call", models=models, extra_body={"top_k": 1})["top_k"] == 2


def test_the_scenarios_request_is_left_alone() -> None:
    before = dict(BODY)
    adapt(BODY, provider(extra_body={"seed": None}), "m1", "stream")
    assert before == BODY

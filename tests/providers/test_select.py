"""Selection by name: order, patterns, and what is said when nothing is left."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from conformance.errors import ConfigError, SelectionError
from conformance.providers.select import select
from tests.providers.examples import file, provider

FILE = file(
    provider("openai", models=["gpt-small", "gpt-large"], default_model="gpt-large"),
    provider("openrouter", models=["mini", "gpt-small"]),
    provider("llamacpp", models=["qwen"]),
)


def chosen(names: Sequence[str] | None = None, models: Sequence[str] | None = None) -> list[str]:
    return [f"{one.provider.name}/{one.model.name}" for one in select(FILE, names, models)]


def test_everything_with_its_default_model() -> None:
    assert chosen() == ["openai/gpt-large", "openrouter/mini", "llamacpp/qwen"]


@pytest.mark.parametrize(
    "names", [["llamacpp", "openai"], ["openai", "llamacpp", "openai"], ["llamacpp", "openai", "*i"]]
)
def test_the_order_is_that_of_the_file_and_nothing_comes_twice(names: list[str]) -> None:
    assert chosen(names) == ["openai/gpt-large", "llamacpp/qwen"]


def test_patterns() -> None:
    assert chosen(["open*"]) == ["openai/gpt-large", "openrouter/mini"]
    assert chosen(["*"]) == chosen()
    assert chosen(["[lo]*"], ["*"]) == [
        "openai/gpt-small",
        "openai/gpt-large",
        "openrouter/mini",
        "openrouter/gpt-small",
        "llamacpp/qwen",
    ]


def test_models_leave_out_providers_that_lack_them() -> None:
    assert chosen(None, ["gpt-small"]) == ["openai/gpt-small", "openrouter/gpt-small"]
    assert chosen(["openrouter"], ["*i*"]) == ["openrouter/mini"]


def test_an_unknown_name_is_a_mistake_with_a_suggestion() -> None:
    with pytest.raises(ConfigError) as caught:
        chosen(["openia", "llamacpp", "zzz"])
    assert caught.value.problems == (
        "no provider is called 'openia'; did you mean 'openai'? Known: llamacpp, openai, openrouter",
        "no provider is called 'zzz'. Known: llamacpp, openai, openrouter",
    )
    assert caught.value.exit_code == 4


def test_an_unknown_model_is_a_mistake_among_the_chosen_providers() -> None:
    with pytest.raises(ConfigError, match=r"^no model is called 'qwen'. Known: gpt-large, gpt-small$"):
        chosen(["openai"], ["qwen"])


@pytest.mark.parametrize(
    ("names", "models", "message"),
    [
        ([], None, "no provider is selected. Known: openai, openrouter, llamacpp"),
        (["azure*"], None, "no provider matches 'azure*'. Known: openai, openrouter, llamacpp"),
        (["openai", "azure*"], None, "no provider matches 'azure*'. Known: openai, openrouter, llamacpp"),
        (["openai"], [], "no model is selected. Known: gpt-small, gpt-large"),
        (["openai"], ["claude-*"], "no model matches 'claude-*'. Known: gpt-small, gpt-large"),
    ],
)
def test_nothing_selected_is_an_error(names: list[str], models: list[str] | None, message: str) -> None:
    with pytest.raises(SelectionError) as caught:
        chosen(names, models)
    assert str(caught.value) == message
    assert caught.value.exit_code == 5

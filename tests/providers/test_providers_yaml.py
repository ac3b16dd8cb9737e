"""The project's own `providers.yaml`: every system is there, with sources, and usable once its variable is set."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from conformance.providers import variables
from conformance.providers.expect import expected_by
from conformance.providers.load import load
from conformance.providers.models import Provider, ProvidersFile
from conformance.providers.resolve import resolve
from conformance.quirks import catalogue
from conformance.scenarios import catalogue as scenarios

PATH = Path(__file__).parents[2] / "providers.yaml"
NAMES = (
    *("openai", "dashscope", "alibaba-compatible", "gemini", "syntic", "ollama", "vllm", "llamacpp", "litellm"),
    *("transformers", "groq", "mistral", "deepseek", "openrouter", "xai", "together", "fireworks", "cerebras"),
    *("moonshot", "zai", "azure", "huggingface", "nvidia"),
)
LOCAL = {
    "ollama": "http://127.0.0.1:11434/v1",
    "vllm": "http://127.0.0.1:18084/v1",
    "llamacpp": "http://127.0.0.1:18081/v1",
    "litellm": "http://127.0.0.1:18082/v1",
    "transformers": "http://127.0.0.1:18086/v1",
}


@cache
def own() -> ProvidersFile:
    return load(
        PATH,
        known_quirks=[quirk.slug for quirk in catalogue()],
        known_scenarios=[scenario.name for scenario in scenarios()],
    )


def one(name: str) -> Provider:
    return own().providers[name]


def test_every_system_is_there() -> None:
    assert set(own().providers) >= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_says_where_its_facts_come_from_and_is_ready_to_use(name: str) -> None:
    provider = one(name)
    assert provider.source
    needed = {provider.api_key_env} if provider.api_key_env else set()
    needed |= set(variables.expand(provider.base_url, {})[1])
    address = resolve(provider, dict.fromkeys(needed, "value"))
    assert address.base_url.startswith("http://127.0.0.1:" if name in LOCAL else "https://")
    assert (address.api_key is None) == (provider.api_key_env is None)


@pytest.mark.parametrize(("name", "url"), LOCAL.items())
def test_local_servers_have_an_address_that_can_be_moved(name: str, url: str) -> None:
    provider = one(name)
    (variable,) = variables.names(provider.base_url)
    key = {provider.api_key_env: "k"} if provider.api_key_env else {}
    assert variable == f"{name.upper()}_BASE_URL"
    assert resolve(provider, key).base_url == url
    assert resolve(provider, {**key, variable: "http://127.0.0.1:9/v1"}).base_url == "http://127.0.0.1:9/v1"


def test_servers_of_this_machine_are_known_by_their_address() -> None:
    assert {provider.name for provider in own().providers.values() if provider.local} == set(LOCAL)


@pytest.mark.parametrize(
    ("name", "quirk", "modes"),
    [
        ("alibaba-compatible", "id-empty-on-continuation", {"stream"}),
        ("alibaba-compatible", "name-empty-on-continuation", {"stream"}),
        ("dashscope", "arguments-truncated", {"stream", "complete"}),
        ("gemini", "index-missing", {"stream"}),
        ("gemini", "finish-stop-with-calls", {"stream"}),
        ("ollama", "id-missing", {"stream", "complete"}),
    ],
)
def test_what_the_reference_documents_report_is_expected(name: str, quirk: str, modes: set[str]) -> None:
    provider = one(name)
    found = {m for m in ("stream", "complete") if expected_by(provider, quirk, m, "single_call", provider.default.name)}
    assert found == modes
    expectation = expected_by(provider, quirk, "stream", "single_call", provider.default.name)
    assert expectation is not None
    assert "reference 00" in str(expectation.source)


def test_azure_carries_its_key_in_a_header_of_its_own() -> None:
    azure = one("azure")
    address = resolve(azure, {"AZURE_OPENAI_RESOURCE": "blue", "AZURE_OPENAI_API_KEY": "k"})
    assert address.base_url == "https://blue.openai.azure.com/openai/v1"
    assert address.key_header == "api-key"


def test_what_providers_do_not_know_is_declared() -> None:
    assert not any(one("zai").offers(feature) for feature in ("required", "named", "none", "stream_usage"))
    assert not one("moonshot").offers("required")
    assert one("moonshot").offers("named")

"""What may be asked of a run, and the one sentence for what may not."""

from pathlib import Path

import pytest

from conformance.errors import ConfigError, SelectionError
from conformance.run.options import Options, plan_for

FILE = """
providers:
  acme:
    base_url: http://127.0.0.1:9/v1
    models: [m1, m2]
    api_key_env: ACME_API_KEY
  beta:
    base_url: http://127.0.0.1:9/v1
    models: [m1]
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "providers.yaml"
    path.write_text(FILE)
    return path


def test_replay_without_a_name_covers_every_provider(config: Path) -> None:
    made = plan_for(Options(config=config))
    assert [p.name for p in made.providers] == ["acme", "beta"]
    assert not made.named
    assert made.cassettes == config.parent / "cassettes"


def test_scenarios_and_modes_narrow(config: Path) -> None:
    made = plan_for(Options(config=config, scenarios=("no_call,two_tools",), modes=("stream",), providers=("beta",)))
    assert [c.id for c in made.cells] == ["beta-no_call-stream", "beta-two_tools-stream"]
    assert made.narrowed


def test_an_endpoint_by_address_needs_no_file(tmp_path: Path) -> None:
    options = Options(config=tmp_path / "none.yaml", base_url="http://localhost:8000/v1", model="m", run_mode="live")
    made = plan_for(options)
    (local,) = made.providers
    assert (local.name, local.base_url, local.default.name) == ("local", "http://localhost:8000/v1", "m")
    assert made.named == {"local"}


def test_one_provider_at_another_address_keeps_all_else(config: Path) -> None:
    options = Options(
        config=config, providers=("acme",), base_url="http://localhost:8000/v1", model="m9", run_mode="live"
    )
    (moved,) = plan_for(options).providers
    assert (moved.name, moved.base_url, moved.api_key_env) == ("acme", "http://localhost:8000/v1", "ACME_API_KEY")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"samples": 0, "run_mode": "live", "providers": ("acme",)}, "--samples 0: give a number from 1 on"),
        ({"samples": 2}, "a replay plays what is recorded"),
        ({"run_mode": "live"}, "name the providers to send to"),
        ({"run_mode": "record"}, "name the providers to send to"),
        ({"api_key_env": "KEY"}, "--api-key-env goes with --base-url"),
        ({"base_url": "http://x/v1", "run_mode": "live"}, "--base-url needs --model NAME"),
        ({"base_url": "http://x/v1", "model": "m"}, "--base-url is live; leave --replay out"),
        ({"base_url": "x/v1", "model": "m", "run_mode": "live"}, "--base-url must begin with http"),
        ({"base_url": "http://u:p@x/v1", "model": "m", "run_mode": "live"}, "--base-url holds a user name"),
        ({"base_url": "http://x/v1", "model": "m", "run_mode": "record"}, "--record needs a provider of the file"),
        ({"base_url": "http://x/v1", "run_mode": "live", "providers": ("acme", "beta")}, "name one provider with it"),
        (
            {"base_url": "http://x/v1", "model": "m", "run_mode": "live", "api_key_env": "sk-abc"},
            "--api-key-env must be the NAME",
        ),
        ({"base_url": "http://x/v1", "model": "", "run_mode": "live"}, "--base-url needs --model NAME"),
        ({"scenarios": ("singel_call",)}, "did you mean 'single_call'"),
        ({"providers": ("acmee",)}, "did you mean 'acme'"),
        ({"providers": ("acme",), "model": "m7"}, "no model is called 'm7'"),
    ],
)
def test_one_sentence_for_what_cannot_be(config: Path, fields: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        plan_for(Options(config=config, **fields))  # type: ignore[arg-type]
    assert len(caught.value.problems) == 1
    assert "sk-abc" not in str(caught.value)


def test_a_selection_without_any_exchange(config: Path) -> None:
    with pytest.raises(SelectionError, match="nothing is left to run"):
        plan_for(Options(config=config, scenarios=("usage_in_stream",), modes=("complete",)))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        plan_for(Options(config=tmp_path / "providers.yaml"))


def test_an_expectation_of_an_unknown_quirk(config: Path) -> None:
    config.write_text(
        FILE + "    expectations:\n      - quirk: index-mising\n        reason: r\n"
        "        source: {url: 'https://example.org/1', date: 2026-01-01}\n"
    )
    with pytest.raises(ConfigError, match=r"providers\.yaml:11: .*did you mean 'index-missing'"):
        plan_for(Options(config=config))

"""What a valid file means, which files cannot be read, and that no bytes at all end in anything but a `ConfigError`."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conformance.errors import ConfigError
from conformance.providers import nodes, secrets
from conformance.providers.load import load, parse
from conformance.providers.models import FEATURES, Features, Model

FULL = b"""\xef\xbb\xbf# a byte order mark is no mistake
providers:
  acme:
    base_url: https://${ACME_REGION:-eu}.acme.test/v1
    models:
      - small
      - name: large
        features: {seed: false}
        extra_body: {reasoning: {effort: low}}
    default_model: large
    api_key_env: ACME_API_KEY
    key_header: x-api-key
    headers: {X-Team: blue, X-Tenant: "${ACME_TENANT}"}
    query: {api-version: "2024-10-21"}
    extra_body: {temperature: null, flag: true, ratio: 0.5, many: [1, -2]}
    rename: {max_tokens: max_completion_tokens}
    features: {stream: true, seed: true, required: false}
    timeout: 7
    source:
      - {url: https://docs.acme.test, date: 2026-11-30}
      - {document: reference 000 \xc2\xa75, date: "2026-11-29"}
    verified: 2026-11-28
    expectations:
      - quirk: id-*
        reason: seen
        source: {document: reference 000, date: 2026-11-30}
        modes: [stream]
        scenarios: [two_*]
        models: large
        min_applicable: 1
  local:
    base_url: http://127.0.0.1:8000/v1
    models: ["4.1"]
"""


def test_every_field() -> None:
    acme = parse(FULL, known_quirks=["id-missing"], known_scenarios=["two_tools"]).providers["acme"]
    assert acme.name == "acme"
    assert [model.name for model in acme.models] == ["small", "large"]
    assert acme.default == Model(
        name="large", features=Features(seed=False), extra_body={"reasoning": {"effort": "low"}}
    )
    assert acme.extra_body == {"temperature": None, "flag": True, "ratio": 0.5, "many": [1, -2]}
    assert (acme.timeout, acme.verified) == (7, date(2026, 11, 28))
    assert [str(source) for source in acme.source] == [
        "https://docs.acme.test (2026-11-30)",
        "reference 000 §5 (2026-11-29)",
    ]
    (one,) = acme.expectations
    assert (one.modes, one.scenarios, one.models, one.min_applicable) == (("stream",), ("two_*",), "large", 1)


def test_defaults() -> None:
    local = parse(FULL).providers["local"]
    assert (local.api_key_env, local.key_header, local.verified) == (None, None, "never")
    assert (local.timeout, local.expectations, local.default.name) == (60.0, (), "4.1")
    assert all(local.offers(feature) for feature in FEATURES)


def test_features_of_the_model_come_before_those_of_the_provider() -> None:
    acme = parse(FULL).providers["acme"]
    assert not acme.offers("required")
    assert acme.offers("seed", "small")
    assert not acme.offers("seed", "large")
    with pytest.raises(KeyError):
        acme.offers("seed", "none-such")
    with pytest.raises(AttributeError):
        acme.offers("sede")


def test_providers_are_frozen_and_keep_their_order() -> None:
    file = parse(FULL)
    assert list(file.providers) == ["acme", "local"]
    with pytest.raises(ValueError, match="frozen"):
        file.providers["acme"].name = "other"


def test_a_pattern_is_checked_only_against_what_is_known() -> None:
    parse(FULL, known_quirks=None, known_scenarios=None)
    with pytest.raises(ConfigError, match=r"no quirk is called 'id-\*'"):
        parse(FULL, known_quirks=["index-missing"])
    with pytest.raises(ConfigError, match=r"no scenario is called 'two_\*'"):
        parse(FULL, known_scenarios=["single_call"])


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"^providers\.yaml: there is no such file; .*--base-url URL --model NAME$"):
        load("providers.yaml")
    with pytest.raises(ConfigError, match=r"^\.: is a folder, not a file$"):
        load(".")
    with pytest.raises(ConfigError, match="cannot be read"):
        load("x" * 5000)
    with pytest.raises(ConfigError, match="cannot be read"):
        load("with\0zero")


def test_all_problems_come_at_once_and_apart() -> None:
    with pytest.raises(ConfigError) as caught:
        parse(b"providers:\n  a: {}\n  b: {base_url: x, models: []}\n")
    assert len(caught.value.problems) == 4
    assert "\n".join(caught.value.problems) == str(caught.value)


KEYS = st.sampled_from(
    ["providers", "acme", "base_url", "models", "headers", "extra_body", "expectations", "source", "features", "name"]
)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(), st.binary(max_size=4)
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=4), inner, max_size=3),
    max_leaves=20,
)


def _survives(data: bytes) -> None:
    problems: tuple[str, ...] | None = None
    try:
        parse(data, known_quirks=["id-missing"], known_scenarios=["two_tools"])
    except ConfigError as error:
        problems = error.problems
    assert problems != ()
    for problem in problems or ():
        assert problem.startswith("providers.yaml:")
        assert "\n" not in problem


@given(st.binary(max_size=200))
@example(b"? ? ? ?")
@example(b"- " * 3000)
@example(b"[" * 50_000)
@example(b"{" * 50_000)
@example(b"a: " + b"9" * 10_000)
@example(b"%YAML 9.9\n---\na")
@example(b"!<x> {}")
@example(b"&" + b"a" * 3000 + b" x")
@example(b"{? [] : {}, ? null : 1, ? 0x1 : 2}")
def test_any_bytes(data: bytes) -> None:
    _survives(data)


@given(st.text(max_size=120))
@example("\u2028: \u0085")
@example("providers: !!set {a}")
@example("providers: !!binary aGk=")
@example("= : =")
def test_any_text(text: str) -> None:
    _survives(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=200)
@given(TREES)
def test_any_tree(tree: object) -> None:
    import yaml

    _survives(yaml.safe_dump({"providers": {"acme": tree}}, allow_unicode=True).encode("utf-8", "surrogatepass"))


@given(st.integers(0, len(FULL) - 1), st.binary(min_size=1, max_size=3), st.booleans())
def test_any_damage_to_a_valid_file(position: int, noise: bytes, insert: bool) -> None:
    _survives(FULL[:position] + noise + FULL[position + (0 if insert else len(noise)) :])


@given(
    st.sampled_from(["sk-", "gsk_", "hf_", "xai-", "nvapi-", "ghp_", "Bearer "]),
    st.text("abcdefghijkABCDEFGHIJK0123456789", min_size=20, max_size=40),
    st.sampled_from(
        [
            "api_key_env: {}",
            "api_key: {}",
            "headers: {{X-A: '{}'}}",
            "query: {{a: '{}'}}",
            "extra_body: {{a: '{}'}}",
            "timeout: {}",
            "verified: {}",
            "base_url: {}",
            "models: {}",
            "'{}': 1",
            "default_model: {}",
            "features: {{seed: '{}'}}",
            "expectations: [{{quirk: '{}'}}]",
            "source: {}",
            "models: *{}",
            "models: !{} x",
            "models: [{}",
            "models: '{}",
        ]
    ),
)
def test_no_message_repeats_a_key(prefix: str, secret: str, place: str) -> None:
    text = "providers:\n  acme:\n    base_url: https://acme.test/v1\n    models: [m]\n    " + place.format(
        prefix + secret
    )
    with pytest.raises(ConfigError) as caught:
        parse(text.encode())
    assert secret not in str(caught.value)


def test_what_a_key_looks_like() -> None:
    for text in ("sk-proj-abcdefghijkl", "x AIza" + "a" * 35, "Bearer abcdefgh12", "AKIA" + "A" * 16):
        assert secrets.is_issued(text), text
        assert secrets.mask(text) != text
    for text in (
        "risk-assessment-of-models",
        "qwen2.5-coder-0.5b-instruct",
        "Bearer ${ACME_KEY}",
        "ask-me-anything-now",
    ):
        assert not secrets.is_issued(text), text
        assert secrets.mask(text) == text
    assert secrets.is_random("9f8e7d6c5b4a39281706f5e4")
    assert not secrets.is_random("accounts/fireworks/models")
    assert not secrets.is_random("${A1B2C3D4E5F6G7H8I9J0K1L2}")
    assert secrets.is_sensitive("X-Api-Key")
    assert secrets.is_sensitive("Authorization")
    assert not secrets.is_sensitive("X-Author")
    assert not secrets.is_sensitive("X-Monkey")


def test_lines_of_what_does_not_exist_are_those_around_it() -> None:
    tree = nodes.read("a:\n  b:\n    - c: 1\n")
    assert tree.line(("a", "b", 0, "c")) == 3
    assert tree.line(("a", "x", "y")) == 1
    assert tree.line(("a", "b", 7)) == 2
    assert tree.line(("z",)) == 1

"""The schema for editors: it is draft-07, it is current, and it agrees with the loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from conformance.errors import ConfigError
from conformance.providers import nodes
from conformance.providers.load import parse
from conformance.providers.models import Expectation, Features, Model, Provider, Source
from conformance.providers.schema import FILE, render, schema
from conformance.quirks import catalogue

ROOT = Path(__file__).parents[2]
QUIRKS = ("index-missing", "id-missing", "id-late")
VALID = """
providers:
  acme:
    base_url: https://acme.test/v1
    models: [m, {name: n, features: {seed: true}}]
    expectations:
      - {quirk: id-*, reason: r, source: {document: d, date: 2026-11-30}}
"""


def valid(text: str, quirks: tuple[str, ...] = QUIRKS) -> bool:
    checker = Draft7Validator(schema(quirks), format_checker=Draft7Validator.FORMAT_CHECKER)
    return bool(checker.is_valid(nodes.read(text).data))


def test_the_file_is_current() -> None:
    slugs = [quirk.slug for quirk in catalogue()]
    assert FILE.read_text(encoding="utf-8") == render(slugs), (
        "run: conformance config schema > conformance/providers/schema.json"
    )


@pytest.mark.parametrize("quirks", [(), QUIRKS])
def test_it_is_a_draft_07_schema(quirks: tuple[str, ...]) -> None:
    document = schema(quirks)
    Draft7Validator.check_schema(document)
    assert document["$schema"] == "http://json-schema.org/draft-07/schema#"
    text = json.dumps(document)
    for newer in ("$defs", "prefixItems", "dependentRequired", "unevaluatedProperties", "$anchor"):
        assert newer not in text


def test_nothing_stands_beside_a_reference() -> None:
    def walk(node: Any) -> None:
        if isinstance(node, dict):
            assert "$ref" not in node or len(node) == 1
            for item in node.values():
                walk(item)
        elif isinstance(node, list):
            for item in node:
                walk(item)

    walk(schema(QUIRKS))


def test_every_field_is_described() -> None:
    definitions = schema()["definitions"]
    for cls in (Expectation, Features, Model, Provider, Source):
        fields = set(cls.model_fields) - ({"name"} if cls is Provider else set())
        described = {
            name for name, field in definitions[cls.__name__]["properties"].items() if field.get("description")
        }
        assert described == fields
        assert definitions[cls.__name__]["description"]


def test_the_projects_own_file_is_valid() -> None:
    text = (ROOT / "providers.yaml").read_text(encoding="utf-8")
    assert valid(text, tuple(quirk.slug for quirk in catalogue()))
    assert text.startswith("# yaml-language-server: $schema=conformance/providers/schema.json\n")


def test_what_is_valid() -> None:
    assert valid(VALID)
    assert valid(VALID.replace("id-*", "id-late"))
    assert valid(VALID.replace("id-*", "anything-goes"), ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("base_url:", "base_ur:"),
        ("acme:", "Acme_1:"),
        ("models: [m, ", "models: [1, "),
        ("{seed: true}", "{seed: 1}"),
        ("{seed: true}", "{sede: true}"),
        ("id-*", "index-mising"),
        ("id-*", "Index"),
        ("reason: r, ", ""),
        ("document: d, ", ""),
        ("document: d, ", "document: d, url: https://a.test, "),
        ("2026-11-30", "soon"),
        ("providers:", "provider:"),
        ("[m, {name: n, features: {seed: true}}]", "[]"),
        ("models:", "timeout: 0\n    models:"),
        ("models:", "api_key_env: acme\n    models:"),
        ("models:", "name: acme\n    models:"),
    ],
)
def test_what_editors_mark_the_loader_refuses(old: str, new: str) -> None:
    broken = VALID.replace(old, new)
    assert broken != VALID
    assert not valid(broken)
    with pytest.raises(ConfigError):
        parse(broken.encode(), known_quirks=QUIRKS)

"""The JSON Schema of `providers.yaml`, made from the models, for completion and checking in editors.

It keeps to what draft-07 knows, because that is what the common YAML language server reads. `schema.json` beside this
file is its output for the current catalogue; `conformance config schema` prints it.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from conformance.providers.models import Expectation, Features, Model, Provider, ProvidersFile, Source

FILE: Final = Path(__file__).with_name("schema.json")
_CLASSES: Final[tuple[type[BaseModel], ...]] = (Expectation, Features, Model, Provider, Source)
_ATTRIBUTE: Final = re.compile(r"((?:\w+, )*\w+): (.*)")


def schema(known_quirks: Collection[str] = ()) -> dict[str, Any]:
    """The schema as a draft-07 document.

    Args:
        known_quirks: slugs offered (and required, patterns aside) for `expectations[].quirk`; empty = any slug.
    """
    document: dict[str, Any] = _draft07(ProvidersFile.model_json_schema())
    definitions = document["definitions"]
    for cls in _CLASSES:
        definition = definitions[cls.__name__]
        definition["description"] = (inspect.getdoc(cls) or "").partition("\n")[0]
        for name, text in _attributes(cls).items():
            plain = definition["properties"][name]
            described = {"allOf": [plain]} if "$ref" in plain else plain  # draft-07 ignores everything beside a $ref
            definition["properties"][name] = {**described, "description": text.replace("None", "null")}
    provider = definitions["Provider"]
    del provider["properties"]["name"]
    provider["required"].remove("name")
    models = provider["properties"]["models"]
    models["items"] = {"anyOf": [{"type": "string", "minLength": 1}, models["items"]]}
    definitions["Source"]["oneOf"] = [{"required": ["url"]}, {"required": ["document"]}]
    if known_quirks:
        quirk = definitions["Expectation"]["properties"]["quirk"]
        pattern = {"pattern": r"^(?=.*[*?])[a-z0-9*?-]+$"}
        quirk["anyOf"] = [{"enum": sorted(known_quirks)}, pattern]
        del quirk["pattern"]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "providers.yaml of conformance",
        "description": "Endpoints to test: where they are, what they offer, and which quirks are expected of them.",
        **document,
    }


def render(known_quirks: Collection[str] = ()) -> str:
    """The schema as the text of `schema.json`."""
    return json.dumps(schema(known_quirks), indent=2, ensure_ascii=False) + "\n"


def _draft07(node: Any) -> Any:
    """Rewrite what pydantic emits for 2020-12 into draft-07, and leave out titles, which repeat the names."""
    if isinstance(node, list):
        return [_draft07(item) for item in node]
    if not isinstance(node, dict):
        return node
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            named = {name: _draft07(item) for name, item in value.items()}
            out["definitions" if key == "$defs" else key] = named
        elif key == "$ref":
            out["allOf"] = [{"$ref": value.replace("#/$defs/", "#/definitions/")}]
        elif key == "default":
            if isinstance(value, str | int | float):  # an empty list or mapping is no news
                out[key] = value
        elif key not in ("title", "description"):
            out[key] = _draft07(value)
    if out.keys() == {"allOf"}:
        return out["allOf"][0]
    if "patternProperties" in out:
        out["additionalProperties"] = False
    return out


def _attributes(cls: type[BaseModel]) -> dict[str, str]:
    """The `Attributes:` section of a class's docstring: name → text."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in (inspect.getdoc(cls) or "").partition("Attributes:\n")[2].split("\n"):
        body = line.strip()
        match = _ATTRIBUTE.fullmatch(body)
        if match and line.startswith("    ") and not line.startswith("     "):
            names = match.group(1).split(", ")
            found |= dict.fromkeys(names, match.group(2))
        elif body:
            found |= {name: f"{found[name]} {body}" for name in names}
    return found

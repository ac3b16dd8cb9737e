"""A scenario's request as it goes to one provider: what it declares not to know is left out, its own fields come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.model import Mode
from conformance.providers.models import Provider


def adapt(body: Mapping[str, Any], provider: Provider, model: str, mode: Mode) -> dict[str, Any]:
    """Fit a request body to a provider.

    `seed`, `parallel_tool_calls` and `tool_choice` are left out where the provider declares that it does not support
    them; then fields are renamed, and `extra_body` of provider and model come over it (null takes a field out).

    Args:
        body: from a scenario.
        provider: whom it goes to.
        model: one of the provider's.
        mode: decides `stream`, which is always sent.
    """
    lacking = {
        "seed": not provider.offers("seed", model),
        "parallel_tool_calls": not provider.offers("parallel", model),
        "tool_choice": body.get("tool_choice") != "auto"
        and not provider.offers(_choice_feature(body.get("tool_choice")), model),
    }
    adapted = {provider.rename.get(name, name): value for name, value in body.items() if not lacking.get(name)}
    for name, value in {**provider.extra_body, **provider.model_named(model).extra_body}.items():
        if value is None:
            adapted.pop(name, None)
        else:
            adapted[name] = value
    return {**adapted, "stream": mode == "stream"}


def _choice_feature(choice: object) -> str:
    if isinstance(choice, dict):
        return "named"
    return "none" if choice == "none" else "required"

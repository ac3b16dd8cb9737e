"""The first line of a run record: what is run, with what."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Final

from conformance.providers.models import Provider
from conformance.providers.resolve import resolve
from conformance.quirks import catalogue
from conformance.run.plan import Plan
from conformance.run.rows import SCHEMA, Header, ProviderRow, ShardRow

DISTRIBUTION: Final = "toolcall-conformance"
_PACKAGES: Final = ("openai", "httpx2", "vcrpy", "pytest", "pytest-recording")


def version() -> str:
    """This package's version; `0` in a tree that was never installed."""
    return _version(DISTRIBUTION) or "0"


def now() -> str:
    """The time, as records write it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def header(plan: Plan, *, strict: bool = False, resumed: Sequence[str] = ()) -> Header:
    """The header for a plan.

    Args:
        plan: what is going to be run.
        strict: `should` findings count as well.
        resumed: when earlier tries of the same run started.
    """
    scenarios = {cell.scenario.name: cell.scenario.title for cell in plan.cells}
    shard: ShardRow | None = {"index": plan.shard.index, "of": plan.shard.of} if plan.shard is not None else None
    made: Header = {
        "type": "header",
        "schema": SCHEMA,
        "version": version(),
        "started": now(),
        "run_mode": plan.run_mode,
        "python": platform.python_version(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "providers": [_provider(plan, provider) for provider in plan.providers],
        "quirks": [{"slug": q.slug, "area": q.area, "level": q.level, "title": q.title} for q in catalogue()],
        "scenarios": [{"name": name, "title": title} for name, title in sorted(scenarios.items())],
        "strict": strict,
        "narrowed": plan.narrowed,
        "cells": len(plan.cells),
        "shard": shard,
        "resumed": list(resumed),
    }
    if plan.via:
        made["via"] = dict(plan.via)
    return made


def _provider(plan: Plan, provider: Provider) -> ProviderRow:
    models = sorted({cell.model for cell in plan.cells if cell.provider.name == provider.name})
    return {
        "name": provider.name,
        # variables stay unresolved: what they hold may be private
        "base_url": resolve(provider, live=False).base_url,
        "models": models or [provider.default.name],
        "verified": provider.verified if isinstance(provider.verified, str) else provider.verified.isoformat(),
        "recorded": provider.name in plan.recorded,
        "selected": provider.name in plan.named,
        "expectations": [
            {
                "quirk": one.quirk,
                "reason": one.reason,
                "source": str(one.source),
                "modes": list(one.modes),
                "scenarios": list(one.scenarios),
                "models": one.models,
                "min_applicable": one.min_applicable,
                "until": one.until.isoformat() if one.until is not None else None,
                "rate": one.rate,
            }
            for one in provider.expectations
        ],
        "source": [str(one) for one in provider.source],
        "left_out": list(plan.left_out.get(provider.name, ())),
    }


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None

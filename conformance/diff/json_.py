"""A comparison for programs, in the form of `diff.schema.json`."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final, cast

from conformance.diff.changes import SCHEMA, CellChange, Diff, RowChange
from conformance.diff.compare import ALPHA
from conformance.diff.night import Night, Seen

SHOWN: Final = 3
"""Findings listed per changed cell, of the side that tells."""


def render(diff: Diff, *, everything: bool = False) -> str:
    """The document.

    Args:
        diff: what to show.
        everything: also counts that differ insignificantly.
    """
    document = {
        "schema": SCHEMA,
        "exit_code": diff.exit_code,
        "strict": diff.strict,
        "old": _night(diff.old),
        "new": _night(diff.new),
        "compared": diff.compared,
        "tested": diff.tested,
        "alpha": ALPHA,
        "unexpected": diff.unexpected,
        "notes": list(diff.notes),
        "rows": [_row(one) for one in diff.rows],
        "cells": [_cell(one) for one in (diff.cells if everything else diff.listed)],
    }
    # ASCII only: ids may hold halves of surrogate pairs, which UTF-8 cannot carry
    return json.dumps(document, indent=1) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    text = resources.files("conformance.diff").joinpath("diff.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _night(night: Night) -> dict[str, Any]:
    return {"name": night.name, "recorded_at": list(night.recorded_at), "versions": list(night.versions)}


def _row(one: RowChange) -> dict[str, Any]:
    return {
        "provider": one.provider,
        "model": one.model,
        "kind": one.kind.slug,
        "unexpected": one.unexpected,
        "resolved": one.resolved,
        "why": one.why,
        "scenarios": list(one.scenarios),
        "found": list(one.found),
    }


def _cell(one: CellChange) -> dict[str, Any]:
    return {
        "provider": one.provider,
        "model": one.model,
        "quirk": one.quirk,
        "level": one.level,
        "kinds": [kind.slug for kind in one.kinds],
        "unexpected": one.unexpected,
        "resolved": one.resolved,
        "expected": one.covered,
        "p": one.p,
        "why": one.why,
        "varies": one.varies,
        "old": _seen(one.old),
        "new": _seen(one.new),
        "evidence": [dict(finding) for finding in one.tells.evidence[:SHOWN]],
    }


def _seen(seen: Seen | None) -> dict[str, Any] | None:
    if seen is None:
        return None
    return {
        "state": seen.state,
        "level": seen.level,
        "unexpected_level": seen.unexpected_level,
        "occurrences": seen.occurrences,
        "applicable": seen.applicable,
        "not_run": seen.not_run,
        "since": seen.since,
    }

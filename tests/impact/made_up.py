"""A small `clients.json` and `quirks.json`, by their schemas, that tests fill with what they need."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema

from conformance.impact.cases import everything
from conformance.impact.document import schema
from conformance.impact.judge import worst
from conformance.quirks import catalogue

Outcomes = Mapping[str, Mapping[str, str]]
"""Outcome by quirk and mode."""


def client(
    key: str,
    outcomes: Outcomes,
    *,
    language: str = "Python",
    judged: bool = True,
    faults: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """A client; each outcome rests on one fault, `faults` or else `<quirk>-fault`, wrong ones with a raw line."""
    entries = []
    for quirk, modes in outcomes.items():
        for mode, outcome in modes.items():
            case: dict[str, Any] = {"fault": faults.get(quirk, f"{quirk}-fault"), "mode": mode, "outcome": outcome}
            if outcome not in ("right", "not-applicable"):
                case |= {"detail": f"what came of {quirk}", "raw": f'{{"case":"{quirk}-fault.{mode}"}}'}
            entries.append({"quirk": quirk, "mode": mode, "outcome": outcome, "faults": [case]})
    return {
        "key": key,
        "name": key.partition(" ")[0],
        "title": key.title(),
        "language": language,
        "package": key.partition(" ")[0],
        "version": "1.2.3",
        "override": None,
        "packages": {},
        "modes": ["stream", "complete"],
        "without_ids": [],
        "without_names": [],
        "runs": "user",
        "home": "https://example.org/client",
        "drives": "ask()",
        "judged": judged,
        "why": "" if judged else "it raised on an honest answer",
        "control": [],
        "outcomes": entries if judged else [],
        "others": [],
    }


def planted(quirk: str, outcome: str, **others: str) -> list[dict[str, Any]]:
    """What came of every real fault that stands for a quirk; `others` by fault, with `_` for `-`, or by mode."""
    (shown,) = [one for one in everything().quirks if one.slug == quirk]
    entries = []
    for mode, names in shown.cases.items():
        faults = [name.rpartition(".")[0] for name in names]
        told = [others.get(fault.replace("-", "_"), others.get(mode, outcome)) for fault in faults]
        cases = [{"fault": fault, "mode": mode, "outcome": one} for fault, one in zip(faults, told, strict=True)]
        entries.append({"quirk": quirk, "mode": mode, "outcome": worst(told), "faults": cases})  # type: ignore[arg-type]
    return entries


def asked(key: str, *entries: list[dict[str, Any]]) -> dict[str, Any]:
    """A client that was asked about real faults."""
    return client(key, {}) | {"outcomes": [one for each in entries for one in each]}


def clients(*those: dict[str, Any], complete: bool = True) -> dict[str, Any]:
    """The document, valid by its schema."""
    slugs = {entry["quirk"] for one in those for entry in one["outcomes"]}
    quirks = [
        {
            "slug": quirk.slug,
            "level": quirk.level,
            "title": quirk.title,
            "faults": [
                {"fault": f"{quirk.slug}-fault", "title": "a fault", "legal": False, "modes": ["stream", "complete"]}
            ],
        }
        for quirk in catalogue()
        if quirk.slug in slugs
    ]
    found = {
        "schema": "conformance/clients/1",
        "made_up": True,
        "version": "0.1.0",
        "catalogue": "0",
        "day": "2026-11-30",
        "complete": complete,
        "outcomes": {},
        "left_out": {},
        "quirks": quirks,
        "clients": list(those),
    }
    jsonschema.validate(found, schema())
    return found


def cell(
    quirk: str,
    recorded: tuple[int, int] = (0, 0),
    published: tuple[int, int] = (0, 0),
    reported: int = 0,
    modes: Sequence[str] = ("stream",),
) -> dict[str, Any]:
    """A cell of a matrix with evidence of the kinds named, in these modes."""
    mode = modes[0]
    return {
        "quirk": quirk,
        "occurrences": recorded[0],
        "applicable": recorded[1],
        "findings": recorded[0] and len(modes),
        "evidence": [{"mode": one} for one in modes] if recorded[0] else [],
        "published": {
            "occurrences": published[0],
            "applicable": published[1],
            "observations": [{"mode": mode}] if published[0] else [],
        }
        if published[1]
        else None,
        "reported": [{"title": "a report", "url": "", "date": "", "says": ""}] * reported,
    }


def row(provider: str, *cells: dict[str, Any], model: str = "m", judged: int = 4, published: int = 0) -> dict[str, Any]:
    """A row of a matrix."""
    return {
        "provider": provider,
        "model": model,
        "exchanges": {"stream": {"judged": judged}, "complete": {"judged": 0}},
        "published": {"exchanges": published} if published else None,
        "cells": list(cells),
    }


def matrix(*rows: dict[str, Any]) -> dict[str, Any]:
    """The parts of a `quirks.json` that a join reads."""
    return {"schema": "conformance/matrix/1", "rows": list(rows)}


def put(folder: Path, said: dict[str, Any], known: dict[str, Any]) -> Path:
    """Write both as files of a folder of reports."""
    folder.mkdir(exist_ok=True)
    (folder / "clients.json").write_text(json.dumps(said), "utf-8")
    (folder / "quirks.json").write_text(json.dumps(known), "utf-8")
    return folder

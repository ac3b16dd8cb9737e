"""`client-provider.json`: client × provider for programs, in the form of `client-provider.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final, cast

from conformance.impact.join import STANDINGS, Hit, Pair, join
from conformance.impact.known import KINDS, Count, Proof, Provider
from conformance.impact.table import Row, Table

SCHEMA: Final = "conformance/client-provider/1"


def render(table: Table, providers: Sequence[Provider]) -> str:
    """The document, a line for each pair, so that a change shows as a change of that line."""
    head: dict[str, Any] = {"schema": SCHEMA, "day": table.day, "complete": table.complete, "standings": STANDINGS}
    lines = [f"{_dump(key)}: {_dump(value)}" for key, value in head.items()]
    lines.append(_listed("clients", [_client(row) for row in table.rows]))
    lines.append(_listed("providers", [_provider(one) for one in providers]))
    lines.append(_listed("pairs", [_pair(one) for one in join(table, providers)]))
    return "{" + ",\n".join(lines) + "}\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    text = resources.files("conformance.impact").joinpath("client-provider.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def hit(one: Hit) -> dict[str, Any]:
    """A quirk that harms, or may."""
    return {"quirk": one.proof.quirk, "outcome": one.outcome, "modes": list(one.modes), "kind": one.kind}


def proof(one: Proof) -> dict[str, Any]:
    """The evidence that a provider has a quirk."""
    return {
        "quirk": one.quirk,
        "recorded": _count(one.recorded),
        "published": _count(one.published),
        "reported": one.reported,
        "modes": sorted(one.modes),
    }


def _count(one: Count | None) -> dict[str, int] | None:
    return {"occurrences": one.occurrences, "applicable": one.applicable} if one is not None else None


def _client(row: Row) -> dict[str, Any]:
    said = row.client
    about = {key: said[key] for key in ("key", "name", "language", "version", "judged")}
    return {**about, "honest_wrong": [{key: case[key] for key in ("request", "mode", "outcome")} for case in row.lost]}


def _provider(one: Provider) -> dict[str, Any]:
    return {
        "provider": one.name,
        "model": one.model,
        "judged": one.judged,
        "published": one.published,
        "quirks": [proof(each) for each in one.proofs.values()],
    }


def _pair(one: Pair) -> dict[str, Any]:
    return {
        "client": one.client.client["key"],
        "provider": one.provider.name,
        "model": one.provider.model,
        "standing": one.standing,
        "worst": {kind: one.worst(kind) for kind in KINDS},
        "silent": [hit(each) for each in one.silent],
        "loud": [hit(each) for each in one.loud],
        "flagged": [hit(each) for each in one.flagged],
        "depends": [hit(each) for each in one.depends],
        "unharmed": len(one.unharmed),
        "unasked": len(one.unasked),
    }


def _listed(key: str, items: Sequence[Mapping[str, Any]]) -> str:
    return f"{_dump(key)}: [\n" + ",\n".join(map(_dump, items)) + "\n]"


def _dump(value: Any) -> str:
    return json.dumps(value)

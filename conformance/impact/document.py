"""`clients.json`: what came of every client and case, in the form of `clients.schema.json`.

The same observations give the same bytes, apart from the day; neither times nor folders are in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.metadata import version
from typing import Any, Final, cast

from conformance.faults import FAULTS
from conformance.impact.cases import LEFT_OUT, Catalogue, Shown
from conformance.impact.drive import Driven
from conformance.impact.judge import OUTCOMES, worst
from conformance.impact.measure import Measured
from conformance.text import visible

SCHEMA: Final = "conformance/clients/1"
_RAW: Final = 2000
"""Characters kept of an adapter's line."""
_WRONG: Final = OUTCOMES.keys() - {"right", "not-applicable"}


def render(measured: Sequence[Measured], catalogue: Catalogue, day: str) -> str:
    """The document, a line for each quirk of each client, so that a change shows as a change of that line.

    Args:
        measured: what came of each client.
        catalogue: what was asked.
        day: when (ISO 8601).
    """
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "made_up": True,
        "version": version("toolcall-conformance"),
        "catalogue": catalogue.digest,
        "day": day,
        "complete": not any(one.driven.interrupted for one in measured),
        "outcomes": dict(OUTCOMES),
        "left_out": dict(LEFT_OUT),
    }
    lines = [f"{_dump(key)}: {_dump(value)}" for key, value in head.items()]
    lines.append(_listed("quirks", [_dump(_quirk(one, catalogue)) for one in catalogue.quirks]))
    lines.append(_listed("clients", [_client(one, catalogue) for one in measured]))
    return "{" + ",\n".join(lines) + "}\n"


def raw(measured: Sequence[Measured]) -> str:
    """JSON Lines: the whole line and the end of standard error of every case that did not come out right."""
    found = []
    for one in measured:
        for name, verdict in one.driven.verdicts.items():
            seen = one.driven.seen.get(name)
            if verdict.outcome != "right" and seen is not None:
                said = {"line": seen.line, "died": seen.died, "stderr": seen.stderr}
                found.append(_dump({"client": one.column.key, "case": name, "outcome": verdict.outcome, **said}))
    return "".join(f"{line}\n" for line in found)


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    text = resources.files("conformance.impact").joinpath("clients.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _quirk(shown: Shown, catalogue: Catalogue) -> dict[str, Any]:
    faults: dict[str, Any] = {}
    for mode, names in shown.cases.items():
        for case in (catalogue.cases[name] for name in names):
            entry = faults.setdefault(case.fault, {"title": case.title, "legal": FAULTS[case.fault].legal, "modes": []})
            entry["modes"].append(mode)
    listed = [{"fault": fault, **entry} for fault, entry in faults.items()]
    return {"slug": shown.slug, "level": shown.level, "title": shown.title, "faults": listed}


def _client(one: Measured, catalogue: Catalogue) -> str:
    client, driven = one.column.client, one.driven
    head: dict[str, Any] = {
        "key": one.column.key,
        "name": client.name,
        "title": client.title,
        "language": client.language,
        "package": client.package,
        "version": driven.hello.get("version"),
        "override": str(one.column.override) if one.column.override else None,
        "packages": dict(sorted((driven.hello.get("packages") or {}).items())),
        "modes": list(driven.hello.get("modes") or []),
        "without_ids": list(driven.without_ids),
        "without_names": list(driven.without_names),
        "runs": client.runs,
        "home": client.home,
        "drives": client.drives,
        "judged": one.judged,
        "why": visible(one.why, 600),
        "control": [_fault(driven, name, catalogue) for name in catalogue.controls if name in driven.verdicts],
    }
    lines = [f"{_dump(key)}: {_dump(value)}" for key, value in head.items()]
    quirks = [_dump(entry) for shown in catalogue.quirks for entry in _outcomes(driven, shown, catalogue)]
    others = [_dump(_fault(driven, name, catalogue)) for name in catalogue.others if name in driven.verdicts]
    lines += [_listed("outcomes", quirks), _listed("others", others)]
    return "{" + ",\n  ".join(lines) + "}"


def _outcomes(driven: Driven, shown: Shown, catalogue: Catalogue) -> list[dict[str, Any]]:
    found = []
    for mode, names in shown.cases.items():
        there = [name for name in names if name in driven.verdicts]
        if there:
            outcome = worst([driven.verdicts[name].outcome for name in there])
            faults = [_fault(driven, name, catalogue) for name in there]
            found.append({"quirk": shown.slug, "mode": mode, "outcome": outcome, "faults": faults})
    return found


def _fault(driven: Driven, name: str, catalogue: Catalogue) -> dict[str, Any]:
    case = catalogue.cases.get(name) or catalogue.controls[name]
    verdict, seen = driven.verdicts[name], driven.seen.get(name)
    honest = {"request": case.name.rpartition(".")[0], "title": case.title}
    said: dict[str, Any] = {"fault": case.fault} if case.fault else honest
    said |= {"mode": case.mode, "outcome": verdict.outcome}
    if verdict.detail:
        said["detail"] = verdict.detail
    if verdict.notes:
        said["notes"] = list(verdict.notes)
    if verdict.outcome in _WRONG and seen is not None and seen.line:
        said["raw"] = visible(seen.line, _RAW)
    return said


def _listed(key: str, items: Sequence[str]) -> str:
    return f"{_dump(key)}: [" + "".join(f"\n    {item}," for item in items).removesuffix(",") + "]"


def _dump(value: str | Mapping[str, Any] | Sequence[Any] | bool | None) -> str:
    return json.dumps(value, ensure_ascii=False)

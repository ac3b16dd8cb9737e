"""The form of each planted answer, by the rules that give recorded ones theirs (`conformance.report.form`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from conformance.impact.cases import Case, everything
from conformance.model import LEVELS, End, Exchange
from conformance.quirks import catalogue, judge
from conformance.quirks.examples import transcript_of
from conformance.quirks.registry import Quirk
from conformance.report.form import Form, says
from conformance.wire.read import read

_CALLS: Final = frozenset(("calls", "two-calls", "continuations"))


@cache
def forms(case: str) -> Mapping[str, Form]:
    """The forms of a planted answer by quirk, each with the gravest level at which the quirk is found in it.

    Args:
        case: `<fault>.<mode>`. One that this version does not serve has no form.
    """
    planted = everything().cases.get(case)
    return _forms(planted) if planted is not None else {}


@cache
def has_calls(quirk: str) -> bool:
    """Whether an answer must hold a call to show a quirk: evidence without a known form may be one without any."""
    return any(not _CALLS.isdisjoint(one.needs) for one in catalogue() if one.slug == quirk)


@cache
def untried(quirk: str) -> bool:
    """Whether the catalogue's own examples show a quirk in a form that no planted answer has."""
    shown = {said for one in catalogue() if one.slug == quirk for said in _examples(one)}
    names = [name for one in everything().quirks if one.slug == quirk for each in one.cases.values() for name in each]
    return bool(names) and not shown <= {found[quirk].says for name in names if quirk in (found := forms(name))}


def _examples(quirk: Quirk) -> set[str]:
    findings = [one for example in quirk.bad for one in judge(transcript_of(example), [quirk]).findings]
    return {says(one.message) for one in findings}


def _forms(case: Case) -> Mapping[str, Form]:
    wire = case.wire
    headers = {"content-type": "text/event-stream" if case.mode == "stream" else "application/json"}
    transcript = read(
        Exchange(
            source=case.name,
            body=wire.body,
            status=wire.status,
            headers=headers | {name.lower(): value for name, value in wire.headers.items()},
            request=case.request,
            asked_mode=case.mode,
            ended=End("early-end") if wire.cut else End(),
        )
    )
    findings = judge(transcript).findings
    found = {one.quirk for one in findings}
    return {
        one.quirk: Form.of(
            case.mode,
            len(transcript.calls),
            found,
            complete=transcript.complete,
            finish=transcript.finish_reason,
            level=one.level,
            message=one.message,
        )
        for one in sorted(findings, key=lambda one: -LEVELS.index(one.level))
    }

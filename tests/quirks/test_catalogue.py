"""Every declaration holds what it promises: good examples are quiet, bad ones show exactly their quirk."""

from __future__ import annotations

import ast
import re

import pytest

from conformance.model import Finding
from conformance.quirks import Example, Quirk, catalogue, judge
from conformance.quirks.examples import transcript_of

QUIRKS = catalogue()


def findings(example: Example) -> tuple[Finding, ...]:
    return judge(transcript_of(example)).findings


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda q: q.slug)
def test_good_examples_are_quiet(quirk: Quirk) -> None:
    assert quirk.good
    for example in quirk.good:
        loud = [f for f in findings(example) if f.level != "info" or f.quirk == quirk.slug]
        assert loud == []


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda q: q.slug)
def test_bad_examples_show_exactly_what_they_say(quirk: Quirk) -> None:
    assert quirk.bad
    shown: set[str] = set()
    for example in quirk.bad:
        found = findings(example)
        assert quirk.slug in {f.quirk for f in found}
        loud = {f.quirk for f in found if f.level != "info"}
        assert loud <= {quirk.slug} | set(quirk.also)
        shown |= {f.quirk for f in found}
    assert set(quirk.also) <= shown, "`also` names a quirk that no bad example shows"


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda q: q.slug)
def test_findings_point_at_the_evidence(quirk: Quirk) -> None:
    for example in quirk.bad:
        for finding in findings(example):
            if finding.quirk != quirk.slug:
                continue
            assert finding.message
            assert not finding.message.endswith(".")
            assert finding.count >= 1
            assert len(finding.actual) <= 200
            assert re.fullmatch(r"(/[^ ]*)?", finding.where.pointer)


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda q: q.slug)
def test_declarations_are_fit_to_print(quirk: Quirk) -> None:
    assert len(quirk.title) <= 80
    assert not re.search(r"\b(should|must|shall)\b", quirk.title)
    assert quirk.doc
    assert quirk.guard
    ast.parse(quirk.guard_python)
    assert quirk.expected
    if quirk.level != "info":
        assert quirk.sources
        assert quirk.report
    for source in (*quirk.sources, *quirk.seen):
        assert source.url.startswith("https://") or "Reference" in source.title


def test_titles_are_unique() -> None:
    assert len({q.title for q in QUIRKS}) == len(QUIRKS)


def test_examples_stay_small() -> None:
    long = [q.slug for q in QUIRKS for e in (*q.good, *q.bad) if len(e.body) > 2500]
    assert long == []

"""What holds for any two nights."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from conformance.diff import issues, json_, markdown, terminal
from conformance.diff.changes import Diff, Kind, RowKind
from conformance.diff.compare import compare
from conformance.diff.night import Night, read
from conformance.report import json_ as matrix_json
from conformance.report.matrix import build
from conformance.run.record import Record
from tests.report.examples import NASTY, QUIRKS, exchange, expectation, finding, missing, provider, record
from tests.report.pages import page_of_markdown

SLUGS = ["index-missing", "comment", "id-duplicated"]
HARMLESS = {"h1", "h2", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "sub"}
VALIDATOR = jsonschema.Draft7Validator(json_.schema())
Text = st.sampled_from(["acme", "beta", NASTY])

findings = st.builds(
    lambda slug, level, expected: finding(slug, level, expected_by="it always did" if expected else None),
    st.sampled_from(SLUGS),
    st.sampled_from(["must", "should", "info"]),
    st.booleans(),
)


@st.composite
def exchanges(draw: st.DrawFn, name: str, sample: int) -> Any:
    scenario, mode = draw(st.sampled_from(["single_call", "two_tools"])), draw(st.sampled_from(["stream", "complete"]))
    fields = {"sample": sample, "model": draw(st.sampled_from(["m1", "m2"]))}
    if draw(st.integers(0, 3)) == 0:
        return {**missing(name, scenario, mode), **fields}
    shown = draw(st.lists(findings, max_size=2, unique_by=lambda one: one["quirk"]))
    applicable = draw(st.lists(st.sampled_from(SLUGS), unique=True))
    return exchange(name, scenario, mode, *shown, applicable=applicable, **fields)


@st.composite
def records(draw: st.DrawFn) -> Record:
    names = draw(st.lists(Text, max_size=3, unique=True))
    rows = [draw(exchanges(name, n)) for name in names for n in range(draw(st.integers(0, 6)))]
    hidden = draw(st.sampled_from(SLUGS))
    stale = [{"provider": name, "quirk": hidden, "applicable": 3} for name in names if draw(st.booleans())]
    return record(
        *rows,
        providers=[
            provider(name, models=["m1"], recorded=draw(st.booleans()), expectations=[expectation("index-missing")])
            for name in names
        ],
        quirks=QUIRKS if draw(st.booleans()) else [one for one in QUIRKS if one["slug"] != hidden],
        stale=stale,
    )


def night(one: Record) -> Night:
    return read("night", json.loads(matrix_json.render(build(one))))


nights = records().map(night)


def kinds(diff: Diff) -> Any:
    cells = {(one.provider, one.model, one.quirk): {kind.slug for kind in one.kinds} for one in diff.cells}
    rows = {(one.provider, one.model, one.kind.slug): (one.why, one.scenarios, one.found) for one in diff.rows}
    return cells, rows, diff.compared, diff.tested


def appearing(seen: Any) -> Any:
    """Seen from the other side, what is gone has appeared, and so has what is only not seen."""
    cells, *rest = seen
    return {key: {"gone" if kind == "not-seen" else kind for kind in found} for key, found in cells.items()}, *rest


def mirrored(diff: Diff) -> Any:
    cells = {(one.provider, one.model, one.quirk): {kind.mirrored for kind in one.kinds} for one in diff.cells}
    rows = {(one.provider, one.model, one.kind.mirrored): (one.why, one.scenarios, one.found) for one in diff.rows}
    return cells, rows, diff.compared, diff.tested


@given(nights)
def test_a_night_differs_in_nothing_from_itself(one: Night) -> None:
    diff = compare(one, one)
    assert (diff.cells, diff.rows, diff.notes, diff.unexpected) == ((), (), (), 0)


@given(nights, nights)
def test_seen_from_the_other_side_it_is_mirrored(old: Night, new: Night) -> None:
    assert appearing(kinds(compare(old, new))) == appearing(mirrored(compare(new, old)))


@given(nights, nights, st.booleans())
def test_the_rules(old: Night, new: Night, strict: bool) -> None:
    diff = compare(old, new, strict=strict)
    counting = ("must", "should") if strict or new.strict else ("must",)
    changed = {(one.provider, one.model, one.quirk): one for one in diff.cells}
    for one in diff.cells:
        assert not (one.unexpected and one.resolved)
        if {Kind.APPEARED, Kind.GONE, Kind.NOT_SEEN} & set(one.kinds):
            assert one.old is not None
            assert one.new is not None
            assert Kind.NOT_SEEN not in one.kinds or not one.resolved
            assert one.old.applicable
            assert one.new.applicable
        assert bool(one.why) == bool({Kind.NEW_ONLY, Kind.OLD_ONLY} & set(one.kinds))
    for key, row in new.rows.items():
        for slug, cell in row.cells.items():
            before = old.rows[key].cells.get(slug) if key in old.rows else None
            if cell.unexpected_level in counting and (before is None or before.unexpected_level not in counting):
                assert changed[*key, slug].unexpected, "nothing red comes in unsaid"
    for key, row in old.rows.items():
        if row.judged and key in new.rows and not new.rows[key].judged:
            assert any((one.provider, one.model) == key and one.unexpected for one in diff.rows)
    assert diff.exit_code == (1 if diff.unexpected else 0 if diff.compared else 5)


@given(nights, nights)
def test_every_view_can_be_made_and_is_safe(old: Night, new: Night) -> None:
    diff = compare(old, new)
    document = json_.render(diff, everything=True)
    VALIDATOR.validate(json.loads(document))
    assert document.isascii()
    for _, line in terminal.lines(diff, everything=True):
        assert line.isprintable()
    for text in (markdown.render(diff, everything=True), *issues.render(diff).values()):
        assert all(character.isprintable() or character == "\n" for character in text)
        tags = set(page_of_markdown(text).tags)
        assert tags <= HARMLESS, "what providers say starts no markup"
    for name in issues.render(diff):
        assert re.fullmatch(r"[a-z0-9-]+\.md", name)


def test_the_schema_knows_every_kind() -> None:
    definitions = json_.schema()["definitions"]
    known = definitions["cell"]["properties"]["kinds"]["items"]["enum"]
    assert set(known) == {kind.slug for kind in Kind} == {kind.mirrored for kind in Kind} | {"not-seen"}
    known = definitions["row"]["properties"]["kind"]["enum"]
    assert set(known) == {kind.slug for kind in RowKind} == {kind.mirrored for kind in RowKind}

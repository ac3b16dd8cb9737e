"""The lines of a run record, as types; `record.schema.json` says the same for other languages."""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

from conformance.model import Finding, Layer, Level, Mode
from conformance.text import LONGEST, bounded
from conformance.wire.shape import ShapeRow

SCHEMA: Final = "conformance/run/1"
"""Names the format in the header; a later format counts on."""

RunMode = Literal["replay", "live", "record"]


class ExpectationRow(TypedDict):
    """A quirk that a provider is expected to have; empty `modes` or `scenarios`, and no `models`, mean all."""

    quirk: str
    reason: str
    source: str
    modes: list[str]
    scenarios: list[str]
    models: NotRequired[str | None]
    min_applicable: NotRequired[int]
    until: NotRequired[str | None]
    rate: NotRequired[float | None]


class ProviderRow(TypedDict):
    """A provider of the run; `recorded`: it has cassettes; `selected`: somebody named it.

    `left_out` are scenarios that need a feature it declares to lack.
    """

    name: str
    base_url: str
    models: list[str]
    verified: str
    recorded: bool
    selected: bool
    expectations: list[ExpectationRow]
    source: list[str]
    left_out: list[str]


class QuirkRow(TypedDict):
    """A quirk that was looked for."""

    slug: str
    area: str
    level: Level
    title: str


class ScenarioRow(TypedDict):
    """A scenario that was planned."""

    name: str
    title: str


class ShardRow(TypedDict):
    """Which part of a run this is: number `index`, from 1, of `of`."""

    index: int
    of: int


class Header(TypedDict):
    """First line: what was run, with what.

    `cells` is how many scenario × model × mode × sample were planned; `narrowed`: scenarios or modes were selected;
    neither such a run nor a `shard` says anything about expectations as a whole. `resumed`: when earlier tries started.
    `via`: by gateway, the provider that its answers come from, where the two were to be compared.
    """

    type: Literal["header"]
    schema: str
    version: str
    started: str
    run_mode: RunMode
    python: str
    packages: dict[str, str]
    providers: list[ProviderRow]
    quirks: list[QuirkRow]
    scenarios: list[ScenarioRow]
    strict: NotRequired[bool]
    narrowed: NotRequired[bool]
    cells: NotRequired[int]
    shard: NotRequired[ShardRow | None]
    resumed: NotRequired[list[str]]
    via: NotRequired[dict[str, str]]


class NotRunRow(TypedDict):
    """Why there is no answer to judge (see `conformance.errors.NotRun`)."""

    reason: str
    detail: str
    fix: str


class EvidenceRow(TypedDict):
    """Where the bytes are: a cassette, relative to the folder that holds `cassettes/`, and the interaction in it."""

    cassette: str
    interaction: int


class WhereRow(TypedDict):
    """A place in a response body (see `conformance.model.Where`)."""

    event: int | None
    byte: int | None
    pointer: str


class FindingDocument(TypedDict):
    """One finding, as in the inspect document (DESIGN §6.1)."""

    quirk: str
    level: Level
    layer: Layer
    message: str
    expected: str
    actual: str
    count: int
    where: WhereRow
    choice: int | None
    call: int | None


class FindingRow(FindingDocument):
    """One finding; `expected_by` is the reason of the expectation that covers it."""

    expected_by: str | None


class CallRow(TypedDict):
    """One assembled tool call."""

    id: str
    name: str
    usable: bool


class AttemptRow(TypedDict):
    """An attempt that was followed by another, `waited_ms` later; `reason` as in `NotRunRow`."""

    status: int | None
    reason: str
    detail: str
    waited_ms: float


class ExchangeRow(TypedDict):
    """One request of a scenario and what came of it; with `not_run`, the fields about the answer are null or empty.

    `attempts` came before the answer that counts, and are in the cassette before it. `shape` is there for a whole
    answer: what the answer to the same request in the other mode is held against.
    """

    type: Literal["exchange"]
    provider: str
    model: str
    scenario: str
    mode: Mode
    step: int
    sample: int
    source: str
    not_run: NotRunRow | None
    evidence: EvidenceRow | None
    recorded_at: str | None
    status: int | None
    answered_mode: Mode | None
    complete: bool | None
    finish_reason: str | None
    calls: list[CallRow]
    bytes: int | None
    sha256: str | None
    duration_ms: float | None
    applicable: list[str]
    findings: list[FindingRow]
    attempts: NotRequired[list[AttemptRow]]
    shape: NotRequired[ShapeRow]


class StaleRow(TypedDict):
    """An expectation that enough exchanges disproved, or (`found` above 0) that is met more often than it says."""

    provider: str
    quirk: str
    applicable: int
    found: NotRequired[int]


class RateRow(TypedDict):
    """How often a quirk shows where exchanges were repeated: a count, and the 95 % interval (Wilson) of its rate."""

    provider: str
    model: str
    quirk: str
    occurrences: int
    applicable: int
    low: float
    high: float
    flaky: bool


class Footer(TypedDict):
    """Last line: only a finished run has it; `rates` only where exchanges were repeated."""

    type: Literal["footer"]
    exchanges: int
    finished: str
    unexpected: int
    stale: list[StaleRow]
    not_run: int
    exit_code: int
    rates: NotRequired[list[RateRow]]


Row = Header | ExchangeRow | Footer


def finding_document(finding: Finding) -> FindingDocument:
    """What the inspect document and the run record say about one finding, whatever a provider has put into it.

    Texts are `conformance.text.bounded`; a pointer that is too long leads to the nearest value around its place.
    """
    return {
        "quirk": finding.quirk,
        "level": finding.level,
        "layer": finding.layer,
        "message": bounded(finding.message),
        "expected": bounded(finding.expected),
        "actual": bounded(finding.actual),
        "count": finding.count,
        "where": {"event": finding.where.event, "byte": finding.where.byte, "pointer": _around(finding.where.pointer)},
        "choice": finding.choice,
        "call": finding.call,
    }


def _around(pointer: str) -> str:
    return pointer if len(pointer) <= LONGEST else pointer[: LONGEST + 1].rpartition("/")[0]


def order(row: ExchangeRow) -> tuple[Any, ...]:
    """Sort key of exchange lines, so that a record does not depend on who finished first."""
    return (row["provider"], row["model"], row["scenario"], row["mode"], row["sample"], row["step"])

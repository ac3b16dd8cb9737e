"""Which exchanges a run is made of: providers × models × scenarios × modes, each with the cassette it lives in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from conformance.errors import ConfigError, SelectionError
from conformance.model import Mode
from conformance.providers.checks import unknown
from conformance.providers.models import Provider, ProvidersFile
from conformance.providers.select import select
from conformance.run.rows import RunMode
from conformance.scenarios import Scenario

BUDGET: Final = "budget"
"""Reason of cells that were left because a limit on requests or time was reached."""

ALL: Final = "all"
"""In place of a provider's name: every provider of the file, none of them named."""

LOCAL: Final = "local"
"""Name of an endpoint that was given by address alone."""

GATEWAY: Final = "gateway"
"""Name of a gateway that was given by address."""


@dataclass(frozen=True, slots=True, repr=False)
class Cell:
    """One scenario with one model in one mode: what one pytest item measures.

    Attributes:
        provider, model, scenario, mode: what is sent to whom.
        sample: repetition, from 0.
    """

    provider: Provider
    model: str
    scenario: Scenario
    mode: Mode
    sample: int = 0

    @property
    def id(self) -> str:
        """Its name in pytest: provider, model unless it is the provider's default, scenario, mode, repetition."""
        model = "" if self.is_default else f"-{slug(self.model)}"
        sample = f"-{self.sample}" if self.sample else ""
        return f"{self.provider.name}{model}-{self.scenario.name}-{self.mode}{sample}"

    @property
    def is_default(self) -> bool:
        """Whether its model is the one the provider's cassettes are of unless they say otherwise."""
        return self.model == self.provider.default.name

    @property
    def folder(self) -> str:
        """Folder of its cassette below `cassettes/`."""
        return self.provider.name if self.is_default else f"{self.provider.name}/{slug(self.model)}"

    @property
    def cassette_name(self) -> str:
        """Name of its cassette, without suffix."""
        return f"{self.scenario.name}.{self.mode}{f'.{self.sample}' if self.sample else ''}"

    @property
    def place(self) -> str:
        """`provider/scenario/mode`, as messages say it."""
        model = "" if self.is_default else f"/{self.model}"
        return f"{self.provider.name}{model}/{self.scenario.name}/{self.mode}"

    def __repr__(self) -> str:
        # pytest prints parameters into reports; a provider's headers have no business there
        return self.id


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of a plan: number `index`, from 1, of `of`."""

    index: int
    of: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does.

    Attributes:
        run_mode: where exchanges come from.
        cassettes: the folder of the cassettes.
        providers: every provider that gets a row, in the file's order.
        named: providers that somebody named; a cell of theirs that cannot run makes the run red.
        recorded: providers that have cassettes.
        cells: in the order of their ids.
        left_out: by provider, scenarios that it declares not to support.
        narrowed: scenarios or modes were selected, so that the run says nothing about expectations as a whole.
        shard: which part of the plan this is; None for the whole.
        over_budget: ids of cells that the limit on requests leaves no room for; they are not run.
        via: by gateway, the provider that its answers come from, where the two are compared.
    """

    run_mode: RunMode
    cassettes: Path
    providers: tuple[Provider, ...]
    named: frozenset[str]
    recorded: frozenset[str]
    cells: tuple[Cell, ...]
    left_out: Mapping[str, tuple[str, ...]]
    narrowed: bool
    shard: Shard | None = None
    over_budget: frozenset[str] = frozenset()
    via: Mapping[str, str] = field(default_factory=dict)

    def has_to_run(self, provider: str) -> bool:
        """Whether a cell of this provider that is not run makes the run red; see `outcome.must_run`."""
        return self.run_mode != "replay" or provider in self.named or provider in self.recorded

    def cassette(self, cell: Cell) -> Path:
        """The file of a cell's cassette."""
        return _cassette(self.cassettes, cell)

    def evidence(self, cell: Cell) -> str:
        """The same as reports name it, relative to the folder that holds the folder of the cassettes."""
        return f"{self.cassettes.name}/{cell.folder}/{cell.cassette_name}.yaml"


def make_plan(
    providers: Sequence[Provider],
    scenarios: Sequence[Scenario],
    *,
    cassettes: Path,
    run_mode: RunMode = "replay",
    named: Collection[str] = (),
    model: str | None = None,
    modes: Collection[Mode] = (),
    samples: int = 1,
    narrowed: bool = False,
    shard: Shard | None = None,
    max_requests: int | None = None,
    via: Mapping[str, str] | None = None,
    via_model: str | None = None,
) -> Plan:
    """Plan a run.

    Args:
        providers: as selected (`select_providers`).
        scenarios: as selected.
        cassettes: the folder of the cassettes.
        run_mode: where exchanges come from.
        named: names of the providers that somebody named.
        model: another model than each provider's default.
        modes: which modes; none means both.
        samples: how often each cell is repeated; a replay plays all that are recorded.
        narrowed: `scenarios` is a selection.
        shard: which part to plan. Parts do not overlap, make up the whole, and hold about as much of each provider.
        max_requests: how many requests may be sent; cells beyond are planned, and not run.
        via: by gateway, the provider that its answers come from.
        via_model: another model than each gateway's default; `model` is for the others.

    Raises:
        ConfigError: a provider has no such model.
        SelectionError: nothing is left to do.
    """
    cells: list[Cell] = []
    left_out: dict[str, tuple[str, ...]] = {}
    for provider in providers:
        wanted_model = via_model if via and provider.name in via else model
        chosen = provider.default.name if wanted_model is None else _model(provider, wanted_model)
        lacking = []
        for scenario in scenarios:
            wanted = [m for m in scenario.modes if not modes or m in modes]
            fit = [m for m in wanted if _offers(provider, chosen, scenario, m)]
            if wanted and not fit:
                lacking.append(scenario.name)
            for fitting in fit:
                first = Cell(provider, chosen, scenario, fitting)
                many = _recorded(cassettes, first) if run_mode == "replay" else samples
                cells.extend(replace(first, sample=number) for number in range(many))
        if lacking:
            left_out[provider.name] = tuple(lacking)
    if not cells:
        raise SelectionError(_nothing(providers, scenarios, modes, left_out))
    cells.sort(key=lambda cell: cell.id)
    if shard is not None:
        cells = _part(cells, shard)
        if not cells:
            raise SelectionError(f"shard {shard.index}/{shard.of} is empty: there are fewer scenarios than shards")
    return Plan(
        run_mode=run_mode,
        cassettes=cassettes,
        providers=tuple(providers),
        named=frozenset(named),
        recorded=frozenset(p.name for p in providers if _has_cassettes(cassettes / p.name)),
        cells=tuple(cells),
        left_out=left_out,
        narrowed=narrowed or bool(modes),
        shard=shard,
        over_budget=frozenset() if max_requests is None else _beyond(cells, max_requests),
        via=via or {},
    )


def select_providers(known: ProvidersFile, names: Sequence[str]) -> tuple[tuple[Provider, ...], frozenset[str]]:
    """The providers somebody asked for, in the file's order, and the names of those that were really named.

    Args:
        known: what there is.
        names: names or patterns as given, each possibly a comma-separated list; `all`, or nothing, is every provider.

    Raises:
        ConfigError: a name is unknown (the message suggests the nearest one).
        SelectionError: a pattern matches nothing, or no name is given.
    """
    wanted = split(names)
    if names and not wanted:
        raise SelectionError(f"--provider is given without a name; name a provider, or {ALL!r}")
    asked = [name for name in wanted if name != ALL]
    named = tuple(one.provider for one in select(known, asked)) if asked else ()
    everything = tuple(known.providers.values())
    return named if named and ALL not in wanted else everything, frozenset(p.name for p in named)


def split(texts: Sequence[str]) -> list[str]:
    """The names in options that may be repeated and may hold comma-separated lists."""
    return [name for text in texts for name in map(str.strip, text.split(",")) if name]


def slug(text: str) -> str:
    """A model's name as it can stand in ids and file names."""
    return re.sub(r"[^A-Za-z0-9._]+", "_", text).strip("._") or "_"


def _part(cells: Sequence[Cell], shard: Shard) -> list[Cell]:
    """Whole scenarios, so that both modes of one are in the same part."""
    parts: dict[tuple[str, str], int] = {}
    dealt: Counter[str] = Counter()
    for cell in cells:
        group = (cell.provider.name, cell.scenario.name)
        if group not in parts:
            parts[group] = dealt[cell.provider.name] % shard.of
            dealt[cell.provider.name] += 1
    return [cell for cell in cells if parts[cell.provider.name, cell.scenario.name] == shard.index - 1]


def _beyond(cells: Sequence[Cell], requests: int) -> frozenset[str]:
    """Cells that do not fit any more, each counted with all its steps, so that the limit holds however they go."""
    beyond = set()
    for cell in cells:
        if cell.scenario.steps > requests:
            beyond.add(cell.id)
        else:
            requests -= cell.scenario.steps
    return frozenset(beyond)


def _model(provider: Provider, model: str) -> str:
    names = [one.name for one in provider.models]
    if model not in names:
        raise ConfigError(f"{provider.name}: {unknown('model', model, names)}")
    return model


def _offers(provider: Provider, model: str, scenario: Scenario, mode: Mode) -> bool:
    needed = [*scenario.features, *(["stream"] if mode == "stream" else [])]
    return all(provider.offers(feature, model) for feature in needed)


def _cassette(folder: Path, cell: Cell) -> Path:
    return folder / cell.folder / f"{cell.cassette_name}.yaml"


def _recorded(folder: Path, first: Cell) -> int:
    """How often a cell was recorded; at least 1, as what is missing has to show."""
    number = 1
    while _cassette(folder, replace(first, sample=number)).exists():
        number += 1
    return number


def _has_cassettes(folder: Path) -> bool:
    return any(folder.rglob("*.yaml"))


def _nothing(
    providers: Sequence[Provider],
    scenarios: Sequence[Scenario],
    modes: Collection[Mode],
    left_out: Mapping[str, Sequence[str]],
) -> str:
    names = ", ".join(p.name for p in providers) or "no provider"
    if left_out:
        return f"nothing is left to run: {names} declares in its features that it does not support what was selected"
    wanted = ", ".join(s.name for s in scenarios) or "no scenario"
    return f"nothing is left to run: {wanted} with {names} in mode {' or '.join(sorted(modes)) or 'any'} is no exchange"

"""Many clients, several at once: make their environments, ask them everything, keep what came of it."""

from __future__ import annotations

import concurrent.futures
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from conformance.errors import ConfigError, NotRun
from conformance.impact.adapter import Limits
from conformance.impact.cases import Catalogue
from conformance.impact.children import Children, Stopped
from conformance.impact.drive import Driven, drive
from conformance.impact.environment import prepare
from conformance.impact.folders import Client
from conformance.impact.judge import harm
from conformance.impact.locks import Override, holds
from conformance.impact.steady import FORM
from conformance.impact.store import Store


@dataclass(frozen=True, slots=True)
class Column:
    """A client in one version.

    Attributes:
        client: the client.
        override: a distribution in another version than its lock's; None for the lock as it stands.
    """

    client: Client
    override: Override | None = None

    @property
    def key(self) -> str:
        """Names it: `langchain-openai`, `langchain-openai (openai==3.13.0)`."""
        return self.client.name if self.override is None else f"{self.client.name} ({self.override})"


@dataclass(frozen=True, slots=True)
class Measured:
    """A column and what came of it."""

    column: Column
    driven: Driven

    @property
    def judged(self) -> bool:
        """Whether at least one honest answer came out right and nothing ended the measurement early."""
        return not self.driven.why and any(
            verdict.outcome == "right" for name, verdict in self.driven.verdicts.items() if name.startswith("honest-")
        )

    @property
    def why(self) -> str:
        """Why it is not judged, `""` if it is."""
        if self.driven.why or self.judged:
            return self.driven.why
        wrong = max(self.driven.verdicts.values(), key=lambda verdict: harm(verdict.outcome), default=None)
        came = f"{wrong.outcome}: {wrong.detail}".removesuffix(": ") if wrong else "nothing"
        return f"it does not come to the right calls on an honest answer: {came}"


@dataclass(frozen=True, slots=True)
class Settings:
    """How to measure.

    Attributes:
        cache: folder for environments and observations.
        jobs: clients at once.
        fresh: ask again what was seen before.
        limits: what each adapter may take.
    """

    cache: Path
    jobs: int
    fresh: bool = False
    limits: Limits = field(default_factory=Limits)


def columns(clients: Sequence[Client], versions: Sequence[Override]) -> list[Column]:
    """What is to be measured.

    Args:
        clients: the clients selected.
        versions: in place of the locks as they stand; they concern the Python clients whose lock pins the distribution.

    Raises:
        ConfigError: no client's lock pins a distribution.
    """
    if not versions:
        return [Column(client) for client in clients]
    found = [Column(c, one) for c in clients for one in versions if _pinned(c, one.distribution)]
    missing = {one.distribution for one in versions} - {c.override.distribution for c in found if c.override}
    if missing:
        raise ConfigError(f"--versions: no lock of the Python clients selected pins {' or '.join(sorted(missing))}")
    return found


def measure(
    columns: Sequence[Column],
    catalogue: Catalogue,
    settings: Settings,
    tell: Callable[[Measured], None] = lambda _: None,
    step: Callable[[Column], None] = lambda _: None,
) -> list[Measured]:
    """Measure all columns.

    Args:
        columns: what to measure.
        catalogue: what to ask.
        settings: how.
        tell: is told each column as it comes, on the caller's thread.
        step: is told after each case which column it was, on any thread.

    Returns:
        One for each column, in order. After a Ctrl-C they are there as well: what had not come to its end says that it
        was interrupted.
    """
    children = Children()
    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        futures = {
            pool.submit(_one, column, catalogue, settings, children, partial(step, column)): column
            for column in columns
        }
        try:
            for done in concurrent.futures.as_completed(futures):
                tell(done.result())
        except BaseException as problem:
            children.stop()
            if not isinstance(problem, KeyboardInterrupt):
                raise
    return [future.result() for future in futures]


def _one(
    column: Column, catalogue: Catalogue, settings: Settings, children: Children, step: Callable[[], None]
) -> Measured:
    client = column.client
    try:
        ready = prepare(client, settings.cache, children, column.override)
        path = None
        if ready.key:
            key = hashlib.sha256(f"{FORM} {ready.key} {client.digest}".encode()).hexdigest()
            path = settings.cache / "seen" / f"{client.name}-{key[:16]}.jsonl"
        store = Store(path, settings.fresh)
        return Measured(column, drive(client.name, ready, catalogue, store, settings.limits, children, step))
    except (NotRun, ConfigError) as problem:
        return Measured(column, Driven(why=str(problem).removeprefix(f"{client.name}: ")))
    except Stopped:
        return Measured(column, Driven(why="interrupted", interrupted=True))


def _pinned(client: Client, distribution: str) -> bool:
    lock = client.folder / "requirements.lock"
    return client.kind == "python" and lock.exists() and holds(lock.read_text("utf-8"), distribution)

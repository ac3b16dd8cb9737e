"""Whether a client folder keeps the protocol: for whoever writes one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from conformance.impact.adapter import Adapter, Limits
from conformance.impact.cases import Catalogue, everything
from conformance.impact.children import Children
from conformance.impact.drive import drive
from conformance.impact.environment import prepare
from conformance.impact.folders import Client
from conformance.impact.store import Store

_ASKED: Final = ("honest-one", "honest-two", "honest-text")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: whether it is as it should be, and what it is."""

    good: bool
    says: str


def check(client: Client, cache: Path, limits: Limits) -> Iterator[Check]:
    """Start an adapter, ask it honest answers, and let it end.

    Args:
        client: the folder.
        cache: folder for environments.
        limits: what the adapter may take.

    Raises:
        NotRun: its environment cannot be had, or it cannot be started.
    """
    children = Children()
    ready = prepare(client, cache, children)
    honest = {name: case for name, case in everything().controls.items() if name.rpartition(".")[0] in _ASKED}
    driven = drive(client.name, ready, Catalogue(honest, {}, (), ()), Store(None), limits, children)
    if driven.hello:
        modes = " and ".join(driven.hello["modes"])
        yield Check(True, f"it greets as {driven.hello['name']} {driven.hello['version']}, modes {modes}")
    for name, verdict in driven.verdicts.items():
        good = verdict.outcome in ("right", "not-applicable")
        yield Check(good, f"{name}: {verdict.outcome}" + (f": {verdict.detail}" if verdict.detail else ""))
    if driven.why:
        yield Check(False, driven.why)
        return
    with tempfile.TemporaryDirectory(prefix="conformance-client-") as home:
        code = Adapter(client.name, ready, Path(home), limits, children).close()
    ended = "does not end" if code is None else f"ends with exit code {code}"
    yield Check(code == 0, f"at the end of its standard input it {ended}")

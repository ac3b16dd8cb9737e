"""Whether a client folder keeps the protocol: for whoever writes one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from conformance.errors import NotRun
from conformance.impact.adapter import Adapter, Limits
from conformance.impact.asks import HONEST, Ask, asks, failure
from conformance.impact.cases import Catalogue, everything
from conformance.impact.children import Children
from conformance.impact.drive import asking, drive
from conformance.impact.environment import Ready
from conformance.impact.store import Store
from conformance.text import plural

_ASKED: Final = ("honest-one", "honest-two", "honest-text")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: whether it is as it should be, and what it is, on one line or several."""

    good: bool
    says: str


def check(name: str, ready: Ready, limits: Limits) -> Iterator[Check]:
    """Start an adapter, ask it honest answers, and let it end.

    Args:
        name: of the client.
        ready: what starts its adapter.
        limits: what the adapter may take.

    Raises:
        NotRun: it cannot be started.
    """
    children = Children()
    honest = {case: one for case, one in everything().controls.items() if case.rpartition(".")[0] in _ASKED}
    driven = drive(name, ready, Catalogue(honest, {}, (), ()), Store(None), limits, children)
    if driven.hello:
        modes = " and ".join(driven.hello["modes"])
        yield Check(True, f"it greets as {driven.hello['name']} {driven.hello['version']}, modes {modes}")
    for case, verdict in driven.verdicts.items():
        good = verdict.outcome in ("right", "not-applicable")
        yield Check(good, f"{case}: {verdict.outcome}" + (f": {verdict.detail}" if verdict.detail else ""))
    if driven.why:
        yield Check(False, driven.why)
        return
    with tempfile.TemporaryDirectory(prefix="conformance-client-") as home:
        code = Adapter(name, ready, Path(home), limits, children).close()
    ended = "does not end" if code is None else f"ends with exit code {code}"
    yield Check(code == 0, f"at the end of its standard input it {ended}")


def check_quirks(name: str, ready: Ready, limits: Limits, chosen: list[Ask]) -> Iterator[Check]:
    """Ask an adapter for every answer, and compare with what is right.

    Args:
        name: of the client.
        ready: what starts its adapter.
        limits: what the adapter may take.
        chosen: what to ask.

    Yields:
        What is wrong, and a count of everything. That none of it could be asked is wrong as well.
    """
    right = wrong = silent = 0
    with asking(name, ready, limits, Children()) as ask:
        for one in chosen:
            for case in one.cases:
                try:
                    verdict, seen = ask(case)
                except NotRun as problem:
                    yield Check(False, problem.detail)
                    return
                if verdict.outcome == "not-applicable":
                    silent += 1
                elif verdict.outcome == "right":
                    right += 1
                else:
                    wrong += 1
                    yield Check(False, failure(one, case, verdict, seen.line if seen is not None else ""))
    counted = f"{plural(right + wrong, 'answer')}: {right} right, {wrong} wrong; {silent} that it cannot be asked"
    yield Check(bool(right) and not wrong, counted)


def quirks(slugs: tuple[str, ...]) -> list[Ask]:
    """What `check_quirks` asks: all, or these only; honest answers always.

    Raises:
        ConfigError: clients are not asked about one that is named.
    """
    return asks((HONEST, *slugs) if slugs else ())

"""A cassette in use: plays what is recorded, records what is not, and never mixes the two up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from vcr import VCR
from vcr.cassette import Cassette
from vcr.record_mode import RecordMode
from vcr.request import Request

from conformance import text
from conformance.errors import CassetteCorrupt, CassetteMissing, CassetteStale
from conformance.transport.cassette_file import METADATA, shown
from conformance.transport.cassettes import REWRITE, configure, problem_with, vcr_options
from conformance.transport.interaction import Labels, from_vcr, to_vcr
from conformance.transport.matching import difference
from conformance.transport.received import Received

_MODES: Final = {"replay": "none", "record": REWRITE}


class Store:
    """What `send` plays from and records to.

    Args:
        cassette: vcrpy's, from the `vcr` fixture, configured by `cassettes.configure` and `cassettes.vcr_options`.
    """

    def __init__(self, cassette: Cassette) -> None:
        self._cassette = cassette
        self._loaded = len(cassette)
        self._abandoned = False
        self._labels: Labels | None = None

    @classmethod
    @contextmanager
    def open(cls, path: str | Path, mode: str = "replay") -> Iterator[Store]:
        """Open a cassette without pytest.

        Args:
            path: the file.
            mode: `replay`, `record` (ask for everything again, then replace the file), or one of vcrpy's.

        Raises:
            CassetteStale: at the end: recorded exchanges were not asked for.
            CassetteError: at the end: the file cannot be written.
        """
        mode = _MODES.get(mode, mode)
        vcr = VCR()
        configure(vcr)
        with vcr.use_cassette(str(path), **{"record_mode": mode, **vcr_options(mode)}) as cassette:
            store = cls(cassette)
            try:
                yield store
            except BaseException:
                store.discard()
                raise
            store.check_played()

    def take(self, request: Request, labels: Labels, fetch: Callable[[], Received]) -> Received:
        """Answer a request from the cassette, or fetch and record the answer, as the record mode says.

        Args:
            request: redacted, as the cassette would hold it.
            labels: what the exchange belongs to.
            fetch: asks the server; what it returns is redacted.

        Raises:
            CassetteMissing, CassetteStale, CassetteCorrupt: there is nothing to play, and the mode forbids asking.
            NotRun: from `fetch`; what was recorded so far is dropped, and an older file stays as it is.
        """
        cassette = self._cassette
        self._labels = labels
        if not self._rewrites and (problem := problem_with(cassette.path)) is not None:
            raise CassetteCorrupt(f"{problem}; restore it, or {_again(labels)}")
        if not self._rewrites and (owner := self._owner(labels)):
            raise CassetteCorrupt(
                f"{self._name} was recorded for {owner}, so it says nothing about {_cell(labels)}; "
                f"restore it, or {_again(labels)}"
            )
        if cassette.can_play_response_for(request):
            return from_vcr(cassette.play_response(request))
        if cassette.write_protected:
            raise self._not_recorded(request, labels)
        try:
            received = fetch()
        except BaseException:
            self.discard()
            raise
        if not self._abandoned:
            cassette.append(request, to_vcr(received, request, labels))
        return received

    def save(self) -> None:
        """Put what was recorded in its place now: vcrpy would do so only after the test has been reported.

        Raises:
            CassetteError: it cannot be written; an older recording is untouched.
        """
        if self._cassette.dirty:
            self._cassette._save()

    def repeats(self) -> bool:
        """Whether the next recorded exchange answers the same request as the one just played."""
        counts = self._cassette.play_counts
        played: list[int] = [number for number in range(self._loaded) if counts[number]]
        after = played[-1] + 1 if played else self._loaded
        if after >= self._loaded or counts[after]:
            return False
        before, this = (self._cassette.requests[number] for number in (after - 1, after))
        return bool((before.method, before.uri, before.body) == (this.method, this.uri, this.body))

    def discard(self) -> None:
        """Forget what was recorded, now and later: the file stays as it was."""
        self._abandoned = True
        del self._cassette.data[self._loaded :]
        self._cassette.dirty = False

    def unplayed(self) -> int:
        """How many recorded exchanges were not asked for; 0 while everything is recorded anew."""
        if self._abandoned or self._cassette.record_mode == RecordMode.ALL:
            return 0
        return sum(1 for number in range(self._loaded) if not self._cassette.play_counts[number])

    def check_played(self) -> None:
        """Complain about exchanges that were not asked for.

        Raises:
            CassetteStale: there are some.
        """
        if left := self.unplayed():
            raise CassetteStale(
                f"{self._name}: {left} of {self._loaded} recorded exchanges were not asked for; {_again(self._labels)}"
            )

    @property
    def _name(self) -> str:
        return shown(Path(self._cassette.path))

    def _owner(self, labels: Labels) -> str:
        """Whom the recorded exchanges belong to, if not to these labels: the file was copied, or its folder renamed."""
        for response in self._cassette.responses[: self._loaded]:
            own = response[METADATA]
            if (own.get("provider"), own.get("scenario")) != (labels.provider, labels.scenario):
                return f"{own.get('provider')}/{own.get('scenario')}"
        return ""

    @property
    def _rewrites(self) -> bool:
        return bool(self._cassette.record_mode == RecordMode.ALL and self._cassette.drop_unused_requests)

    def _not_recorded(self, request: Request, labels: Labels) -> CassetteMissing | CassetteStale:
        if not self._loaded:
            return CassetteMissing(f"{self._name} is not there; {_again(labels, 'record it')}")
        unplayed: list[Any] = [n for n in range(self._loaded) if not self._cassette.play_counts[n]]
        if not unplayed:
            return CassetteStale(
                f"{self._name}: all {self._loaded} recorded exchanges are played, and one more request is made; "
                f"{_again(labels)}"
            )
        recorded = self._cassette.requests[unplayed[0]]
        return CassetteStale(
            f"{self._name}: the request differs from the recorded one (exchange {unplayed[0]}); {_again(labels)}\n"
            f"{difference(request, recorded)}"
        )


def _cell(labels: Labels) -> str:
    return f"{labels.provider}/{labels.scenario}"


def _again(labels: Labels | None, advice: str = "record it again") -> str:
    if labels is None or not labels.provider:
        return advice
    who, what = text.option("--provider", labels.provider), text.option("--scenario", labels.scenario)
    return f"{advice}: {text.command('conformance', 'run', *who, *what, '--mode', labels.mode, '--record')}"

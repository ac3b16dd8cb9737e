"""Auditing many small exchanges: what one costs as their number grows, what workers bring, what memory they take.

The exchanges are captures of about 2 KB, generated, as JSON Lines.

1. Growth. While one process audits a large file, it audits a file of 1,000 exchanges again and again between the
   pieces; a slow moment of the machine slows both. Printed for each power of ten: CPU time of an exchange there as a
   multiple of one among the 1,000, median over the pieces. The target is that they stay within 10 % of each other.
2. Workers. `conformance audit --workers 1` and `--workers 2` on the same file, in turn, by the clock; median of 3
   rounds. Both must come to the same result. Start-up included.
3. Memory. The most that any process of these held. The target is 200 MB.

`--full` goes on to 1,000,000 exchanges (2.6 GB of temporary files, several minutes).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from captures import write
from measure import duration, figure, ratio
from processes import Taken, watch

from conformance.audit.engine import audit
from conformance.audit.scan import Rule, Scanned
from conformance.audit.tally import Tally
from conformance.quirks import catalogue

SIZES: Final = (1_000, 10_000, 100_000)
MANY: Final = 100_000
FULL: Final = 1_000_000
ENOUGH: Final = 90_000
"""Smaller files are audited until so many exchanges have been counted."""
ROUNDS: Final = 3
SELDOM: Final = 8
"""Beyond `MANY` only every eighth piece is compared."""


class Growth:
    """Compares what an exchange costs in a large audit with what it costs in a small one before and after the piece.

    Attributes:
        relative: the one as a multiple of the other, for each piece that was compared, with how many exchanges had been
            counted by then.
        alone: CPU seconds of an exchange in the small audit, each time it was asked.
    """

    def __init__(self, small: str) -> None:
        self.relative: list[tuple[int, float]] = []
        self.alone: list[float] = []
        self._small = small
        self._pieces = 0
        self._before: float | None = self._ask()
        self._begun = time.process_time()

    def __call__(self, total: Tally, scanned: Scanned) -> None:
        """Told after each piece."""
        each = (time.process_time() - self._begun) / scanned.tally.exchanges
        often = total.exchanges <= MANY
        self._pieces += 1
        before, after = self._before, None
        if often or self._pieces % SELDOM in (0, SELDOM - 1):
            after = self._ask()
        if before is not None and after is not None:
            self.relative.append((total.exchanges, each * 2 / (before + after)))
        self._before = after
        self._begun = time.process_time()

    def _ask(self) -> float:
        start = time.process_time()
        exchanges = audit([self._small], Rule()).exchanges
        self.alone.append((time.process_time() - start) / exchanges)
        return self.alone[-1]


def growth(files: Mapping[int, Path]) -> None:
    """Print what an exchange costs in an audit of each size; the smallest is the measure of all."""
    (alone, small), *larger = sorted(files.items())
    audit([str(small)], Rule())
    costs = [1.0]
    for count, path in larger:
        relative: list[float] = []
        for _ in range(max(1, ENOUGH // count)):
            seen = Growth(str(small))
            if audit([str(path)], Rule(), sink=seen).exchanges != count:
                raise SystemExit("not every exchange was counted")
            relative += [cost for number, cost in seen.relative if number > count / 10]
        costs.append(statistics.median(relative))
        print(f"an exchange among {alone:,}: {duration(seen.alone)}; among {count:,}: {figure(costs[-1])} times that")
    print(f"growth: ratio {figure(max(costs) / min(costs))} between the dearest and the cheapest", flush=True)


def workers(path: Path, folder: Path, exchanges: int, rounds: int) -> list[Taken]:
    """Print what a second worker brings."""
    command = [sys.executable, "-m", "conformance", "audit", str(path), "--format", "json"]
    taken: dict[int, list[Taken]] = {1: [], 2: []}
    for _ in range(rounds):
        for many, runs in taken.items():
            runs.append(watch([*command, "--workers", str(many), "-o", str(folder / f"{many}.json")]))
    if (folder / "1.json").read_bytes() != (folder / "2.json").read_bytes():
        raise SystemExit("one worker and two came to different results")
    one, two = ([run.seconds for run in runs] for runs in taken.values())
    for many, seconds in ((1, one), (2, two)):
        print(f"{exchanges:,} exchanges, --workers {many}: {exchanges / statistics.median(seconds):,.0f} a second")
    print(f"2 workers: ratio {ratio(one, two)}")
    return [*taken[1], *taken[2]]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help=f"go on to {FULL:,} exchanges")
    sizes = (*SIZES, FULL) if parser.parse_args().full else SIZES
    catalogue()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {count: folder / f"{count}.jsonl" for count in sizes}
        for count, path in files.items():
            write(path, count)
        growth(files)
        for count in sizes[SIZES.index(MANY) :]:
            taken = workers(files[count], folder, count, ROUNDS if count == MANY else 1)
            peak = max(run.peaks[0] for run in taken)
            print(f"{count:,} exchanges: memory of the largest process {figure(peak)} MB", flush=True)


if __name__ == "__main__":
    main()

"""Reading and judging a stream of 20,000 deltas against `orjson.loads` on each of its data lines.

CPU time of both, median of 9 interleaved rounds in one process; printed for each stream: the ratio. The target is 5.
Then: what reading needs in memory beyond the body, as a multiple of its size; the target is 3.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc

import orjson
from streams import REQUEST, long_stream

from conformance.model import Exchange
from conformance.quirks import catalogue, judge
from conformance.wire.read import read

ROUNDS = 9
DELTAS = 20_000


def main() -> None:
    """Print the figures."""
    catalogue()
    for name, options in (
        ("clean", {}),
        ("empty fields on every delta", {"blank": True}),
        ("varied", {"varied": True}),
    ):
        body = long_stream(DELTAS, **options)
        lines = [line[6:] for line in body.split(b"\n\n") if line.startswith(b"data: {")]
        exchange = Exchange("benchmark", body, request=REQUEST, asked_mode="stream")
        plain, whole = [], []
        for _ in range(ROUNDS):
            start = time.process_time()
            for line in lines:
                orjson.loads(line)
            plain.append(time.process_time() - start)
            start = time.process_time()
            transcript = read(exchange)
            judge(transcript)
            whole.append(time.process_time() - start)
        if not transcript.calls[0].usable:
            raise SystemExit(f"{name}: the call was not read")
        a, b = statistics.median(plain), statistics.median(whole)
        print(f"{name}: {len(body) / 1e6:.1f} MB, orjson {a * 1e3:.1f} ms, read and judge {b * 1e3:.1f} ms")
        print(f"{name}: ratio {b / a:.2f}")
        tracemalloc.start()
        judge(read(exchange))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"{name}: memory {peak / len(body):.2f} x body")


main()

"""Reading and judging an answer against only decoding its JSON.

Against `orjson.loads` and msgspec's decoder on each data line of the same body, which they are handed already split.
Median of 9 interleaved rounds, CPU time. Printed for each shape of answer: how many times as long as each of them
reading takes, with the lowest and the highest round. The target is 4 times orjson on a stream of 20,000 deltas.
Then: what reading needs in memory beyond the body, as a multiple of its size; the target is 3.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
import orjson
from measure import duration, ratio, take_turns
from streams import REQUEST, complete_answer, long_stream, many_calls

from conformance.model import Exchange
from conformance.quirks import catalogue, judge
from conformance.wire.read import read

DELTAS = 20_000
SHAPES: dict[str, Callable[[], bytes]] = {
    "one call": partial(long_stream, DELTAS),
    "empty fields on every delta": partial(long_stream, DELTAS, blank=True),
    "a random field on every chunk": partial(long_stream, DELTAS, varied=True),
    "200 calls": partial(many_calls, 200, DELTAS // 200),
    "4 calls that take turns": partial(many_calls, 4, DELTAS // 4, interleaved=True),
    "complete answer of 6 MB": partial(complete_answer, 400_000),
    "stream of 2 KB": partial(long_stream, 4),
    "complete answer of 2 KB": partial(complete_answer, 140),
}


def decode(decoder: Callable[[bytes], object], lines: Sequence[bytes], times: int) -> None:
    """Decode all lines, several times."""
    for _ in range(times):
        for line in lines:
            decoder(line)


def read_and_judge(exchange: Exchange, times: int) -> None:
    """Read and judge, several times."""
    for _ in range(times):
        judge(read(exchange))


def compare(name: str, body: bytes) -> None:
    """Print the figures of one body; small ones are read many times in a round."""
    lines = [line[6:] for line in body.split(b"\n\n") if line.startswith(b"data: {")] or [body]
    exchange = Exchange("benchmark", body, request=REQUEST, asked_mode="stream")
    transcript = read(exchange)
    if not transcript.complete or not all(call.usable for call in transcript.calls):
        raise SystemExit(f"{name}: the calls were not read")
    times = max(1, 400_000 // len(body))
    taken = take_turns(
        {
            "orjson": partial(decode, orjson.loads, lines, times),
            "msgspec": partial(decode, msgspec.json.Decoder().decode, lines, times),
            "read and judge": partial(read_and_judge, exchange, times),
        }
    )
    each = ", ".join(f"{who} {duration([one / times for one in seconds])}" for who, seconds in taken.items())
    print(f"{name} ({len(body):,} bytes): {each}")
    ours = taken["read and judge"]
    print(f"{name}: {ratio(ours, taken['orjson'])} x orjson, {ratio(ours, taken['msgspec'])} x msgspec")
    if len(body) > 1_000_000:
        tracemalloc.start()
        judge(read(exchange))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"{name}: memory {peak / len(body):.2f} x body")


def main() -> None:
    """Print the figures."""
    catalogue()
    for name, make in SHAPES.items():
        compare(name, make())


if __name__ == "__main__":
    main()

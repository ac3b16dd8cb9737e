"""What `conformance tap` adds to the latency of a chunk.

An upstream in a process of its own sends a stream on loopback, a chunk every two milliseconds, each with the time at
which it was sent. A client reads the stream straight from there and through the tap, in turn, 9 times each, and takes
the time at which each chunk arrived. Printed: median and 99th percentile of both, and last what the tap adds. What the
tap judged is looked at in the end, so that nothing is measured that did not pass through it.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Final

import httpx2
from measure import ROUNDS, duration, figure
from streams import DONE, REQUEST, event, opening

CHUNKS: Final = 500
PACE: Final = 0.002
_SENT: Final = re.compile(rb'"arguments":"(\d+) "')


async def upstream() -> None:
    """Serve the stream to whoever asks; prints the port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        await reader.readexactly(int(length.group(1)) if length else 0)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        for piece in _pieces():
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
            await asyncio.sleep(PACE)
        writer.write(b"0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _pieces() -> Iterator[bytes]:
    yield event({"role": "assistant", "content": None, "tool_calls": [opening()]})
    yield event(_arguments('{"text":"'))
    for _ in range(CHUNKS):
        yield event(_arguments(f"{time.monotonic_ns()} "))
    yield event(_arguments('"}'))
    yield event({}, "tool_calls") + DONE


def _arguments(text: str) -> dict[str, object]:
    return {"tool_calls": [{"index": 0, "function": {"arguments": text}}]}


@contextmanager
def running(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended, if need be, when the block ends."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()


def latencies(client: httpx2.Client, url: str) -> list[float]:
    """Seconds between sending and arrival, for each chunk of one stream."""
    found: list[float] = []
    with client.stream("POST", f"{url}/chat/completions", json=REQUEST) as response:
        for part in response.iter_raw():
            now = time.monotonic_ns()
            found.extend((now - int(sent)) / 1e9 for sent in _SENT.findall(part))
    if len(found) < CHUNKS * 0.98:  # a chunk may be torn between two reads, and is left out then
        raise SystemExit(f"{url}: {len(found)} of {CHUNKS} chunks arrived whole")
    return found


def percentile(values: Sequence[float], rank: int) -> float:
    """The value that `rank` per cent of them do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[rank - 1]


def line_with(text: str, stream: IO[str] | None) -> str:
    """The first line with this text."""
    for line in stream or ():
        if text in line:
            return line.strip()
    raise SystemExit(f"the process ended without saying {text!r}")


def main() -> None:
    """Print the figures."""
    with running([sys.executable, __file__, "upstream"]) as server:
        direct = f"http://127.0.0.1:{line_with('', server.stdout)}/v1"
        command = [sys.executable, "-m", "conformance", "tap", "--upstream", direct, "--port", "0", "--format", "json"]
        with running(command) as tap, httpx2.Client(trust_env=False, timeout=60) as client:
            through = line_with("OPENAI_BASE_URL=", tap.stderr).rpartition("=")[2]
            taken: dict[str, list[list[float]]] = {direct: [], through: []}
            for turn in range(-1, ROUNDS):
                for url, rounds in taken.items():
                    found = latencies(client, url)
                    if turn >= 0:
                        rounds.append(found)
                    time.sleep(0.3)  # the tap judges the stream that has ended
            tap.send_signal(signal.SIGINT)
            said, _ = tap.communicate(timeout=60)
    judged = [json.loads(line) for line in said.splitlines()]
    if len(judged) != ROUNDS + 1 or not all(one["complete"] and one["calls"][0]["usable"] for one in judged):
        raise SystemExit("not every stream passed through the tap")
    report(taken[direct], taken[through])


def report(direct: list[list[float]], through: list[list[float]]) -> None:
    """Print median and 99th percentile of both ways, and how they differ round by round."""
    for name, rank in (("median", 50), ("99th percentile", 99)):
        a, b = ([percentile(one, rank) for one in way] for way in (direct, through))
        added = sorted(y - x for x, y in zip(a, b, strict=True))
        print(f"{name}: direct {duration(a)}, through tap {duration(b)}")
        print(f"{name}: tap adds {duration(added)} ({duration(added[:1])} to {duration(added[-1:])})")
    ratios = sorted(statistics.median(y) / statistics.median(x) for x, y in zip(direct, through, strict=True))
    print(
        f"tap: ratio {figure(statistics.median(ratios))} ({figure(ratios[0])} to {figure(ratios[-1])}) of the medians"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["upstream"]:
        asyncio.run(upstream())
    else:
        main()

"""A live run with several slow providers side by side against a run with the slowest of them alone.

Each provider is a server of its own on loopback that waits before each answer, as a rate limit would have it; one waits
twice as long as the others. The run is `conformance run --live -n auto`, wall time, median of 3, interleaved. Printed
last: the ratio. The target is 1.3. Everything the servers say is made up.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import loads
from pathlib import Path
from typing import Any

from conformance.faults.respond import respond

ROUNDS = 3
SCENARIOS = "single_call,no_call,two_tools,forced_call,named_call,round_trip,zero_argument_call"


@contextmanager
def slow_server(wait: float) -> Iterator[str]:
    """A server that answers one request after the other, each after `wait` seconds; its base URL."""
    one_at_a_time = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = loads(self.rfile.read(int(self.headers["content-length"])))
            with one_at_a_time:
                time.sleep(wait)
            wire = respond(request)
            self.send_response(wire.status)
            for name, value in wire.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(wire.body)))
            self.end_headers()
            self.wfile.write(wire.body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def run(folder: Path, *providers: str) -> float:
    """Seconds that a run with these providers takes."""
    command = [sys.executable, "-m", "conformance", "run", "--live", "-n", "auto", "-s", SCENARIOS, "-o", "out"]
    start = time.monotonic()
    done = subprocess.run(
        [*command, *(f"--provider={name}" for name in providers)],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode not in (0, 1) or " 0 not run" not in done.stdout:
        raise SystemExit(f"the run failed: {done.stdout}{done.stderr}")
    return time.monotonic() - start


def main() -> None:
    """Print how long both take, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--providers", type=int, default=6, help="how many side by side")
    parser.add_argument(
        "--wait", type=float, default=0.5, help="seconds before each answer; the slowest waits twice that"
    )
    given = parser.parse_args()
    names = [f"p{number}" for number in range(given.providers)]
    with ExitStack() as stack, tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        lines = ["providers:"]
        for number, name in enumerate(names):
            url = stack.enter_context(slow_server(given.wait * (2 if number == 0 else 1)))
            lines += [f"  {name}:", f"    base_url: {url}", "    models: [made-up]"]
        (folder / "providers.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        alone, together = [], []
        for _ in range(ROUNDS):
            alone.append(run(folder, names[0]))
            together.append(run(folder, *names))
    slowest, all_of_them = statistics.median(alone), statistics.median(together)
    print(f"the slowest provider alone: {slowest:.1f} s")
    print(f"{given.providers} providers side by side: {all_of_them:.1f} s")
    print(f"ratio {all_of_them / slowest:.2f}")


if __name__ == "__main__":
    main()

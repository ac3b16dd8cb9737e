"""Replaying all cassettes through the harness against a bare loop through vcrpy and the openai client.

The bare loop opens each cassette with vcrpy's own httpx2 patch, sends the recorded requests through one openai client
and reads the answers to their end, chunks included. Both run in a process of their own, interleaved; CPU time, median
of 3. Printed last: the ratio. The target is 3.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ROUNDS = 3


def bare() -> None:
    """The loop that knows nothing of conformance."""
    import openai
    import vcr
    import yaml

    client = openai.OpenAI(base_url="http://127.0.0.1:1/v1", api_key="none", max_retries=0)
    exchanges = 0
    for path in sorted((ROOT / "cassettes").rglob("*.yaml")):
        recorded: dict[str, Any] = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        with vcr.use_cassette(str(path), record_mode="none", match_on=["method", "path"]):
            for interaction in recorded["interactions"]:
                uri: str = interaction["request"]["uri"]
                body = json.loads(interaction["request"]["body"])
                target = client.with_options(base_url=uri.rsplit("/chat/", 1)[0])
                try:
                    answer = target.chat.completions.create(**body)
                    for _ in answer if body.get("stream") else ():
                        pass
                except (openai.APIError, ValueError):
                    pass  # recorded failures; a stream that is not JSON
                exchanges += 1
    print(exchanges)


def cpu(command: list[str]) -> tuple[float, str]:
    """CPU seconds a command and its children take, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=dict(os.environ))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr or done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        ours = [sys.executable, "-m", "conformance", "run", "--replay", "-o", folder]
        loop = [sys.executable, __file__, "bare"]
        a, b = [], []
        for _ in range(ROUNDS):
            seconds, printed = cpu(loop)
            a.append(seconds)
            b.append(cpu(ours)[0])
    bare_time, our_time = statistics.median(a), statistics.median(b)
    print(f"{printed.strip()} exchanges: bare loop {bare_time:.2f} s, replay, judge and report {our_time:.2f} s")
    print(f"ratio {our_time / bare_time:.2f}")


if __name__ == "__main__":
    bare() if sys.argv[1:] == ["bare"] else main()

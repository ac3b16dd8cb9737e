"""`conformance inspect` on a small file, from nothing, against `python -c pass` and `python -c "import openai"`.

Each in a process of its own, with bytecode present: median of 9 interleaved rounds, CPU time of the process. Printed
last: how many times as long as each of them `inspect` takes. Below 1 against openai, one file is inspected before a
client would have been imported.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from measure import duration, ratio, take_turns
from streams import long_stream


def run(command: list[str]) -> None:
    """Run a command to its end; what `inspect` finds does not matter, only that it ran."""
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or (command[0] == "-m" and "write_page" not in done.stdout):
        raise SystemExit(done.stderr or done.stdout)


def children() -> float:
    """CPU seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.sse"
        small.write_bytes(long_stream(4))
        contenders = {
            "python -c pass": ["-c", "pass"],
            'python -c "import openai"': ["-c", "import openai"],
            "conformance inspect": ["-m", "conformance", "inspect", str(small)],
        }
        taken = take_turns({name: partial(run, command) for name, command in contenders.items()}, clock=children)
    for name, seconds in taken.items():
        print(f"{name}: {duration(seconds)}")
    ours = taken.pop("conformance inspect")
    for name, seconds in taken.items():
        print(f"conformance inspect: ratio {ratio(ours, seconds)} to {name}")


if __name__ == "__main__":
    main()

"""The pytest run behind `conformance run`."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conformance.run.options import Options


def arguments(options: Options, output: Path, workers: int = 0) -> list[str]:
    """The pytest command line that does what the options ask for."""
    import conformance.suites

    given: list[str] = []
    for flag, values in (
        ("--provider", options.providers),
        ("--conformance-scenario", options.scenarios),
        ("--conformance-mode", options.modes),
        ("--conformance-via", options.via),
    ):
        given += [f"{flag}={value}" for value in values]
    for flag, value in (
        ("--conformance-base-url", options.base_url),
        ("--conformance-model", options.model),
        ("--conformance-api-key-env", options.api_key_env),
        ("--conformance-cassettes", options.cassettes and options.cassettes.absolute()),
        ("--conformance-via-model", options.via_model),
        ("--conformance-via-api-key-env", options.via_api_key_env),
        ("--conformance-shard", options.shard),
        ("--conformance-max-requests", options.max_requests),
        ("--conformance-deadline", options.deadline),
        ("--conformance-timeout", options.timeout),
        ("--conformance-max-bytes", options.max_bytes),
    ):
        if value is not None:
            given.append(f"{flag}={value}")
    if not options.providers and options.base_url is None:
        given.append("--provider=all")
    if options.strict:
        given.append("--conformance-strict")
    if options.resume:
        given.append("--conformance-resume")
    modes = {
        "replay": ["--record-mode=none", "--block-network"],
        "live": ["--record-mode=none", "--conformance-live"],
        "record": ["--record-mode=rewrite"],
    }
    folder = Path(next(iter(conformance.suites.__path__)))
    plugins = ("conformance.pytest_plugin", "pytest_recording.plugin", *(("xdist.plugin",) if workers else ()))
    return [
        str(folder),
        f"-c{folder / 'pytest.ini'}",
        *(f"-p{name}" for name in plugins),
        *(f"-pno:{name}" for name in ("cacheprovider", "terminal", "doctest", "unittest", "logging", "warnings")),
        "--assert=plain",
        "--capture=no",
        *modes[options.run_mode],
        f"--conformance-config={options.config.absolute()}",
        f"--conformance-output={output.absolute()}",
        f"--conformance-samples={options.samples}",
        f"--conformance-retries={options.retries}",
        *([f"-n{workers}"] if workers else []),
        *given,
    ]


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does: what was measured is kept, and nothing is left half written."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def alone() -> Iterator[None]:
    """Keep other pytest plugins and options of the environment out: this run is ours."""
    changed = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

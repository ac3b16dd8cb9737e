"""Files that pages take for granted, by name: what `put=` puts into the folder in which a page is run."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from conformance.faults import find
from conformance.faults.respond import respond
from conformance.quirks.common import WEATHER, calls, chunk, entry, events
from conformance.quirks.registry import get
from tests.audit.captures import capture, lines
from tests.docs.blocks import ROOT

REQUEST: Final[dict[str, Any]] = {
    "model": "my-model",
    "messages": [{"role": "user", "content": "get_weather of Paris and Tokyo?"}],
    "tools": [WEATHER],
    "stream": True,
}


def _capture(folder: Path) -> None:
    """A stream without any index, as the quirk's own example has it."""
    (folder / "capture.sse").write_text(get("index-missing").bad[0].body, encoding="utf-8")


def _numbered_zero(folder: Path) -> None:
    """A stream of two calls, both at index 0; the second opens at event 2, byte 472, as README says."""
    chunks = [
        chunk(calls(entry(0, "call_k1", "get_tide", ""), role="assistant"), id="tide-1"),
        chunk(calls(entry(0, arguments='{"port":"Bristol"}')), id="tide-1"),
        chunk(calls(entry(0, "call_k2", "get_tide", '{"port":"Cadiz"}')), id="tide-1"),
        chunk({}, "tool_calls", id="tide-1"),
    ]
    (folder / "capture.sse").write_text(events(*chunks, "[DONE]"), encoding="utf-8")


def _request(folder: Path) -> None:
    (folder / "request.json").write_text(json.dumps(REQUEST), encoding="utf-8")


def _live(folder: Path) -> None:
    """A stream that has just come to its end."""
    (folder / "live.sse").write_bytes(respond(REQUEST).body)


def _both_modes(folder: Path) -> None:
    """The same answer twice; the stream's arguments stop early."""
    (folder / "stream.sse").write_bytes(respond(REQUEST, find("arguments-truncated")).body)
    (folder / "complete.json").write_bytes(respond({**REQUEST, "stream": False}).body)


def _captures(folder: Path) -> None:
    """A few captures, in a folder; two of them of one provider."""
    (folder / "captures").mkdir(exist_ok=True)
    for number, (fault, provider) in enumerate(
        (("clean-two", "acme"), ("index-missing", "acme"), ("finish-stop", "b")), 1
    ):
        text = json.dumps(capture(fault, provider=provider))
        (folder / "captures" / f"{number}.json").write_text(text, encoding="utf-8")


def _logs(folder: Path) -> None:
    """JSON Lines of five captures: plain, with zstd, and with gzip."""
    import zstandard

    held = lines([capture("clean-two", provider="acme") for _ in range(5)])
    (folder / "log.jsonl").write_bytes(held)
    (folder / "gateway.jsonl.zst").write_bytes(zstandard.compress(held))
    (folder / "logs.gz").write_bytes(gzip.compress(held))


def _acme(folder: Path) -> None:
    """A provider of the name that pages use."""
    with (folder / "providers.yaml").open("a", encoding="utf-8") as file:
        file.write(
            "\n  acme:\n    base_url: https://api.acme.example/v1\n    models: [acme-large]\n"
            "    api_key_env: ACME_API_KEY\n"
            '    source: [{url: "https://docs.acme.example/chat", date: 2026-11-30}]\n'
        )


def _reports(folder: Path) -> None:
    """The published table and observations."""
    shutil.copytree(ROOT / "reports", folder / "reports", dirs_exist_ok=True)


def _checkout(folder: Path) -> None:
    """The code, and the tests of the catalogues, to be changed."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "node_modules", ".venv")
    for name in ("conformance", "tests/quirks", "tests/scenarios", "docs/quirks"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored, dirs_exist_ok=True)
    for name in ("tests/__init__.py", "tests/conftest.py", "tests/fake_provider.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)


def _committed(folder: Path) -> None:
    """The published table, committed."""
    _reports(folder)
    by = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    for step in (["init", "-q"], ["add", "reports/quirks.json"], [*by, "commit", "-q", "-m", "The table"]):
        subprocess.run(["git", *step], cwd=folder, check=True)


FILES: Final[Mapping[str, Callable[[Path], None]]] = {
    "capture.sse": _capture,
    "capture-of-tides": _numbered_zero,
    "request.json": _request,
    "live.sse": _live,
    "both-modes": _both_modes,
    "captures": _captures,
    "logs": _logs,
    "acme": _acme,
    "reports": _reports,
    "committed-reports": _committed,
    "checkout": _checkout,
}

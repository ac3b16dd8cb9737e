"""Settings for pages that hold no comments, by the beginning of a block; and the blocks that are not run at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "README.md": {
        "uv venv && uv pip sync": "not-run='it installs from the network'",
        ".venv/bin/conformance run --base-url": "http://localhost:8000/v1=honest",
        "- uses: owner/conformance@v1": "is=workflow",
        "acme:": "https://api.acme.example/v1=honest env=ACME_API_KEY add",
        "conformance diff HEAD": "put=committed-reports exit=5",
        "conformance inspect capture.sse": "put=capture-of-tides,both-modes,live.sse exit=1,0,1,1",
        "conformance advise --client": "put=reports exit=1",
        "conformance clients run --client": "not-run='it installs the client'",
        "must index-reused:": "output-of='conformance inspect capture.sse' gaps",
        "conformance tap --upstream": "background",
        "from conformance import Accumulator": "stage=agent",
        "conformance serve --fault index-all-zero": "background",
    },
}

NOT_RUN: Final = frozenset(
    (
        ("README.md", "uv venv && uv pip sync"),
        ("README.md", "conformance clients run"),
        ("docs/audit.md", "pip install"),
        ("docs/benchmarks.md", "make bench"),
        ("docs/comparison.md", "pip install"),
        ("docs/nightly.md", "MAILTO="),
    )
)

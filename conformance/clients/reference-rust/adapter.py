# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""The Rust accumulator of reference document 000 as §5 mends it: an empty id or name replaces nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from described.rust import accumulate
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    accumulate(case, outcome, bool)


serve("reference-rust", "", drive, modes=["stream"], release="2026-11-30")

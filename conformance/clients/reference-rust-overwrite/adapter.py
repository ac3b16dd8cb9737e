# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""The Rust accumulator of reference document 000 as §2 has it: whatever id or name comes replaces the one held."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from described.rust import accumulate
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    accumulate(case, outcome, lambda text: text is not None)


serve("reference-rust-overwrite", "", drive, modes=["stream"], release="2026-11-30")

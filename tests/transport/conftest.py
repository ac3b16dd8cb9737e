"""Where the cassette of these tests lies."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "local" / "single_call.stream.yaml"

"""Client folders in a place of their own."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.impact.folders import BUNDLED

HERE = Path(__file__).parent / "clients"

Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Put a client folder of the tests into `tmp_path/clients`, with a mood if it has one; the folder of all."""
    root = tmp_path / "clients"
    root.mkdir()
    (root / "shared").mkdir()
    shutil.copyfile(BUNDLED / "shared" / "line_protocol.py", root / "shared" / "line_protocol.py")

    def putting(name: str, mood: str = "") -> Path:
        shutil.copytree(HERE / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        if name == "right":  # it needs conformance, which is installed here
            with (root / name / "client.yaml").open("a") as file:
                file.write(f"command: {json.dumps([sys.executable, 'adapter.py'])}\n")
        if mood:
            (root / name / "mood.txt").write_text(mood, "utf-8")
        return root

    return putting

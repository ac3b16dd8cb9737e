from pathlib import Path

import pytest

from tests.diff.examples import Nights


@pytest.fixture
def nights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Nights:
    return Nights(tmp_path, capsys)

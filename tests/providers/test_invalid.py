"""Every mistake in `invalid/*.yaml` is told in exactly the words of the `.txt` beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.errors import ConfigError
from conformance.providers.load import load

INVALID = Path(__file__).parent / "invalid"
QUIRKS = ("index-missing", "id-missing", "id-late")
SCENARIOS = ("single_call", "two_tools")


@pytest.mark.parametrize("case", sorted(INVALID.glob("*.yaml")), ids=lambda path: path.stem)
def test_messages(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "providers.yaml").write_bytes(case.read_bytes())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        load("providers.yaml", known_quirks=QUIRKS, known_scenarios=SCENARIOS)
    assert str(caught.value) + "\n" == case.with_suffix(".txt").read_text(encoding="utf-8")
    assert caught.value.exit_code == 4
    assert "not-a-real-key" not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_every_file_has_its_message() -> None:
    assert {p.stem for p in INVALID.glob("*.yaml")} == {p.stem for p in INVALID.glob("*.txt")} != set()

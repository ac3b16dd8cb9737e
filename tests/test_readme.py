"""The README says what the reports and the code say."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conformance.cli import COMMANDS
from conformance.providers.load import load
from conformance.quirks import catalogue
from conformance.scenarios import catalogue as scenarios

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_an_excerpt_of_the_report() -> None:
    report = json.loads((ROOT / "reports" / "quirks.json").read_text(encoding="utf-8"))
    cells = {(row["provider"], cell["quirk"]): cell for row in report["rows"] for cell in row["cells"]}
    head, _, *lines = re.findall(r"^\| .* \|$", README[: README.index("matrix:end")], re.MULTILINE)
    slugs = re.findall(r"\[([a-z0-9-]+)\]\(docs/quirks/\1\.md\)", head)
    assert len(slugs) >= 6
    assert len(lines) >= 10
    for line in lines:
        name, *columns = (text.strip() for text in line.strip("|").split(" | "))
        provider = re.sub(r"[\[\] ○]|\(.*\)", "", name)
        for slug, column in zip(slugs, columns, strict=True):
            cell = cells.get((provider, slug), {"applicable": 0, "occurrences": 0, "published": None})
            shown = {symbol: (int(n), int(m)) for symbol, n, m in re.findall(r"([✕≠⊘·✓◆◇])&nbsp;(\d+)/(\d+)", column)}
            theirs = cell["published"]
            expected = set()
            if cell["applicable"]:
                expected.add((cell["occurrences"], cell["applicable"]))
            if theirs is not None:
                expected.add((theirs["occurrences"], theirs["applicable"]))
            assert set(shown.values()) == expected, (provider, slug)


def test_how_many_providers_the_table_has() -> None:
    report = json.loads((ROOT / "reports" / "quirks.json").read_text(encoding="utf-8"))
    assert f"of {len({row['provider'] for row in report['rows']})} providers" in " ".join(README.split())


def test_counts() -> None:
    assert f"{len(catalogue())} quirks" in README
    assert f"{len(scenarios())} scenarios" in README
    assert f"{sum(len(s.modes) for s in scenarios())} short conversations" in README
    assert f"The {len(load(ROOT / 'providers.yaml').providers)} providers" in README


def test_links_and_commands_exist() -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / link).exists(), link
    for command in re.findall(r"(?<!from )\bconformance ([a-z]+)", README):
        assert command in COMMANDS, command


def test_the_provider_example_is_valid(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(  acme:.*?)```", README, re.DOTALL)
    file = tmp_path / "providers.yaml"
    file.write_text(f"providers:\n{block}", encoding="utf-8")
    assert list(load(file).providers) == ["acme"]

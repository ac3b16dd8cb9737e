"""What conformance/clients/README.md shows is true: its lines keep the protocol, and its client is one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

import conformance
from conformance.cli import call
from conformance.impact.judge import OUTCOMES

CLIENTS = Path(conformance.__file__).parent / "clients"
README = (CLIENTS / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", README)


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """The folder of the client that the page shows, written down as it stands there."""
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("ruby is not installed")
    (described,), (program,) = blocks("yaml"), blocks("ruby")
    folder = tmp_path / "my-client"
    folder.mkdir()
    (folder / "client.yaml").write_text(described, "utf-8")
    (folder / "client.rb").write_text(program, "utf-8")
    return folder


def test_lines_keep_the_protocol() -> None:
    schema = json.loads((CLIENTS / "protocol.schema.json").read_text("utf-8"))
    lines = [json.loads(block) for block in blocks("json")]
    for kind, line in zip(("hello", "case", "outcome"), lines, strict=True):
        Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{kind}"}]}).validate(line)
    hello, case, outcome = lines
    assert case["mode"] in hello["modes"]
    assert outcome["case"] == case["case"]


def test_every_verdict_has_its_word() -> None:
    assert {word for word in OUTCOMES if f"`{word}`" not in README} == {"right", "not-applicable"}


def test_client_is_short() -> None:
    (described,), (program,) = blocks("yaml"), blocks("ruby")
    assert yaml.safe_load(described)["command"] == ["ruby", program.splitlines()[0].removeprefix("# ")]
    assert len(program.splitlines()) < 45


def test_client_keeps_the_protocol(client: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["clients", "check", str(client), "--cache", str(tmp_path / "cache")]) == 0
    assert "WRONG" not in capsys.readouterr().out


def test_client_is_measured(client: Path, tmp_path: Path) -> None:
    """Two calls without an index have one key: their arguments are glued to what no reader takes; one alone is safe."""
    where = ["--cache", str(tmp_path / "cache"), "-o", str(tmp_path / "out")]
    assert call(["clients", "run", "--client", str(client), "--quirk", "index-missing", *where]) == 0
    document = json.loads((tmp_path / "out" / "clients.json").read_text("utf-8"))
    (measured,) = document["clients"]
    assert (measured["name"], measured["language"]) == ("my-client", "Ruby")
    faults = {one["fault"]: one["outcome"] for quirk in measured["outcomes"] for one in quirk["faults"]}
    assert faults["index-missing"] == "right"
    assert faults["index-missing-two"] == "invalid"

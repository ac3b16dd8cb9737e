"""Every client folder is well-formed, so that its environment can be made anew anywhere. Nothing is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import conformance

CLIENTS = Path(conformance.__file__).parent / "clients"
FOLDERS = sorted(path.parent for path in CLIENTS.glob("*/client.yaml"))
PYTHON = [folder for folder in FOLDERS if (folder / "adapter.py").exists()]
JAVASCRIPT = [folder for folder in FOLDERS if (folder / "adapter.mjs").exists()]
KEYS = ["name", "title", "language", "package", "home", "drives"]


def named(folders: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("folder", folders, ids=[folder.name for folder in folders])


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def inline_metadata(script: str) -> dict[str, Any]:
    """The `script` block of PEP 723, read as the PEP says."""
    blocks = re.findall(r"(?m)^# /// script\s*$\n((?:^#(?: .*)?$\n)+?)^# ///\s*$", script)
    assert len(blocks) == 1, "one script block"
    return tomllib.loads("".join(line[2:] or "\n" for line in blocks[0].splitlines(keepends=True)))


def locked(lock: str) -> Iterator[tuple[str, str, str]]:
    """Name, version and hashes of each entry of a requirements file."""
    for entry in re.split(r"(?m)^(?=[A-Za-z0-9])", lock):
        if found := re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", entry):
            yield canonicalize_name(found[1]), found[2], " ".join(re.findall(r"--hash=\S+", entry))


def test_every_folder_is_a_client() -> None:
    folders = {path for path in CLIENTS.iterdir() if path.is_dir() and path.name not in ("shared", "__pycache__")}
    assert folders == set(FOLDERS)
    assert len(PYTHON) >= 12
    assert len(JAVASCRIPT) >= 4


@named(FOLDERS)
def test_description(folder: Path) -> None:
    described = yaml.safe_load((folder / "client.yaml").read_text("utf-8"))
    command = described.pop("command", None)
    assert described.pop("runs", "library") == "library"  # left out, the user runs the tools
    assert list(described) == KEYS
    assert all(isinstance(value, str) for value in described.values())
    assert all(described[key] for key in ("name", "title", "language", "drives"))
    assert described["name"] == folder.name
    assert described["home"].startswith(("https://", "reference "))
    adapters = [name for name in ("adapter.py", "adapter.mjs") if (folder / name).exists()]
    assert len(adapters) == (0 if command else 1)


@named(PYTHON)
def test_python_adapter(folder: Path) -> None:
    script = (folder / "adapter.py").read_text("utf-8")
    compile(script, "adapter.py", "exec")
    assert re.search(rf'(?m)^serve\(\s*"{re.escape(folder.name)}",', script), "it greets under the name of its folder"


@named(PYTHON)
def test_python_pins(folder: Path) -> None:
    metadata = inline_metadata((folder / "adapter.py").read_text("utf-8"))
    lock = (folder / "requirements.lock").read_text("utf-8")
    entries = {name: version for name, version, _ in locked(lock)}
    for text in metadata["dependencies"]:
        requirement = Requirement(text)
        (pin,) = requirement.specifier
        assert pin.operator == "=="
        assert "*" not in pin.version
        assert entries[canonicalize_name(requirement.name)] == pin.version, f"the lock is older than the pin {text}"
    described = yaml.safe_load((folder / "client.yaml").read_text("utf-8"))
    if described["package"]:
        assert canonicalize_name(described["package"]) in entries
    else:
        assert not entries


@named(PYTHON)
def test_python_lock(folder: Path) -> None:
    lock = (folder / "requirements.lock").read_text("utf-8")
    for name, _, hashes in locked(lock):
        assert "--hash=sha256:" in hashes, name
    assert "://" not in lock
    assert not re.search(r"(?m)^\s*--(?!hash=)", lock), "no option: where packages come from is for the user to say"


@named(JAVASCRIPT)
def test_javascript_pins(folder: Path) -> None:
    package, lock = read_json(folder / "package.json"), read_json(folder / "package-lock.json")
    assert package["private"] is True
    assert package["engines"]["node"]
    assert package["dependencies"]
    for name, version in package["dependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?", version), f"{name} is not pinned"
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    assert lock["packages"][""]["dependencies"] == package["dependencies"]


@named(JAVASCRIPT)
def test_javascript_lock(folder: Path) -> None:
    text = (folder / "package-lock.json").read_text("utf-8")
    lock = json.loads(text)
    assert lock["lockfileVersion"] == 3
    assert '"resolved"' not in text
    for where, entry in lock["packages"].items():
        if where:
            assert entry["version"], where
            assert entry["integrity"].startswith("sha512-"), where


@named(JAVASCRIPT)
def test_javascript_adapter(folder: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run([node, "--check", "adapter.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

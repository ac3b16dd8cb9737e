"""What is shipped, and what must never be committed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = (
    "conformance/py.typed",
    "conformance/providers/schema.json",
    "conformance/run/record.schema.json",
    "conformance/report/matrix.schema.json",
    "conformance/report/history.schema.json",
    "conformance/diff/diff.schema.json",
    "conformance/audit/audit.schema.json",
    "conformance/audit/observation.schema.json",
    "conformance/report/templates/quirks.html.j2",
    "conformance/report/templates/palette.css",
    "conformance/site/templates/matrix.html.j2",
    "conformance/site/assets/site.css",
    "conformance/site/assets/site.js",
    "conformance/impact/clients.schema.json",
    "conformance/clients/protocol.schema.json",
    "conformance/clients/openai-python/requirements.lock",
    "conformance/clients/openai-node/package-lock.json",
    "conformance/suites/pytest.ini",
    "conformance/quirks/index/index_missing.py",
    "conformance/scenarios/single_call.py",
)
# spelt so that this file does not find itself
LEAKS = (
    r"p[y]pi\.org",
    r"p[y]thonhosted",
    r"n[p]mjs\.org",
    r"d[e]b\.debian\.org",
    r"\bsk-[A-Za-z0-9]{20,}",
    r"/h[o]me/\w+/",
)


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_the_wheel_holds_what_the_code_reads(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert [name for name in NEEDED if name not in names] == []
    assert not any(name.startswith(("tests/", "cassettes/")) for name in names)


def test_no_registry_host_no_key_no_home_is_committed() -> None:
    pattern = re.compile("|".join(LEAKS))
    found = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if pattern.search(path.read_text(encoding="utf-8", errors="replace")) and "tests/" not in str(path)
    ]
    assert found == []


def test_locks_carry_hashes_and_no_address() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        pinned = re.findall(r"^[a-z0-9._-]+(?:\[[^\]]*\])?==", text, re.MULTILINE)
        assert len(pinned) > 30
        assert text.count("--hash=sha256:") >= len(pinned)
        assert "://" not in text
        assert "--index-url" not in text

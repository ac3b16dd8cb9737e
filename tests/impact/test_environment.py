"""Environments: made once for each lock, isolated, and every failure a sentence."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from conformance.errors import ConfigError, NotRun
from conformance.impact.children import Children, Stopped
from conformance.impact.environment import Ready, clean, prepare
from conformance.impact.folders import BUNDLED, Client, load
from conformance.impact.locks import Override, exchanged, overrides, pins
from tests.impact.wheels import wheel

YAML = "name: {name}\ntitle: T\nlanguage: L\npackage: p\nhome: h\ndrives: d\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels in place of a registry; the settings of uv are the user's."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv("UV_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    return folder


def client(root: Path, lock: str = "", adapter: str = "", name: str = "mine") -> Client:
    """A Python client folder."""
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "client.yaml").write_text(YAML.format(name=name))
    (folder / "adapter.py").write_text(adapter)
    if lock:
        (folder / "requirements.lock").write_text(lock)
    return load(folder)


def version_in(ready: Ready, module: str = "made_up") -> str:
    """What a program in the environment sees."""
    code = f"import {module}; print({module}.VERSION)"
    command = [*ready.command[:-1], "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_an_environment_is_made_once_and_a_half_built_one_again(tmp_path: Path, shelf: Path) -> None:
    mine = client(tmp_path, f"made-up==1.0 \\\n    --hash={wheel(shelf, 'made_up', '1.0')}\n")
    ready = prepare(mine, tmp_path / "cache", Children())
    assert version_in(ready) == "1.0"
    place = Path(ready.command[0]).parents[1]
    (place / "kept").touch()
    assert prepare(mine, tmp_path / "cache", Children()) == ready
    assert (place / "kept").exists()
    (place / ".ready").unlink()  # as after a crash
    assert prepare(mine, tmp_path / "cache", Children()) == ready
    assert not (place / "kept").exists()
    assert version_in(ready) == "1.0"


def test_another_lock_is_another_environment(tmp_path: Path, shelf: Path) -> None:
    for version in ("1.0", "2.0"):
        lock = f"made-up=={version} --hash={wheel(shelf, 'made_up', version)}\n"
        assert version_in(prepare(client(tmp_path / version, lock), tmp_path / "cache", Children())) == version


def test_a_wrong_hash_is_refused(tmp_path: Path, shelf: Path) -> None:
    wheel(shelf, "made_up", "1.0")
    mine = client(tmp_path, f"made-up==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(NotRun, match=r"could not install it.*ash"):
        prepare(mine, tmp_path / "cache", Children())


def test_what_cannot_be_fetched_is_a_sentence(tmp_path: Path, shelf: Path) -> None:
    mine = client(tmp_path, f"made-up==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(NotRun, match=r"^mine: uv could not install it: .*made-up") as caught:
        prepare(mine, tmp_path / "cache", Children())
    assert "\n" not in caught.value.detail
    assert shelf.is_dir()


def test_another_version_leaves_the_rest_of_the_lock(tmp_path: Path, shelf: Path) -> None:
    beside = wheel(shelf, "beside", "1.0")
    old = wheel(shelf, "made_up", "1.0", "beside")
    wheel(shelf, "made_up", "2.0", "beside")
    wheel(shelf, "made_up", "3.0", "beside>=2")
    lock = f"beside==1.0 --hash={beside}\n    # via made-up\nmade-up==1.0 --hash={old}\n    # via mine\n"
    mine = client(tmp_path, lock)
    newer = prepare(mine, tmp_path / "cache", Children(), Override("made-up", "2.0"))
    assert (version_in(newer), version_in(newer, "beside")) == ("2.0", "1.0")
    with pytest.raises(NotRun, match=r"made-up==3\.0 does not go with the rest of the lock"):
        prepare(mine, tmp_path / "cache", Children(), Override("made-up", "3.0"))
    with pytest.raises(NotRun, match=r"made-up==9\.0"):
        prepare(mine, tmp_path / "cache", Children(), Override("made-up", "9.0"))


def test_versions_are_columns_of_the_table(tmp_path: Path, shelf: Path) -> None:
    lock = f"made-up==1.0 --hash={wheel(shelf, 'made_up', '1.0')}\n"
    wheel(shelf, "made_up", "2.0")
    # from 2.0 on it forgets the arguments
    adapter = f"""
import json, sys, urllib.request
sys.path.insert(0, {str(BUNDLED / "shared")!r})
from line_protocol import serve
from made_up import VERSION

def drive(case, outcome):
    request = urllib.request.Request(case["base_url"] + "/chat/completions", json.dumps(case["request"]).encode())
    with urllib.request.urlopen(request) as response:
        message = json.load(response)["choices"][0]["message"]
    for call in message.get("tool_calls", ()):
        broken = VERSION == "2.0" and "role" not in message
        outcome.call(call["id"], call["function"]["name"], "{{}}" if broken else call["function"]["arguments"])

serve("mine", "made_up", drive, modes=["complete"])
"""
    client(tmp_path / "clients", lock, adapter)
    options = ["--clients", str(tmp_path / "clients"), "--cache", str(tmp_path / "cache"), "-o", str(tmp_path)]
    options += ["--quirk", "role-missing", "--versions", "made_up==1.0,2.0"]
    assert call(["clients", "run", *options]) == 0
    document: dict[str, Any] = json.loads((tmp_path / "clients.json").read_text())
    found = {
        one["key"]: (one["version"], [e["outcome"] for e in one["outcomes"] if e["mode"] == "complete"])
        for one in document["clients"]
    }
    assert found == {
        "mine (made-up==1.0)": ("1.0", ["right"]),
        "mine (made-up==2.0)": ("2.0", ["wrong-arguments"]),
    }


def test_without_a_lock_it_has_the_standard_library_only(tmp_path: Path) -> None:
    ready = prepare(client(tmp_path, "# nothing\n"), tmp_path / "cache", Children())
    assert not (tmp_path / "cache").exists()
    command = [*ready.command[:-1], "-c", "import click"]
    assert subprocess.run(command, capture_output=True, cwd=tmp_path, env=clean(tmp_path), check=False).returncode == 1


def test_missing_programs_are_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "client.yaml").write_text(YAML.format(name="elsewhere") + "command: [no-such-program, x]\n")
    with pytest.raises(NotRun, match="no-such-program is not installed"):
        prepare(load(folder), tmp_path, Children())
    (folder / "client.yaml").write_text(YAML.format(name="elsewhere"))
    (folder / "adapter.mjs").touch()
    if shutil.which("npm"):
        with pytest.raises(ConfigError, match=r"package-lock\.json is missing"):
            prepare(load(folder), tmp_path, Children())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotRun, match=r"node is not installed; install Node\.js"):
        prepare(load(folder), tmp_path, Children())


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_javascript_runs_beside_its_packages(tmp_path: Path) -> None:
    shared = tmp_path / "clients" / "shared"
    shared.mkdir(parents=True)
    shutil.copyfile(BUNDLED / "shared" / "line_protocol.mjs", shared / "line_protocol.mjs")
    folder = shared.parent / "script"
    folder.mkdir()
    (folder / "client.yaml").write_text(YAML.format(name="script"))
    package = {"name": "script", "version": "1.0.0", "private": True}
    (folder / "package.json").write_text(json.dumps(package))
    lock = {"name": "script", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": {"": package}}
    (folder / "package-lock.json").write_text(json.dumps(lock))
    (folder / "adapter.mjs").write_text("""
import { serve } from "../shared/line_protocol.mjs";
await serve("script", "", async (ask, outcome) => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(ask.request);
  const answer = await fetch(`${ask.base_url}/chat/completions`, { method: "POST", headers, body });
  const { message } = (await answer.json()).choices[0];
  for (const call of message.tool_calls ?? []) outcome.call(call.id, call.function.name, call.function.arguments);
}, { modes: ["complete"] });
""")
    assert call(["clients", "check", str(folder), "--cache", str(tmp_path / "cache")]) == 0


def test_folders_that_are_wrong_say_everything_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "Wrong_Name"
    folder.mkdir()
    (folder / "client.yaml").write_text("name: other\ntitle: [1]\nlanguage: L\nhome: h\ndrives: d\ncolour: red\n")
    with pytest.raises(ConfigError) as caught:
        load(folder)
    told = "\n".join(caught.value.problems)
    for part in ("lower-case letters", "name has to be that of the folder", "title is missing", "package is missing"):
        assert part in told
    assert "colour is no key" in told
    assert "nothing to start" in told
    (folder / "client.yaml").write_text("- a\n- b")
    with pytest.raises(ConfigError, match="no mapping"):
        load(folder)
    (folder / "client.yaml").write_bytes(b"\xff\xfe: [")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(folder)


def test_every_folder_that_comes_with_the_package_is_well_formed() -> None:
    for folder in sorted(path.parent for path in BUNDLED.glob("*/client.yaml")):
        assert load(folder).name == folder.name


def test_locks_are_read_without_their_hashes() -> None:
    hashes = "    --hash=sha256:00 \\\n    --hash=sha256:11\n"
    lock = f"# by hand\nOne_Thing==1.0 ; python_version < '4' \\\n{hashes}    # via x\n"
    assert [str(pin) for pin in pins(lock)] == ['One_Thing==1.0; python_version < "4"']
    assert exchanged(lock, Override("one-thing", "2")) == "one-thing==2\n"
    with pytest.raises(ConfigError, match="does not pin other"):
        exchanged(lock, Override("other", "2"))
    with pytest.raises(ConfigError, match=r"requirements\.lock: one two"):
        list(pins("one two\n"))


def test_versions_are_read() -> None:
    assert overrides("OpenAI==3.13.0, 3.14.0,3.13.0") == [Override("openai", "3.13.0"), Override("openai", "3.14.0")]
    for wrong in ("", "==1", "a==", "a==1,", "a>=1", "a b==1", "../a==1", "a==1;2"):
        with pytest.raises(ConfigError, match="it has to look like"):
            overrides(wrong)


def test_nothing_is_started_after_the_end() -> None:
    children = Children()
    child = children.start(["sleep", "600"], None)
    children.stop()
    assert child.wait(10) < 0
    with pytest.raises(Stopped):
        children.run(["sleep", "600"], None, 1)
    children.end(child)


def test_an_installer_that_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError):
        Children().run(["sleep", "600"], None, 0.1)

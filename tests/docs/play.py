"""One block after the other, as a reader would go through a page."""

from __future__ import annotations

import json
import re
import subprocess
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, Final

import jsonschema_rs
import yaml

from conformance.errors import ConformanceError
from conformance.providers.load import load
from tests.docs import commands
from tests.docs.blocks import ROOT, Block, Wrong
from tests.docs.outputs import matches
from tests.docs.stages import STAGES
from tests.docs.world import World

_SLOW: Final = re.compile(r"\s*make\b")
"""Commands that only `make -n` sees: they take minutes, or install."""


def play(block: Block, world: World) -> str:
    """Do what a block shows.

    Returns:
        What was done with it, one word.

    Raises:
        Wrong: the block does not hold.
    """
    world.prepare(block)
    settings = block.settings
    if "not-run" in settings:
        if not settings["not-run"]:
            raise Wrong("say why it cannot be run")
        commands.check(block.text)
        return "not-run"
    if "output" in settings or "output-of" in settings:
        return _compare(block, world)
    if "file" in settings:
        return _save(block, world)
    how = _BY_KIND.get(block.kind)
    if how is None:
        raise Wrong(f"nothing is known about blocks of the kind {block.kind!r}; say what it is in a comment above it")
    return how(block, world)


def _run(block: Block, world: World) -> str:
    commands.check(block.text if block.kind != "console" else "\n".join(c.text for c in commands.console(block.text)))
    shown = commands.console(block.text) if block.kind == "console" else commands.script(block.text)
    if "background" in block.settings:
        world.start(shown.pop(0).text)
    codes = [int(code) for code in block.settings.get("exit", "0").split(",")]
    if len(codes) == 1:
        codes *= len(shown)
    done, printed = "checked" if shown else "run", ""
    for command, code in zip(shown, codes, strict=True):
        if _SLOW.match(command.text):
            continue
        done = "run"
        if (ended := world.run(command.text)) != code:
            raise Wrong(f"{command.text!r} ends with {ended} instead of {code}:\n{world.printed}")
        if command.output is not None and not matches(command.output, world.printed):
            raise Wrong(f"{command.text!r} prints\n{world.printed}\ninstead of\n{command.output}")
        printed += world.printed
    world.printed = printed
    return done


def _compare(block: Block, world: World) -> str:
    if command := block.settings.get("output-of"):
        world.run(command)
        shown = block.text.replace("\n", "\n…\n") if "gaps" in block.settings else block.text
        if not matches(shown, world.printed, part=True):
            raise Wrong(f"{command!r} prints\n{world.printed}\nand not\n{block.text}")
        return "compared"
    printed = world.stop() if block.settings["output"] == "background" else world.printed
    if not matches(block.text, printed):
        raise Wrong(f"what was printed is\n{printed}\nand not\n{block.text}")
    return "compared"


def _save(block: Block, world: World) -> str:
    path = world.folder / block.settings["file"]
    if not path.resolve().is_relative_to(world.folder.resolve()):
        raise Wrong(f"{path} is outside of the folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(world.here(block.text) + "\n", encoding="utf-8")
    if block.kind == "json":
        _json(block, world)
    return "saved"


def _python(block: Block, world: World) -> str:
    stage = STAGES[block.settings["stage"]] if "stage" in block.settings else "{block}"
    if world.python(stage.replace("{block}", block.text)):
        raise Wrong(world.printed)
    return "run"


def _yaml(block: Block, world: World) -> str:
    kind = block.settings.get("is", "providers")
    if kind != "providers":
        _workflow(block.text) if kind == "workflow" else yaml.safe_load(block.text)
        return "checked"
    text = world.here(block.text)
    path = world.folder / "providers.yaml"
    if "add" in block.settings:
        path.write_text(f"{path.read_text('utf-8')}\n{text}\n", encoding="utf-8")
    else:
        path = world.folder / "block.yaml"
        depth = len(text) - len(text.lstrip())
        before = (
            "",
            "providers:\n",
            "providers:\n  acme:\n    base_url: http://127.0.0.1/v1\n    models: [acme-large]\n",
        )
        path.write_text(before[depth // 2] + text + "\n", encoding="utf-8")
    try:
        load(path)
    except ConformanceError as error:
        raise Wrong(str(error)) from None
    return "checked"


def _workflow(text: str) -> None:
    """The shell steps of a workflow, or of a part of one; and that actions of ours get inputs they have."""
    for step in _steps(yaml.safe_load(text)):
        if script := step.get("run"):
            read = subprocess.run(["bash", "-n", "-c", script], capture_output=True, text=True, check=False)
            if read.returncode:
                raise Wrong(f"bash does not read a step: {read.stderr}")
            commands.check(re.sub(r"\$\{\{.*?\}\}", "X", script))
        elif "uses" not in step:
            raise Wrong(f"a step neither runs nor uses anything: {step}")
        elif not step["uses"].startswith("actions/"):
            ours = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
            if unknown := set(step.get("with", {})) - set(ours):
                raise Wrong(f"action.yml has no input {', '.join(sorted(unknown))}")
            if missing := {n for n, i in ours.items() if i.get("required")} - set(step.get("with", {})):
                raise Wrong(f"action.yml requires {', '.join(sorted(missing))}")


def _steps(tree: Any) -> list[Mapping[str, Any]]:
    if isinstance(tree, list):
        return tree
    if "steps" in tree:
        found: list[Mapping[str, Any]] = tree["steps"]
        return found
    return [step for job in tree["jobs"].values() for step in job["steps"]]


def _json(block: Block, _world: World) -> str:
    try:
        document = json.loads(textwrap.dedent(block.text))
        if schema := block.settings.get("schema"):
            jsonschema_rs.validator_for(json.loads((ROOT / schema).read_text("utf-8"))).validate(document)
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise Wrong(f"the JSON does not hold: {error}") from None
    return "checked"


_BY_KIND: Final[Mapping[str, Callable[[Block, World], str]]] = {
    "sh": _run,
    "console": _run,
    "python": _python,
    "yaml": _yaml,
    "json": _json,
}

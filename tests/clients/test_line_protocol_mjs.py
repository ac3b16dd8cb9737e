"""The loop of JavaScript adapters: whatever a library does, each case gets one line, and nothing else is an answer."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import conformance

CLIENTS = Path(conformance.__file__).parent / "clients"
SCHEMA = json.loads((CLIENTS / "protocol.schema.json").read_text("utf-8"))
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

ADAPTER = """
import { load, serve } from "../shared/line_protocol.mjs";

const library = await load(() => import("a-library"));

class Odd extends Error {}

const library_does = {
  answers(outcome, { request }) {
    outcome.call("c1", "get_weather", request.text);
    outcome.refused(undefined, undefined, undefined, new Error("no such tool"));
    Object.assign(outcome, { content: library.said, finishReason: "stop" });
  },
  speaks(outcome) {
    console.log('{"case": "speaks"}');
    process.stdout.write("noise\\n");
  },
  raises(outcome) {
    outcome.call("c1", "get_weather", { big: 7n, "lone": "\\ud83d" });
    throw new Odd("it broke");
  },
  raisesText() { throw "just text"; },
  forgetsARejection() { Promise.reject(new TypeError("nobody waits")); },
  throwsFromATimer() {
    return new Promise(() => setTimeout(() => { throw new RangeError("out of a timer"); }, 1));
  },
  leavesATimer() { setInterval(() => {}, 1000); },
};

await serve("my-client", "a-library", async (ask, outcome) => library_does[ask.case](outcome, ask), {
  packages: ["@scope/part", "not-there"],
});
"""


def package(folder: Path, name: str, version: str, source: str) -> None:
    where = folder / "node_modules" / name
    where.mkdir(parents=True)
    described = {"name": name, "version": version, "type": "module", "exports": "./index.js"}
    (where / "package.json").write_text(json.dumps(described), "utf-8")
    (where / "index.js").write_text(source, "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An adapter without its library."""
    (tmp_path / "shared").mkdir()
    shutil.copyfile(CLIENTS / "shared" / "line_protocol.mjs", tmp_path / "shared" / "line_protocol.mjs")
    found = tmp_path / "my-client"
    found.mkdir()
    (found / "adapter.mjs").write_text(ADAPTER, "utf-8")
    return found


def run(folder: Path, *cases: str, text: str = "{}") -> subprocess.CompletedProcess[bytes]:
    assert NODE is not None
    asked = [{"case": case, "request": {"text": text}} for case in cases]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in asked).encode()
    return subprocess.run([NODE, "adapter.mjs"], cwd=folder, input=lines, capture_output=True, timeout=60, check=False)


def outcomes(folder: Path, *cases: str, text: str = "{}") -> list[Any]:
    """The answers, one for each case; the library is there."""
    package(folder, "a-library", "1.2.3", "export const said = 'mild';")
    package(folder, "@scope/part", "4.5.6", "")
    done = run(folder, *cases, text=text)
    assert done.returncode == 0, done.stderr
    hello, *answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert hello == {
        "protocol": "conformance/client/1",
        "name": "my-client",
        "version": "1.2.3",
        "modes": ["stream", "complete"],
        "packages": {"@scope/part": "4.5.6"},
    }
    valid = Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/outcome"}]})
    for answer in answers:
        valid.validate(answer)
    assert [answer["case"] for answer in answers] == list(cases)
    return answers


def test_an_outcome_is_handed_on_as_it_is(folder: Path) -> None:
    text = '{"city":"Tōkyō \u2028 \u2029 \x85"}'  # some readers of lines break at each of these
    (answer,) = outcomes(folder, "answers", text=text)
    assert answer == {
        "case": "answers",
        "calls": [{"id": "c1", "name": "get_weather", "arguments": text}],
        "invalid": [{"id": None, "name": None, "arguments": None, "why": "Error: no such tool"}],
        "content": "mild",
        "finish_reason": "stop",
        "error": None,
    }


def test_what_a_library_prints_is_no_answer(folder: Path) -> None:
    answers = outcomes(folder, "speaks", "answers")
    assert answers[0]["calls"] == []
    assert len(answers[1]["calls"]) == 1


def test_what_came_before_an_error_is_kept(folder: Path) -> None:
    answers = outcomes(folder, "raises", "raisesText", "speaks")
    assert answers[0]["error"] == {"type": "Odd", "message": "it broke"}
    assert answers[0]["calls"] == [{"id": "c1", "name": "get_weather", "arguments": {"big": "7", "lone": "\ud83d"}}]
    assert answers[1]["error"] == {"type": "string", "message": "just text"}
    assert answers[2]["error"] is None


def test_an_error_that_nobody_could_catch_is_the_cases_own(folder: Path) -> None:
    answers = outcomes(folder, "forgetsARejection", "throwsFromATimer", "speaks")
    assert [answer["error"] for answer in answers] == [
        {"type": "TypeError", "message": "nobody waits"},
        {"type": "RangeError", "message": "out of a timer"},
        None,
    ]


def test_it_ends_with_its_input_whatever_a_library_keeps_open(folder: Path) -> None:
    assert len(outcomes(folder, "leavesATimer")) == 1


def test_a_library_that_is_not_installed_is_said_in_one_sentence(folder: Path) -> None:
    done = run(folder)
    assert done.returncode == 3
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"npm ci --ignore-scripts" in done.stderr


def test_a_library_that_this_node_cannot_load_is_said_in_one_sentence(folder: Path) -> None:
    package(folder, "a-library", "1.2.3", "import { not_yet_invented } from 'node:fs';")
    done = run(folder)
    assert done.returncode == 3
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"not_yet_invented" in done.stderr
    assert b"another release of Node.js" in done.stderr

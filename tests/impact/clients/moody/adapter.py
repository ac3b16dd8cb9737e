"""A client that answers honest cases and does what mood.txt says on all others; for the tests."""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

MOOD = (Path(__file__).parent / "mood.txt").read_text("utf-8")
HELLO = {"protocol": "conformance/client/1", "name": "moody", "version": "1", "modes": ["complete"]}
NOTHING: dict[str, Any] = {"calls": [], "invalid": [], "content": None, "finish_reason": None}


def say(line: Any) -> None:
    """Print a line at once."""
    print(json.dumps(line), flush=True)


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Read a complete answer."""
    request = urllib.request.Request(f"{case['base_url']}/chat/completions", json.dumps(case["request"]).encode())
    with urllib.request.urlopen(request) as response:
        choice = json.load(response)["choices"][0]
    calls = [{"id": c["id"], **c["function"]} for c in choice["message"].get("tool_calls", ())]
    return {"calls": calls, "invalid": [], "content": None, "finish_reason": choice["finish_reason"], "error": None}


def misbehave(case: dict[str, Any]) -> None:
    """Do what the mood is."""
    if MOOD == "hang":
        time.sleep(600)
    if MOOD == "crash":
        print("the last words", file=sys.stderr, flush=True)
        os._exit(7)
    if MOOD == "chatty":
        print(f"of {case['case']}", file=sys.stderr, flush=True)
        print(f'  File "{__file__}", line 1; see /usr/lib/thing/mod.py and http://127.0.0.1:99/a/b', file=sys.stderr)
        say({"case": case["case"], **NOTHING, "error": {"type": "E", "message": "no"}})
    if MOOD == "signal":
        os.abort()
    if MOOD == "rubbish":
        print("Loading…", flush=True)
    if MOOD == "endless line":
        while True:
            os.write(1, b"x" * 65536)
    if MOOD == "memory":
        hoard = [bytearray(64 * 1024**2) for _ in range(100)]
        time.sleep(600 + len(hoard))
    if MOOD == "another case":
        say({"case": "other", **answer(case)})
    if MOOD == "no error field":
        say({"case": case["case"], "calls": []})
    if MOOD == "asks nothing":
        error = {"type": "ValueError", "message": "no tools, please"}
        say({"case": case["case"], **NOTHING, "error": error})
    if MOOD == "environment":
        error = {"type": "Environment", "message": json.dumps(dict(os.environ))}
        say({"case": case["case"], **answer(case), "calls": [], "error": error})
    if MOOD == "random":
        found = answer(case)
        for call in found["calls"]:
            call["id"] = os.urandom(8).hex()
        message = f"{case['base_url']} {object()} {Path(__file__)} {time.strftime('%Y-%m-%dT%H:%M:%S')}"
        say({"case": case["case"], **found, "invalid": [{**found["calls"][0], "why": message}]})


with (Path(__file__).parents[2] / "starts.txt").open("a") as starts:
    starts.write("started\n")
if MOOD == "no hello":
    sys.exit("there is nothing to say")
if MOOD == "no modes":
    HELLO.pop("modes")
say({**HELLO, "name": "other"} if MOOD == "another name" else HELLO)
for line in sys.stdin:
    asked = json.loads(line)
    if MOOD == "hang at once":
        time.sleep(600)
    if MOOD in ("no ids", "no names"):
        said = answer(asked)
        say({"case": asked["case"], **said, "calls": [{**call, MOOD[3:-1]: None} for call in said["calls"]]})
    elif MOOD == "one call":
        said = answer(asked)
        say({"case": asked["case"], **said, "calls": said["calls"][:1]})
    elif MOOD == "agent" and not asked["case"].startswith("honest-"):
        said = answer(asked)
        messages = [*asked["request"]["messages"], {"role": "tool", "tool_call_id": "c", "content": "mild"}]
        went_on = answer({**asked, "request": {**asked["request"], "messages": messages}})
        say({"case": asked["case"], **went_on, "calls": [*said["calls"], *went_on["calls"]]})
    elif asked["case"].startswith("honest-") and MOOD != "wrong":
        say({"case": asked["case"], **answer(asked)})
    elif MOOD == "wrong":
        say({"case": asked["case"], **answer(asked), "calls": []})
    else:
        misbehave(asked)
if MOOD == "stays":
    time.sleep(600)

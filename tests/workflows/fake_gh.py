"""Stands for GitHub's `gh`: keeps issues and pull requests in the file FAKE_GH. It knows exactly what is used here."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

NOTHING: dict[str, Any] = {"labels": [], "issues": [], "pulls": []}


def parser() -> argparse.ArgumentParser:
    """The commands and options that are known."""
    whole = argparse.ArgumentParser(prog="gh", allow_abbrev=False)
    groups = whole.add_subparsers(dest="group", required=True)
    known: dict[str, dict[str, tuple[str, ...]]] = {
        "auth": {"setup-git": ()},
        "label": {"create": ("name", "--force+", "--description", "--color")},
        "issue": {
            "list": ("--label", "--state", "--limit", "--json"),
            "create": ("--title", "--label", "--body-file"),
            "edit": ("number", "--title", "--body-file"),
            "comment": ("number", "--body-file"),
            "close": ("number",),
        },
        "pr": {
            "list": ("--head", "--state", "--json", "--jq"),
            "create": ("--head", "--base", "--title", "--body-file"),
            "edit": ("number", "--body-file"),
        },
    }
    for group, commands in known.items():
        inner = groups.add_parser(group, allow_abbrev=False).add_subparsers(dest="command", required=True)
        for command, options in commands.items():
            one = inner.add_parser(command, allow_abbrev=False)
            for option in options:
                if option.endswith("+"):
                    one.add_argument(option[:-1], action="store_true", required=True)
                else:
                    one.add_argument(option, **({"required": True} if option.startswith("-") else {}))  # type: ignore[arg-type]
    return whole


def main() -> None:
    """Carry one command out."""
    file = Path(os.environ["FAKE_GH"])
    state = json.loads(file.read_text()) if file.exists() else NOTHING
    given = parser().parse_args()
    if not os.environ.get("GH_TOKEN"):
        sys.exit("gh: to use GitHub CLI in a workflow, set the GH_TOKEN environment variable")
    body = Path(given.body_file).read_text(encoding="utf-8") if "body_file" in given else ""
    if len(body) > 65536:
        sys.exit("gh: Body is too long (maximum is 65536 characters)")
    things = state["issues" if given.group == "issue" else "pulls"]
    thing = next((one for one in things if "number" in given and one["number"] == int(given.number)), None)
    match given.group, given.command:
        case "label", "create":
            state["labels"] = sorted({*state["labels"], given.name})
        case "issue", "list":
            assert (given.state, given.json) == ("open", "number,body")
            print(json.dumps([_fields(one) for one in things if one["open"] and given.label == one["label"]]))
        case "issue", "create":
            if given.label not in state["labels"]:
                sys.exit(f"could not add label: {given.label!r} not found")
            number = 2 * len(things) + 1
            things.append({"number": number, "open": True, "label": given.label, "comments": []})
            things[-1] |= {"title": given.title, "body": body}
        case "issue", "edit" if thing is not None:
            thing |= {"title": given.title, "body": body}
        case "issue", "comment" if thing is not None:
            thing["comments"].append(body)
        case "issue", "close" if thing is not None:
            thing["open"] = False
        case "pr", "list":
            assert (given.state, given.json, given.jq) == ("open", "number", ".[].number")
            print(*(one["number"] for one in things if one["open"] and one["head"] == given.head), sep="\n", end="")
        case "pr", "create":
            things.append({"number": 2 * len(things) + 2, "open": True, "head": given.head, "base": given.base})
            things[-1] |= {"title": given.title, "body": body}
        case "pr", "edit" if thing is not None:
            thing["body"] = body
        case "auth", _:
            pass
        case _:
            sys.exit("gh: no such issue or pull request")
    file.write_text(json.dumps(state))


def _fields(one: dict[str, Any]) -> dict[str, Any]:
    return {"number": one["number"], "body": one["body"]}


if __name__ == "__main__":
    main()

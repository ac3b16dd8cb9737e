"""Opens, refreshes and closes an issue for each changed cell, through `gh`.

    issues.py RESULT            the folder that merge.sh wrote

An issue that is open already is found again by the hidden line with the key of its cell, among those with the label
`nightly`, which only people with a say in the repository can give. It is closed once the cell is settled (night.py says
when); where this night could not tell, it stays.

RUN_URL: the address of the run, for the texts; may be empty.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LABEL = "nightly"
MOST = 20
"""Issues opened in one night: more at once have one cause, and are one matter."""

_CLOSED = (
    "Settled: what always showed no longer does, nothing showed for days, what shows does not count, or an expectation "
    "is about it.\n"
)
_LONGEST = 60_000  # characters; GitHub takes 65536
_KEY = re.compile(r"^<!-- conformance-cell: (\S+) -->\r?$", re.MULTILINE)
_CHANGE = re.compile(r"^<!-- conformance-change: (\w+) -->\r?$", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """What `conformance diff -f issues` says about a cell."""

    title: str
    body: str
    unexpected: bool


def texts(folder: Path, run_url: str) -> dict[str, Text]:
    """The texts in a folder, by the key of the cell."""
    found = {}
    for path in sorted(folder.glob("*.md")):
        title, _, body = path.read_text(encoding="utf-8").partition("\n")
        key, change = _KEY.search(body), _CHANGE.search(body)
        if key is None or change is None:
            raise ValueError(f"{path}: no text of an issue; let 'conformance diff -f issues' write it")
        whole = body if len(body) <= _LONGEST else body[:_LONGEST] + "\n\n(The rest is cut.)\n"
        link = f"\n[The run]({run_url})\n" if run_url else ""
        found[key[1]] = Text(title.removeprefix("# "), whole + link, change[1] == "unexpected")
    return found


def open_issues() -> dict[str, int]:
    """The number of the open issue of each cell; of several the oldest."""
    fields = ("--state", "open", "--limit", "1000", "--json", "number,body")
    listed = json.loads(_gh("issue", "list", "--label", LABEL, *fields))
    keyed = [(found[1], one["number"]) for one in listed if (found := _KEY.search(one["body"]))]
    return dict(sorted(keyed, key=lambda one: -one[1]))


def bring_up_to_date(changes: Mapping[str, Text], settled: frozenset[str], known: Mapping[str, int]) -> None:
    """Open, refresh and close."""
    wanted = {key: text for key, text in changes.items() if text.unexpected}
    new = [key for key in wanted if key not in known]
    for key in wanted.keys() & known.keys():
        _with_body(wanted[key].body, "issue", "edit", str(known[key]), "--title", wanted[key].title)
        print(f"refreshed #{known[key]}: {wanted[key].title}")
    if new[:MOST]:
        _gh("label", "create", LABEL, "--force", "--description", "Found by the nightly job", "--color", "d93f0b")
    for key in new[:MOST]:
        _with_body(wanted[key].body, "issue", "create", "--title", wanted[key].title, "--label", LABEL)
        print(f"opened: {wanted[key].title}")
    if new[MOST:]:
        print(f"::warning title=issues::{len(new) - MOST} more cells changed; the summary of the night has them")
    for key in sorted(known.keys() & settled - wanted.keys()):
        text = changes[key].body if key in changes else _CLOSED
        _with_body(text, "issue", "comment", str(known[key]))
        _gh("issue", "close", str(known[key]))
        print(f"closed #{known[key]}")


def _with_body(body: str, *arguments: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
        file.write(body)
        file.flush()
        _gh(*arguments, "--body-file", file.name)


def _gh(*arguments: str) -> str:
    return subprocess.run(["gh", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    result = Path(sys.argv[1])
    try:
        said = texts(result / "issues", os.environ.get("RUN_URL", ""))
        calm = frozenset((result / "settled").read_text(encoding="utf-8").split())
        bring_up_to_date(said, calm, open_issues())
    except (OSError, ValueError) as problem:
        sys.exit(f"issues: {problem}")
    except subprocess.CalledProcessError as problem:
        sys.exit(
            f"issues: 'gh {' '.join(problem.cmd[1:3])}' ended with {problem.returncode}; what it said stands above"
        )

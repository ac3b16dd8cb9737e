"""Where a night is read from: run records, a `quirks.json`, or a revision of one that git keeps."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any, Final

from conformance.diff.night import Night, read
from conformance.errors import ConfigError, InputError
from conformance.report import history, json_
from conformance.report.matrix import build
from conformance.run.record import Record, load_record

PUBLISHED: Final = "reports/quirks.json"
"""What a revision without a path means."""

HISTORY: Final = "history.jsonl"
"""What is read beside it, if a revision has it."""

_HELP: Final = "give a run record, a folder, a quirks.json, or a git revision as in HEAD~1"


def load(name: str, *, strict: bool = False) -> Night:
    """Read one side of a comparison.

    Args:
        name: a file or a folder; several records with commas between them, which are put together as
            `conformance report` does; a git revision, which means its `reports/quirks.json`; or `REV:path`.
        strict: `should` findings count.

    Raises:
        InputError: it cannot be read, or is not what it should be.
        RecordError: a record is altered or incomplete.
        ConfigError: git is needed and is not there.
    """
    if not name:
        raise InputError(f"an empty name says no side of a comparison; {_HELP}")
    if _exists(name):
        return _from_files(name, [Path(name)], strict)
    if "," in name:
        return _from_files(name, [Path(part) for part in name.split(",") if part], strict)
    revision, _, path = name.partition(":")
    document, past = _from_git(name, revision, path or PUBLISHED)
    beside = history.parse(f"{name}: {HISTORY}", past) if past is not None else None
    return read(name, _decoded(name, document), beside)


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # too long for a name
        return False


def _from_files(name: str, paths: list[Path], strict: bool) -> Night:
    files = [_file(path) for path in paths]
    records = [load_record(path) for path in files if _is_record(path)]
    if len(records) == len(files):
        return _from_records(name, records, strict)
    if len(files) > 1:
        raise InputError(f"{name}: only run records can be put together; give one quirks.json alone")
    return read(name, _decoded(name, files[0].read_bytes()))


def _from_records(name: str, records: list[Record], strict: bool) -> Night:
    return read(name, json.loads(json_.render(build(*records, strict=strict))))


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    for name in ("run.jsonl", "quirks.json"):
        if (path / name).is_file():
            return path / name
    raise InputError(f"{path}: the folder holds neither a run.jsonl nor a quirks.json; give one that a run wrote to")


def _is_record(path: Path) -> bool:
    """Whether the first line is one of a run record; a matrix is a document of many lines."""
    try:
        with path.open("rb") as stream:
            first = stream.readline(1 << 24)
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror or problem}; {_HELP}") from None
    try:
        line = json.loads(first)
    except (ValueError, RecursionError):
        return path.suffix == ".jsonl"
    return isinstance(line, dict) and "type" in line


def _decoded(name: str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{name}: neither a run record nor JSON ({problem}); {_HELP}") from None


def _from_git(name: str, revision: str, path: str) -> tuple[bytes, bytes | None]:
    """The file, and the history beside it, if there is one."""
    if not revision or revision.startswith("-"):
        raise InputError(f"{name}: no such file; {_HELP}")
    if _git("rev-parse", "--is-inside-work-tree").returncode:
        raise InputError(f"{name}: no such file, and this folder is in no git repository; {_HELP}")
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit.returncode:
        shallow = _git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        why = "; this clone is shallow: fetch more of the past (in GitHub Actions: fetch-depth: 0)" if shallow else ""
        raise InputError(f"{name}: no such file, and no such revision in git; {_HELP}{why}")
    sha = commit.stdout.decode().strip()
    shown = _git("cat-file", "blob", f"{sha}:{path}")
    if shown.returncode:
        raise InputError(f"{name}: {revision} holds no file {path}; name another as in {revision}:path/quirks.json")
    past = _git("cat-file", "blob", f"{sha}:{PurePosixPath(path).parent / HISTORY}")
    return shown.stdout, past.stdout if past.returncode == 0 else None


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    # what has to be fetched first is an error here, not a request to somewhere
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.run(["git", *arguments], capture_output=True, check=False, env=environment)
    except OSError as problem:
        raise ConfigError(f"git: {problem.strerror or problem}; install git, or give a file") from None

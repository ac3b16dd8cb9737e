"""The run record `run.jsonl`: JSON Lines with a header, one line per exchange, and a footer (DESIGN §4.8)."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, cast

from conformance.errors import ConfigError, RecordError
from conformance.run.rows import SCHEMA, ExchangeRow, Footer, Header, Row, order

PART: Final = ".part"
"""Suffix of a record that is being written."""


@dataclass(frozen=True, slots=True)
class Record:
    """A run record as read.

    Attributes:
        path: where it was read from.
        header, exchanges: its lines; exchanges in the order of `conformance.run.rows.order`.
        footer: None if the run did not finish (the record is incomplete).
    """

    path: Path
    header: Header
    exchanges: tuple[ExchangeRow, ...]
    footer: Footer | None

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return self.footer is not None


class RecordWriter:
    """Writes a run record, readable at every moment and replaced only as a whole.

    Lines go to `<name>.part` beside the target as they come; leaving the `with` block sorts them into plan order and
    puts the result in the target's place. A run that was interrupted leaves a record without footer; one that was
    killed, or never came to its first exchange, leaves an older record untouched.

    Args:
        path: the target, `DIR/run.jsonl`; its folder is created.

    Raises:
        ConfigError: the folder or the file cannot be written (found out at once, before anything is sent).
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._part = path.with_name(path.name + PART)
        self._header = header
        self._lines: list[ExchangeRow] = []
        self._footer: Footer | None = None
        check_writable(path)
        try:
            self._stream: IO[str] = self._part.open("w", encoding="utf-8")
        except OSError as problem:
            raise _unwritable(path, problem) from None
        try:
            self._put(header)
        except ConfigError:
            self._part.unlink(missing_ok=True)
            raise

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def exchange(self, row: ExchangeRow) -> None:
        """Add the line of one exchange.

        Raises:
            ConfigError: it cannot be written; the lines before it stay in `<name>.part`.
        """
        self._lines.append(row)
        self._put(row)

    def finish(self, footer: Footer) -> None:
        """Add the footer; the run came to its end."""
        self._footer = footer

    def close(self) -> None:
        """Put the record in its place; called twice it does nothing.

        Raises:
            ConfigError: it cannot be written; an older one is untouched, and the lines stay in `<name>.part`.
        """
        if self._stream.closed:
            return
        with contextlib.suppress(OSError):  # what could not be written is in `_lines`
            self._stream.close()
        if not self._lines and self._footer is None:
            self._part.unlink(missing_ok=True)
            return
        rows: list[Row] = [self._header, *sorted(self._lines, key=order)]
        if self._footer is not None:
            rows.append(self._footer)
        try:
            _write_atomically(self.path, "".join(map(_line, rows)))
        except OSError as problem:
            raise _full(self.path, problem) from None
        self._part.unlink(missing_ok=True)

    def _put(self, row: Row) -> None:
        try:
            self._stream.write(_line(row))
            self._stream.flush()
        except OSError as problem:
            with contextlib.suppress(OSError):
                self._stream.close()
            raise _full(self.path, problem) from None


def check_writable(path: Path) -> None:
    """Make the folder of `path` and try to write in it.

    Raises:
        ConfigError: it cannot be made or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.is_dir():
            raise IsADirectoryError("it is a folder")
    except OSError as problem:
        raise _unwritable(path, problem) from None


def load_record(path: Path, *, incomplete: bool = False) -> Record:
    """Read a run record.

    Args:
        path: the file.
        incomplete: accept a record whose run did not finish.

    Raises:
        RecordError: the file cannot be read, is empty, a line is not JSON or not what the schema says, the header is
            missing or of another format, or (unless `incomplete`) there is no footer.
    """
    rows = list(_rows(path, incomplete))
    if not rows:
        raise RecordError(f"{path}: the run record is empty; run again")
    (_, header), rest = rows[0], rows[1:]
    if header["type"] != "header":
        raise RecordError(f"{path}: line 1 is no header, so this is no run record or its beginning is lost")
    footer: Footer | None = None
    exchanges: list[ExchangeRow] = []
    for number, row in rest:
        if footer is not None:
            raise RecordError(f"{path}: line {number} comes after the footer; two records were joined")
        if row["type"] == "header":
            raise RecordError(f"{path}: line {number} is a second header; two records were joined")
        if row["type"] == "footer":
            footer = row
        else:
            exchanges.append(row)
    if footer is None and not incomplete:
        raise RecordError(f"{path}: no footer, the run did not finish: the record is incomplete; run again")
    if footer is not None and footer["exchanges"] != len(exchanges):
        raise RecordError(
            f"{path}: the footer counts {footer['exchanges']} exchanges and {len(exchanges)} are there: lines are lost"
        )
    return Record(path, header, tuple(sorted(exchanges, key=order)), footer)


def salvage(path: Path) -> None:
    """Make a record, without footer, of the lines that a killed run left beside it; they are newer than the record.

    Raises:
        ConfigError: it cannot be written.
    """
    part = path.with_name(path.name + PART)
    if not part.exists():
        return
    try:
        lines = [line for line in part.read_bytes().split(b"\n")[:-1] if line]  # the last one may be half there
        if len(lines) > 1:
            _write_atomically(path, b"".join(line + b"\n" for line in lines).decode("utf-8"))
        part.unlink()
    except OSError as problem:
        raise _unwritable(path, problem) from None


def schema() -> dict[str, Any]:
    """The JSON Schema of one line of a run record."""
    text = resources.files("conformance.run").joinpath("record.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _rows(path: Path, incomplete: bool) -> Iterator[tuple[int, Row]]:
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as problem:
        raise RecordError(f"{path}: {problem.strerror or problem}; give the run.jsonl that a run wrote") from None
    except UnicodeDecodeError as problem:
        raise RecordError(f"{path}: not UTF-8 at byte {problem.start}, so this is no run record") from None
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as problem:
            if incomplete and number == len(lines) and number > 1:
                return
            raise RecordError(f"{path}: line {number} is not JSON ({problem}); the record is cut or altered") from None
        if number == 1 and isinstance(row, dict) and row.get("schema", SCHEMA) != SCHEMA:
            raise RecordError(f"{path}: its format is {row['schema']!r}, this version reads {SCHEMA!r}")
        fault = next(iter(_validator().iter_errors(row)), None)
        if fault is not None:
            raise RecordError(f"{path}: line {number}: {_explain(row, fault)}")
        yield number, cast("Row", row)


def _explain(row: Any, fault: Any) -> str:
    if not isinstance(row, dict) or row.get("type") not in ("header", "exchange", "footer"):
        return "neither header, exchange nor footer of a run record"
    branch = _branch(row["type"])
    inner = next(iter(branch.iter_errors(row)), fault)
    place = "".join(f"/{step}" for step in inner.instance_path) or "the line"
    message = str(inner.message)
    return f"{place}: {message if len(message) <= 160 else message[:159] + '…'}"


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema())


@cache
def _branch(kind: str) -> Any:
    import jsonschema_rs

    whole = schema()
    return jsonschema_rs.validator_for({"definitions": whole["definitions"], "$ref": f"#/definitions/{kind}"})


def _line(row: Row) -> str:
    return json.dumps(row, separators=(",", ":")) + "\n"


def _write_atomically(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _unwritable(path: Path, problem: OSError) -> ConfigError:
    return ConfigError(
        f"{path.parent}: cannot write here ({problem.strerror or problem}); choose another folder with -o"
    )


def _full(path: Path, problem: OSError) -> ConfigError:
    return ConfigError(
        f"{path}: cannot be written any further ({problem.strerror or problem}); make room, and run again with --resume"
    )

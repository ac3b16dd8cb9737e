"""The text of a cassette: standard vcrpy YAML, readable in a diff, byte-exact, sealed, written as a whole.

The seal is a comment at the end that holds the SHA-256 of everything before it. vcrpy does not see it; we notice any
byte that changed since, in a header or a status as well as in a body. Line ends are normalised first, because version
control may change those, and YAML reads them alike.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import yaml
from vcr.serializers import jsonserializer, yamlserializer
from yaml.emitter import ScalarAnalysis

from conformance.errors import CassetteError

METADATA: Final = "x-conformance"
"""Key of our own data in a response."""

_SEAL: Final = b"# sha256 of all lines above: "
_SEALED: Final = re.compile(re.escape(_SEAL) + rb"([0-9a-f]{64})\n\Z")
_BLOCK: Final = re.compile(
    "[^ \\n][\\n\\t\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]*"
)
"""What a YAML literal block can hold, and all readers read alike: no CR, NEL, line separator, BOM or control."""


_LONG: Final = 1 << 16
_TEMPORARY: Final = ".tmp"
_ESCAPED: Final = re.compile('["\\\\]|[^\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd]')


class Unreadable(Exception):
    """Why a text is no cassette, as the rest of a sentence that begins with the file's name."""


def serialize(cassette: dict[str, Any]) -> str:
    """The YAML text of a cassette, without a seal. Together with `deserialize` a vcrpy serializer."""
    prepared = {
        "interactions": [_prepared(interaction) for interaction in cassette["interactions"]],
        **{key: value for key, value in cassette.items() if key != "interactions"},
    }
    text: str = yaml.dump(prepared, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=float("inf"))
    if _reads_as(text, cassette):
        return text
    # Emitters and parsers of YAML disagree in corners; plain ASCII with escapes is where they meet.
    text = yaml.dump(cassette, Dumper=yaml.SafeDumper, sort_keys=False)
    if not _reads_as(text, cassette):
        raise CassetteError("the exchange cannot be written as YAML; nothing was written, please report this")
    return text


def deserialize(text: str) -> Any:
    """What vcrpy would read from a text, YAML or JSON."""
    if text.lstrip()[:1] == "{":
        with contextlib.suppress(ValueError):
            return jsonserializer.deserialize(text)
    return yamlserializer.deserialize(text)


def seal(text: str) -> bytes:
    """The bytes to write."""
    data = text.encode()
    return data + _SEAL + hashlib.sha256(data).hexdigest().encode() + b"\n"


def unseal(data: bytes) -> str:
    """The text of a cassette, verified if it is one of ours.

    Raises:
        Unreadable: it is empty, not text, or not what was written.
    """
    if not data.strip():
        raise Unreadable("is empty")
    plain = data.replace(b"\r\n", b"\n")
    found = _SEALED.search(plain)
    if found is None:
        if _SEAL[:10] in plain[-120:] or f"{METADATA}:".encode() in plain:
            raise Unreadable("was changed since it was recorded: its last line, the checksum, is missing or damaged")
    elif hashlib.sha256(plain[: found.start()]).hexdigest().encode() != found[1]:
        raise Unreadable("was changed since it was recorded: its checksum does not fit")
    try:
        return plain.decode()
    except UnicodeDecodeError as problem:
        line = plain.count(b"\n", 0, problem.start) + 1
        raise Unreadable(f"is not UTF-8 (line {line})") from None


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all.

    Raises:
        CassetteError: it cannot be written; what was there stays.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_TEMPORARY)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(path.stat().st_mode if path.exists() else 0o644)
        Path(temporary).replace(path)
    except OSError as problem:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        raise CassetteError(
            f"{shown(path)} cannot be written ({problem.strerror}); the recording is lost, an older one is untouched"
        ) from None


def sweep(folders: Iterable[Path]) -> None:
    """Remove what a recording that was killed left half written below these folders."""
    for folder in folders:
        for left in folder.rglob(f".*{_TEMPORARY}"):
            with contextlib.suppress(OSError):
                left.unlink()


def shown(path: Path) -> str:
    """A path as messages name it: from the working directory, where it lies below that."""
    with contextlib.suppress(ValueError, OSError):
        return str(path.absolute().relative_to(Path.cwd()))
    return str(path)


def _reads_as(text: str, cassette: dict[str, Any]) -> bool:
    try:
        return bool(yamlserializer.deserialize(text) == cassette)
    except (yaml.YAMLError, ValueError):
        return False


class _Body(str):
    """To be written as a literal block."""


class _Long(str):
    """To be written between double quotes, on one line."""


class _Row(list[Any]):
    """To be written on one line."""


def _prepared(interaction: dict[str, Any]) -> dict[str, Any]:
    request = dict(interaction["request"])
    request["body"] = _block(request.get("body"))
    response = dict(interaction["response"])
    body = response.get("body")
    if isinstance(body, dict) and "string" in body:
        response["body"] = {**body, "string": _block(body["string"])}
    own = response.get(METADATA)
    if isinstance(own, dict) and isinstance(own.get("pieces"), list):
        response[METADATA] = {**own, "pieces": _Row(own["pieces"])}
    return {**interaction, "request": request, "response": response}


def _block(body: Any) -> Any:
    if not isinstance(body, str):
        return body
    return _Body(body) if _BLOCK.fullmatch(body) else _Long(body) if len(body) > _LONG else body


class _Dumper(yaml.SafeDumper):
    # PyYAML looks at a scalar character by character, and would take a minute for a body of some megabytes.

    def analyze_scalar(self, scalar: str) -> Any:
        if not isinstance(scalar, (_Body, _Long)):
            return super().analyze_scalar(scalar)
        # PyYAML would quote for a tab or a blank before a line end, both fine in a block.
        return ScalarAnalysis(
            scalar=scalar,
            empty=False,
            multiline="\n" in scalar,
            allow_flow_plain=False,
            allow_block_plain=False,
            allow_single_quoted=False,
            allow_double_quoted=True,
            allow_block=isinstance(scalar, _Body),
        )

    def write_literal(self, text: str) -> None:
        hints = self.determine_block_hints(text)
        self.write_indicator(f"|{hints}", True)
        self.open_ended = hints.endswith("+")
        self.write_line_break()
        pad = " " * (self.indent or 0)
        lines = text.split("\n")
        self.stream.write("\n".join(pad + line if line else "" for line in lines))
        self.column = len(pad) + len(lines[-1]) if lines[-1] else 0
        self.whitespace = self.indention = not lines[-1]

    def write_double_quoted(self, text: str, split: bool = True) -> None:
        if not isinstance(text, _Long):
            super().write_double_quoted(text, split)
            return
        self.write_indicator('"', True)
        self.stream.write(_ESCAPED.sub(_escape, text))
        self.write_indicator('"', False)


def _escape(found: re.Match[str]) -> str:
    if found[0] in '"\\':
        return f"\\{found[0]}"
    point = ord(found[0])
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


_Dumper.add_representer(_Body, lambda dumper, body: dumper.represent_scalar("tag:yaml.org,2002:str", body, style="|"))
_Dumper.add_representer(
    _Row, lambda dumper, row: dumper.represent_sequence("tag:yaml.org,2002:seq", row, flow_style=True)
)
_Dumper.add_representer(_Long, lambda dumper, body: dumper.represent_scalar("tag:yaml.org,2002:str", body, style='"'))

"""Write redacted captures (DESIGN §6.2): what `conformance inspect` reads back to the same verdict."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from conformance.errors import ConfigError, InputError
from conformance.model import Exchange, Fidelity, Origin
from conformance.support.redaction import Redacted, redact
from conformance.transport.interaction import version


def redacted_capture(exchange: Exchange, *, content: bool = False, secrets: Iterable[str] = ()) -> dict[str, Any]:
    """An exchange as a capture document, redacted.

    Args:
        exchange: any exchange.
        content: replace what people and models wrote as well.
        secrets: more values to mask; see `redact`.

    Raises:
        InputError: the request is nested too deeply.
    """
    return document(redact(exchange, content=content, secrets=secrets))


def document(redacted: Redacted) -> dict[str, Any]:
    """The capture document of a redacted exchange."""
    exchange = redacted.exchange
    found: dict[str, Any] = {
        "provider": exchange.provider or None,
        "model": exchange.model or None,
        "stream": None if exchange.asked_mode is None else exchange.asked_mode == "stream",
        "recorded_at": exchange.recorded_at,
        "redaction": {
            "by": f"conformance {version()}",
            "strings": redacted.masked,
            "content": redacted.content,
            "verdict": redacted.changed or "unchanged",
        },
        "cannot_show": [f.name for f in fields(Fidelity) if not getattr(exchange.fidelity, f.name)],
        "request": exchange.request,
        "status": exchange.status,
        "response_headers": dict(exchange.headers),
        "ended": asdict(exchange.ended),
    }
    if exchange.origin is not None:
        found |= {"source": _source(exchange.origin), "recorded": exchange.origin.recorded}
    if exchange.pieces:
        found["pieces"] = [[piece.at_ms, piece.size] for piece in exchange.pieces]
    try:
        found["response_body"] = exchange.body.decode()
    except UnicodeDecodeError:
        found["response_body_base64"] = base64.b64encode(exchange.body).decode()
    return found


def write_capture(
    exchanges: Sequence[Exchange],
    path: Path,
    *,
    content: bool = False,
    secrets: Iterable[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Path:
    """Write exchanges as redacted captures: JSON for one, JSON Lines for several.

    Args:
        exchanges: at least one.
        path: the file; one that is there is replaced, in one step, unless an exchange was read from it.
        content: replace what people and models wrote as well.
        secrets: more values to mask; see `redact`.
        tell: is told, one sentence each, where redaction changes a verdict.

    Raises:
        InputError: there are no exchanges, or a request is nested too deeply.
        ConfigError: the file cannot be written, or is the evidence itself.
    """
    if not exchanges:
        raise InputError(f"{path}: there is no exchange to write; give a file that holds one")
    for exchange in exchanges:
        if _same_file(path, exchange.source.rpartition("#")[0]):
            raise ConfigError(f"{path}: the exchange was read from this file; write the redacted one to another")
    values = tuple(secrets)
    documents = []
    for exchange in exchanges:
        redacted = redact(exchange, content=content, secrets=values)
        documents.append(document(redacted))
        if redacted.changed:
            tell(f"{exchange.source}: {redacted.changed}")
    indent = 2 if len(documents) == 1 else None
    write(path, b"".join(as_json(found, indent=indent) for found in documents))
    return path


def as_json(value: Mapping[str, Any], *, indent: int | None = 2) -> bytes:
    """A document as JSON, with everything in it as it was: NaN and halves of surrogate pairs too."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent).encode()
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent).encode()
    return text + b"\n"


def write(path: Path, data: bytes, *, executable: bool = False) -> None:
    """Write a file in one step: it is there as a whole, or as it was.

    Raises:
        ConfigError: it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device or a pipe; a folder says so
            return
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            part.write_bytes(data)
            if executable:
                mode = part.stat().st_mode
                part.chmod(mode | (mode & 0o444) >> 2)  # whoever may read it may run it
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"{path}: cannot be written ({why}); choose another place") from None


def _source(origin: Origin) -> dict[str, Any]:
    return {
        "repo": origin.repository,
        "path": origin.path,
        "commit": origin.commit,
        "interaction": origin.interaction,
        "licence": origin.licence,
    }


def _same_file(path: Path, source: str) -> bool:
    try:
        return path.samefile(source)
    except (OSError, ValueError):
        return False

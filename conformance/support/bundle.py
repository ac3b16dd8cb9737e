"""Write the folder that goes to a provider: report, request, script, response, capture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from conformance.errors import ConfigError, InputError
from conformance.model import LEVELS, Exchange, Finding
from conformance.quirks import Verdict
from conformance.support.capture import as_json, document, write
from conformance.support.minimal import Minimal, minimal
from conformance.support.page import page
from conformance.support.redaction import Redacted, redact
from conformance.support.reproduce import script

REPORT: Final = "REPORT.md"
FILES: Final = (
    *("request.json", "reproduce.sh", "response.sse", "response.json", "response.txt", "minimal.sse"),
    *("capture.json", REPORT),
)
"""What a bundle may consist of."""
_ENDS: Final = {"sse": "sse", "json": "json"}


def write_report(
    exchange: Exchange,
    directory: Path,
    *,
    content: bool = False,
    secrets: Iterable[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Write what a provider needs to see a fault and to mend it.

    Args:
        exchange: any exchange that deviates.
        directory: a folder that is not there yet, is empty, or holds an earlier bundle, which is replaced.
        content: replace what people and models wrote as well.
        secrets: more values to mask; see `redact`.
        tell: is told, in one sentence, if redaction changes the verdict.

    Returns:
        The files, the report first.

    Raises:
        InputError: nothing that is the provider's to mend is found.
        ConfigError: the folder is somebody else's, or cannot be written.
    """
    redacted = redact(exchange, content=content, secrets=secrets)
    findings = reportable(redacted.verdict)
    if not findings:
        raise InputError(
            f"{exchange.source}: {_nothing(redacted)}; write the redacted capture alone with --redact FILE"
        )
    if redacted.changed:
        tell(f"{exchange.source}: {redacted.changed}")
    _prepare(directory)
    part = minimal(redacted.transcript, findings[0])
    files = _files(redacted, part)
    files = {REPORT: page(redacted, findings, part, list(files)).encode(), **files}
    for name, data in files.items():
        write(directory / name, data, executable=name.endswith(".sh"))
    return [directory / name for name in files]


def reportable(verdict: Verdict) -> list[Finding]:
    """What deviates and is not the client's own doing, the gravest first."""
    found = [f for f in verdict.findings if f.level != "info" and f.layer != "client"]
    return sorted(found, key=lambda f: LEVELS.index(f.level))


def _files(redacted: Redacted, part: Minimal | None) -> dict[str, bytes]:
    exchange, transcript = redacted.exchange, redacted.transcript
    files: dict[str, bytes] = {}
    if exchange.request is not None:
        files["request.json"] = as_json(exchange.request)
        files["reproduce.sh"] = script(stream=exchange.request.get("stream") is True).encode()
    if transcript.body:
        files[f"response.{_ENDS.get(transcript.kind, 'txt')}"] = transcript.body
    if part is not None:
        files["minimal.sse"] = part.body
    files["capture.json"] = as_json(document(redacted))
    return files


def _nothing(redacted: Redacted) -> str:
    loud = [f for f in redacted.verdict.findings if f.level != "info"]
    if loud:
        return "what deviates is in the request, which is the client's to mend and not the provider's"
    lost = f" ({redacted.changed})" if redacted.changed else ""
    return f"nothing deviates, so there is nothing to report{lost}"


def _prepare(directory: Path) -> None:
    """Make the folder, and clear it of an earlier bundle; whatever else it holds is not touched.

    Raises:
        ConfigError: it holds something else, or cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        held = sorted(directory.iterdir())
        others = [path.name for path in held if path.name not in FILES or directory / REPORT not in held]
        if others:
            raise ConfigError(f"{directory}: holds {others[0]!r} and is no report of ours; choose a new folder")
        # the report goes last and comes first: a bundle that is not whole is still known for one
        for path in sorted(held, key=lambda path: path.name == REPORT):
            path.unlink()
    except (FileExistsError, NotADirectoryError):
        raise ConfigError(f"{directory}: is a file; give a folder for the report") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"{directory}: cannot be written ({why}); choose another folder") from None

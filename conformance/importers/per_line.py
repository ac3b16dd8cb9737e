"""Lines with an exchange each: captures, answers, entries of logs. A file of them can be read from anywhere in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers import capture, dumped, gateway_log, litellm
from conformance.importers.common import decoded, encoded
from conformance.model import Exchange, Fidelity

Reader = Callable[[Mapping[str, Any], str], Exchange | None]

_LOGS: Final[tuple[tuple[Callable[[Any], bool], Reader], ...]] = (
    (litellm.is_record, litellm.exchange),
    (gateway_log.is_record, gateway_log.exchange),
)


def is_exchange(line: bytes) -> bool:
    """Whether a line is an exchange of its own."""
    try:
        document = decoded(line)
    except ValueError:
        return False
    return is_record(document) or is_answer(document)


def is_record(document: Any) -> bool:
    """Whether a decoded JSON value is a capture or an entry of a log, with its request or more beside the answer."""
    return capture.is_capture(document) or any(is_entry(document) for is_entry, _ in _LOGS)


def is_answer(document: Any) -> bool:
    """Whether a decoded JSON value is a whole answer, not a chunk of one."""
    if not isinstance(document, dict) or document.get("object") == "chat.completion.chunk":
        return False
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and isinstance(first.get("message"), dict) and "delta" not in first


def is_failure(document: Any) -> bool:
    """Whether a decoded JSON value is the body of a failed request."""
    return isinstance(document, dict) and bool(document.get("error")) and "choices" not in document


def exchange(line: bytes, name: str, position: int) -> Exchange | None:
    """The exchange of one line; None if it is an entry about something else than a chat completion.

    Raises:
        InputError: the line holds none.
    """
    try:
        document = decoded(line)
    except ValueError as problem:
        raise InputError(f"{name}#{position}: not JSON ({problem}); the line is cut or damaged") from None
    return of_document(document, name, position, line.strip())


def of_document(document: Any, name: str, position: int, line: bytes | None = None) -> Exchange | None:
    """The same for a decoded value; `line` is its text where that is known."""
    try:
        return _of_document(document, name, position, line)
    except RecursionError:  # it can be decoded, but not written again
        raise InputError(f"{name}#{position}: nests too deeply; give the body as it came") from None


def _of_document(document: Any, name: str, position: int, line: bytes | None = None) -> Exchange | None:
    where = f"{name}#{position}"
    if capture.is_capture(document):
        return capture.exchange(document, name, position)
    for is_entry, read in _LOGS:
        if is_entry(document):
            return read(document, where)
    if is_answer(document) or is_failure(document):
        made = dumped.is_dump([document])
        exact = line is not None and not made
        return Exchange(
            source=where,
            body=line if line is not None and exact else encoded(dumped.without_nulls(document) if made else document),
            status=None,
            fidelity=Fidelity(framing=False, text=exact, presence=not made, headers=False),
        )
    raise InputError(f"{where}: neither a capture, an entry of a log nor an answer; give one a line")

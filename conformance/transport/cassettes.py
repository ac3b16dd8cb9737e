"""Cassettes on disk: what pytest-recording is told, and reading without it.

The two functions that a plugin calls are `configure` and `vcr_options`; `Store` works on the cassette that results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from vcr import VCR
from vcr.patch import PATCHER_NAMES
from vcr.persisters.filesystem import CassetteNotFoundError
from vcr.request import Request
from vcr.serialize import deserialize, serialize

from conformance.errors import CassetteCorrupt
from conformance.model import Exchange
from conformance.transport import cassette_file, matching
from conformance.transport.cassette_file import METADATA, Unreadable, replace_file, seal, shown, unseal
from conformance.transport.interaction import to_exchange, verify

Interactions = tuple[list[Request], list[dict[str, Any]]]

REWRITE: Final = "rewrite"
_MATCH_ON: Final = ("method", "path", "known_query", "json_body")


def configure(vcr: VCR) -> None:
    """Make a vcrpy instance read and write our way; in `pytest_recording_configure`, for our own cassettes only."""
    vcr.register_serializer("yaml", cassette_file)
    vcr.register_persister(Persister(getattr(vcr.persister, "extra_paths", ())))
    vcr.register_matcher("known_query", matching.known_query)
    vcr.register_matcher("json_body", matching.json_body)


def vcr_options(record_mode: str | None) -> dict[str, Any]:
    """What the `vcr_config` fixture returns.

    Args:
        record_mode: of the command line. `rewrite` becomes a mode that keeps the old file until the new one is there
            (pytest-recording deletes it first); the others are left to pytest-recording.
    """
    # Nothing is patched: our transport asks the cassette itself, because the patch joins the pieces of a body.
    options: dict[str, Any] = {"match_on": _MATCH_ON, "skip_patchers": PATCHER_NAMES}
    if record_mode == REWRITE:
        options |= {"record_mode": "all", "drop_unused_requests": True}
    return options


def read_cassette(path: str | Path) -> list[Exchange]:
    """The chat completion exchanges of a cassette file, in order.

    Any vcrpy cassette can be read. Those of our own are verified: checksum of the file, checksum and length of every
    body, sizes of the pieces. In others nothing is known about pieces, and a cut body looks whole.

    Raises:
        CassetteCorrupt: the file cannot be read, or its bytes are not those that were recorded.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise CassetteCorrupt(f"{shown(path)} cannot be read: {problem.strerror}") from None
    return exchanges_of(data, shown(path))


def exchanges_of(data: bytes, name: str) -> list[Exchange]:
    """The same for the bytes of a cassette; `name` is its name in sources and messages."""
    try:
        requests, responses = interactions(data)
    except Unreadable as problem:
        raise CassetteCorrupt(f"{name} {problem}; restore it, or record it again") from None
    return [
        to_exchange(request, response, f"{name}#{number}")
        for number, (request, response) in enumerate(zip(requests, responses, strict=True))
        if str(request.path).endswith("/chat/completions")
    ]


def interactions(data: bytes) -> Interactions:
    """Requests and responses of a cassette, verified.

    Raises:
        Unreadable: no cassette can be read from the bytes, or they are not those that were recorded.
    """
    text = unseal(data)
    try:
        requests, responses, *_ = deserialize(text, cassette_file)
        for request, response in zip(requests, responses, strict=True):
            verify(request, response)
    except yaml.MarkedYAMLError as problem:
        line = f" (line {problem.problem_mark.line + 1})" if problem.problem_mark else ""
        raise Unreadable(f"is not YAML: {problem.problem or 'unreadable'}{line}") from None
    except yaml.YAMLError:
        raise Unreadable("is not YAML") from None
    except (KeyError, TypeError, ValueError, AttributeError, LookupError, RecursionError):
        raise Unreadable("is not a vcrpy cassette: it lacks a list of interactions with request and response") from None
    return requests, responses


class Persister:
    """Reads with verification and writes as a whole.

    A cassette that cannot be trusted is reported by `problem_with`, not raised here: vcrpy loads cassettes in a
    fixture, where an error hits the test before it can say *not run*. `Store` asks before it plays or records anything.

    Args:
        extra_paths: further cassettes to play from, as pytest-recording's marker names them.
    """

    def __init__(self, extra_paths: Iterable[str] = ()) -> None:
        self._extra_paths = tuple(extra_paths)

    def load_cassette(self, cassette_path: str, serializer: object) -> Interactions:  # noqa: ARG002
        """Called by vcrpy."""
        key = str(cassette_path)
        _PROBLEMS.pop(key, None)
        found: list[Interactions] = []
        for path in dict.fromkeys((key, *self._extra_paths)):
            try:
                found.append(_own_interactions(Path(path).read_bytes()))
            except FileNotFoundError:
                continue
            except OSError as problem:
                _PROBLEMS[key] = f"{shown(Path(path))} cannot be read: {problem.strerror}"
            except Unreadable as problem:
                _PROBLEMS[key] = f"{shown(Path(path))} {problem}"
        if not found or key in _PROBLEMS:
            raise CassetteNotFoundError
        return (
            [request for requests, _ in found for request in requests],
            [response for _, responses in found for response in responses],
        )

    def save_cassette(self, cassette_path: str, cassette_dict: Mapping[str, Any], serializer: object) -> None:
        """Called by vcrpy, with copies."""
        replace_file(Path(cassette_path), seal(serialize(cassette_dict, serializer)))


def problem_with(path: str) -> str | None:
    """Why the cassette last loaded from a path cannot be trusted; None if nothing is wrong or nothing is there."""
    return _PROBLEMS.get(str(path))


_PROBLEMS: Final[dict[str, str]] = {}


def _own_interactions(data: bytes) -> Interactions:
    requests, responses = interactions(data)
    if not responses:
        raise Unreadable("holds no interaction")
    if not all(METADATA in response for response in responses):
        raise Unreadable("was not recorded by conformance, so nothing vouches for its bytes")
    return requests, responses

"""The smallest part of a stream that still shows a finding: delta debugging over its events.

Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28 (2002), algorithm ddmin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from conformance.model import End, Exchange, Fidelity, Finding
from conformance.quirks import get, judge
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

_BLOCK: Final = re.compile(rb".*?(?:\r\n|\n|\r)(?:\r\n|\n|\r)+|.+", re.DOTALL)
_TRIES: Final = 300
_BYTES: Final = 32 * 1024 * 1024
"""Bytes that may be judged in one search: what bounds it on a long stream."""
_MANY: Final = 400
"""Blocks of a stream that is not searched for a part without other deviations: each try judges everything."""
_SHORT: Final = 24
"""Blocks that a person still reads."""

Test = Callable[[Sequence[bytes]], bool]


@dataclass(frozen=True, slots=True)
class Minimal:
    """A part of a stream.

    Attributes:
        body: its bytes.
        pure: whether it shows no deviation that the whole does not show.
    """

    body: bytes
    pure: bool


def minimal(transcript: Transcript, finding: Finding) -> Minimal | None:
    """The smallest part found that shows the same quirk at the same level.

    A part without any new deviation is preferred, as the provider sees one fault in an honest frame; where that stays
    long, anything may be left out. It is judged as it is read from a file of its own, beside the request: without
    status, headers and end.

    Args:
        transcript: of the whole stream.
        finding: what has to show.

    Returns:
        The part; None where there is no stream, the finding needs more than the body, or nothing can be left out.
    """
    if transcript.kind != "sse":
        return None
    alone = replace(
        transcript.exchange, status=None, headers={}, ended=End(), fidelity=Fidelity(headers=False), pieces=()
    )
    whole: Sequence[bytes] = _BLOCK.findall(transcript.body)
    if not _shows(alone, finding)(whole):
        return None
    blocks = _ddmin(whole, _shows_only(alone, finding, whole)) if len(whole) <= _MANY else whole
    pure = len(blocks) <= _SHORT
    if not pure:
        shows = _shows(alone, finding)
        blocks = _ddmin(_prefix(blocks, shows), shows)
    return Minimal(b"".join(blocks), pure) if len(blocks) < len(whole) else None


def _shows(alone: Exchange, finding: Finding) -> Test:
    quirks = (get(finding.quirk),)

    def shows(blocks: Sequence[bytes]) -> bool:
        verdict = judge(read(replace(alone, body=b"".join(blocks))), quirks)
        return any(found.level == finding.level for found in verdict.findings)

    return shows


def _shows_only(alone: Exchange, finding: Finding, whole: Sequence[bytes]) -> Test:
    def loud(blocks: Sequence[bytes]) -> frozenset[tuple[str, str]]:
        verdict = judge(read(replace(alone, body=b"".join(blocks))))
        return frozenset((found.quirk, found.level) for found in verdict.findings if found.level != "info")

    target, allowed = (finding.quirk, finding.level), loud(whole)
    return lambda blocks: target in (found := loud(blocks)) and found <= allowed


def _prefix(parts: Sequence[bytes], shows: Test) -> Sequence[bytes]:
    """The beginning that is enough, if what shows it in the whole goes on showing it in longer beginnings."""
    low, high = 0, len(parts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(parts[:middle]) else (middle, high)
    return parts[:high]


def _ddmin(parts: Sequence[bytes], shows: Test) -> Sequence[bytes]:
    """Leave out ever smaller groups of parts, as long as what is left shows it."""
    tries, judged, groups = 0, 0, 2
    while len(parts) > 1 and groups <= len(parts):
        for start, end in _windows(len(parts), groups):
            rest = [*parts[:start], *parts[end:]]
            tries, judged = tries + 1, judged + sum(map(len, rest))
            if tries > _TRIES or judged > _BYTES:
                return parts
            if shows(rest):
                parts = rest
                groups = max(groups - 1, 2)
                break
        else:
            if groups == len(parts):
                break
            groups = min(groups * 2, len(parts))
    return parts


def _windows(parts: int, groups: int) -> Iterator[tuple[int, int]]:
    """The groups to leave out; of few parts all neighbours, since a call is some neighbouring events anywhere."""
    if parts > _SHORT:
        yield from pairwise(parts * n // groups for n in range(groups + 1))
        return
    size = max(parts // groups, 1)
    for length in range(size, size // 2, -1):
        yield from ((start, start + length) for start in range(parts - length + 1))

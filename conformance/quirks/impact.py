"""What a quirk does to clients, measured on its own examples with the documented accumulators."""

from __future__ import annotations

from functools import cache

from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM
from conformance.quirks.examples import exchange_of
from conformance.quirks.registry import get
from conformance.wire.documented import impact
from conformance.wire.read import read


@cache
def quirk_impact(slug: str) -> tuple[str, ...]:
    """Names of the documented accumulators that end with wrong calls on a bad example of this quirk.

    Those that fail on an honest answer of the same mode as well are left out: the quirk is not what breaks them.

    Raises:
        KeyError: there is no such quirk.
    """
    anyway = {
        mode: {e.variant for e in impact(read(exchange_of(example))) if e.wrong}
        for mode, example in (("stream", GOOD_STREAM), ("complete", GOOD_COMPLETE))
    }
    hit: dict[str, None] = {}
    for example in get(slug).bad:
        transcript = read(exchange_of(example))
        for effect in impact(transcript):
            if effect.wrong and effect.variant not in anyway[transcript.mode]:
                hit[effect.variant] = None
    return tuple(hit)

"""Whether a choice ends without a word."""

from __future__ import annotations

from conformance.wire.transcript import Choice, Transcript


def never_ends(t: Transcript, choice: Choice) -> bool:
    """Whether the answer was whole and the choice never got a finish reason; an empty one is none."""
    whole = t.exchange.fidelity.whole and not t.cut and t.error is None
    return whole and not choice.finish_reasons

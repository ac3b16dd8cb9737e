"""Observations out of a tally: what a provider's published recordings show, and where each can be looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from conformance.audit.observation import Observation
from conformance.audit.scan import OBSERVED, Rule
from conformance.audit.tally import Found, Key, Seen, Tally
from conformance.model import Mode
from conformance.quirks.registry import Quirk, catalogue

RULE = Rule(by=OBSERVED, published=True)
"""How to count for observations."""


def observations(tally: Tally) -> Iterator[Observation]:
    """One for each group and quirk that shows in it; where it could have and does not, one for all models together.

    A quirk of the client says nothing about the provider and is no observation. A model is not to blame for the wire
    either, but a provider chooses its models: those are kept.

    Args:
        tally: counted by `RULE`.
    """
    quirks = {quirk.slug: quirk for quirk in catalogue() if quirk.layer != "client"}
    clean: dict[tuple[Key, str], Seen] = {}
    for key, group in tally.groups.items():
        for slug, able in group.applicable().items():
            found = group.found.get(slug)
            if slug not in quirks or (found is not None and set(found.layers) == {"client"}):
                continue
            if found is None:
                clean.setdefault((_all_models(key), slug), Seen()).merge(able)
            else:
                yield _observation(key, quirks[slug], able, found)
    for (key, slug), able in clean.items():
        yield _observation(key, quirks[slug], able, None)


def _all_models(key: Key) -> Key:
    return tuple("" if label == "model" else value for label, value in zip(OBSERVED, key, strict=True))


def _observation(key: Key, quirk: Quirk, able: Seen, found: Found | None) -> Observation:
    labels = dict(zip(OBSERVED, key, strict=True))
    path, interaction = (found.seen.place if found is not None else able.place) or ("", -1)
    return {
        "provider": labels["provider"],
        "model": labels["model"],
        "mode": cast("Mode", labels["mode"]),
        "quirk": quirk.slug,
        "level": found.level if found is not None else quirk.level,
        "occurrences": found.seen.count if found is not None else 0,
        "applicable": able.count,
        "first": able.first or None,
        "last": able.last or None,
        "repository": labels["repository"],
        "commit": labels["commit"],
        "path": path,
        "interaction": None if interaction < 0 else interaction,
        "licence": labels["licence"],
    }

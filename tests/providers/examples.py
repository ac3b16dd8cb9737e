"""A small file for tests that are not about reading files."""

from __future__ import annotations

from datetime import date
from typing import Any

from conformance.providers.models import Expectation, Provider, ProvidersFile, Source

SEEN = Source(document="reference 000 §5", date=date(2026, 11, 30))


def expectation(quirk: str, **fields: Any) -> Expectation:
    """An expectation with what every one needs."""
    return Expectation(quirk=quirk, **{"reason": "seen once", "source": SEEN, **fields})


def provider(name: str = "acme", *, models: Any = ("small", "large"), **fields: Any) -> Provider:
    """A provider with what every one needs."""
    return Provider(name=name, models=models, **{"base_url": f"https://{name}.test/v1", **fields})


def file(*providers: Provider) -> ProvidersFile:
    """A file with these providers."""
    return ProvidersFile.model_construct(providers={one.name: one for one in providers})

"""The catalogue: one file per quirk, one folder per area, found by walking the package."""

from conformance.quirks.registry import Example, Quirk, Source, Verdict, catalogue, get, judge, quirk

__all__ = ["Example", "Quirk", "Source", "Verdict", "catalogue", "get", "judge", "quirk"]

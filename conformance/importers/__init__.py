"""Exchanges out of files, detected by content. One file per format; nothing after `Exchange` knows where bytes came from."""

from conformance.importers.load import FORMATS, load

__all__ = ["FORMATS", "load"]

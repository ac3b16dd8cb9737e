"""Exchanges out of files, told by their content. One file per format; behind `Exchange` nobody knows the difference."""

from conformance.importers.folder import files
from conformance.importers.formats import FORMATS
from conformance.importers.load import load

__all__ = ["FORMATS", "files", "load"]

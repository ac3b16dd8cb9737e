"""What `inspect` shows: to a person (`timeline`, `folding`, `difference`; rich draws them), and to programs."""

from typing import Final

EVENTS: Final = 24
"""Rows of events that are shown unless somebody asks for more."""

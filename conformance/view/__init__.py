"""What `inspect` shows a person: the facts (`timeline`, `folding`, `difference`), and their rendering with rich."""

from typing import Final

EVENTS: Final = 24
"""Rows of events that are shown unless somebody asks for more."""

"""The kind of a call."""

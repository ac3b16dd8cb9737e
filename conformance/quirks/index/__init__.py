"""The accumulation key of a tool call."""

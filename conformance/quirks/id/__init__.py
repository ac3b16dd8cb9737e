"""The id, the only link between a call and its result."""

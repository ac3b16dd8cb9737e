"""Differences between a stream and the answer to the same request with `stream: false` that no model can make."""

"""Text against calls: what leaks into it, and what stands beside it."""

"""How OpenAI-compatible providers deviate in tool calling, and an accumulator that survives it."""

from __future__ import annotations

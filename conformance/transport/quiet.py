"""Keep the client libraries' own logs of an exchange out of whatever collects logs.

At level INFO and below they write addresses with their query, request headers, and the headers of answers; pytest
shows such lines beside a failure.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Final

_LOGGERS: Final = ("openai", "httpx2", "httpcore2")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No log line of theirs below WARNING for the time of a block."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(max(logger.getEffectiveLevel(), logging.WARNING))
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)

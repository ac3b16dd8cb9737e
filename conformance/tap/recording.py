"""A copy of one exchange while it passes, within a budget that all copies share."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import Final

from conformance.model import End
from conformance.tap.headers import Fields
from conformance.tap.passed import Passed

EACH: Final = 32 << 20
"""Bytes kept of one exchange, request and response together."""
ALL: Final = 256 << 20
"""Bytes kept of all exchanges that pass or wait to be judged."""
_PIECE: Final = 200
"""What remembering a piece costs beyond its bytes, so that a body in tiny pieces is counted for what it takes."""
_FIRST_LOOK: Final = 4096


class Budget:
    """Memory that the copies share.

    Args:
        each: bytes for one exchange.
        total: bytes for all.
    """

    def __init__(self, each: int = EACH, total: int = ALL) -> None:
        self.each = each
        self._left = total
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Whether there is room; if so it is taken."""
        with self._lock:
            if size > self._left:
                return False
            self._left -= size
            return True

    def give(self, size: int) -> None:
        """Return what was taken."""
        with self._lock:
            self._left += size


class Recording:
    """One exchange as it passes. Filled by the forwarding thread, read by the one that hands it to be judged.

    Attributes:
        closed: whether the exchange is over.
    """

    def __init__(
        self,
        number: int,
        method: str,
        target: str,
        fields: Fields,
        *,
        chat: bool,
        budget: Budget,
        secrets: tuple[str, ...],
    ) -> None:
        self.closed = False
        self._number = number
        self._method = method
        self._target = target
        self._fields = fields
        self._chat = chat
        self._budget = budget
        self._secrets = secrets
        self._started = datetime.now().astimezone()
        self._zero = time.monotonic()
        self._ms = 0.0
        self._charged = 0
        self._keeps = chat
        self._request: list[bytes] = []
        self._head: tuple[int, str, Fields] | None = None
        self._parts: list[tuple[float, bytes]] = []
        self._size = 0
        self._next_look = _FIRST_LOOK
        self._ended = End()
        self._failure = ""
        self._ours = False

    def sent(self, data: bytes) -> None:
        """A piece of the request body went out."""
        if self._room(len(data)):
            self._request.append(data)

    def answered(self, status: int, reason: str, fields: Fields) -> None:
        """The head of the response came."""
        self._head = (status, reason, fields)

    def took(self, data: bytes) -> bool:
        """A piece of the response body came; whether it is worth to look at what came so far.

        It is each time the body has doubled, so that all looks together cost no more than the last.
        """
        at_ms = self._elapsed()
        self._size += len(data)
        if self._room(len(data) + _PIECE):
            self._parts.append((at_ms, data))
        if not self._keeps or self._size < self._next_look:
            return False
        self._next_look = 2 * self._size
        return True

    def fail(self, why: str, *, ours: bool = False) -> None:
        """It cannot be judged."""
        self._failure, self._ours = why, ours

    def end(self, ended: End) -> None:
        """It is over."""
        self._ended = ended
        self._ms = self._elapsed()
        self.closed = True

    def passed(self) -> Passed:
        """A snapshot; of an exchange that still passes, its beginning, as if the client had gone."""
        return Passed(
            number=self._number,
            started=self._started,
            method=self._method,
            target=self._target,
            fields=self._fields,
            chat=self._chat,
            sent=tuple(self._request),
            head=self._head,
            parts=tuple(self._parts),
            ended=self._ended if self.closed else End("client-closed", "still coming"),
            size=self._size,
            ms=self._ms,
            failure=self._failure,
            ours=self._ours,
            secrets=self._secrets,
        )

    def release(self) -> None:
        """Forget the copy."""
        self._keeps = False
        self._request, self._parts = [], []
        self._budget.give(self._charged)
        self._charged = 0

    def _room(self, size: int) -> bool:
        if not self._keeps:
            return False
        whole = self._charged + size
        if whole > self._budget.each:
            self.fail(f"too large: more than {self._budget.each >> 20} MiB", ours=True)
        elif not self._budget.take(size):
            self.fail("too much at once: the copies of all exchanges fill the memory set aside", ours=True)
        else:
            self._charged = whole
            return True
        self.release()
        return False

    def _elapsed(self) -> float:
        return round((time.monotonic() - self._zero) * 1000, 1)

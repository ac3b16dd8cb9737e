"""Ask again where a first answer says nothing about the provider's wire format, and keep both.

Retried are HTTP 408, 429 and 5xx, and connections that fail. In a replay nobody waits: what was asked again when it was
recorded is played again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from conformance.errors import NotRun
from conformance.model import Exchange

RETRIES: Final = 2
"""Further attempts, unless told otherwise."""
FIRST_WAIT: Final = 0.5
"""Seconds before the second attempt where the server names no time; doubled for each further one."""
LONGEST_WAIT: Final = 30.0
"""Seconds that are waited at most, whatever `Retry-After` says."""

_CONNECTION: Final = frozenset(("refused", "unreachable", "no-response"))


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that was followed by another.

    Attributes:
        exchange: its answer; None if there was none.
        reason, detail: as of `NotRun`; `http-503` where an answer came.
        waited: seconds until the next one.
    """

    exchange: Exchange | None
    reason: str
    detail: str
    waited: float


@dataclass(frozen=True, slots=True)
class Sent:
    """The last answer, and what came before it."""

    exchange: Exchange
    attempts: tuple[Attempt, ...] = ()


def with_retries(
    ask: Callable[[], Exchange],
    *,
    retries: int = RETRIES,
    left: Callable[[], float] = lambda: math.inf,
    repeats: Callable[[], bool] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Sent:
    """Ask until there is an answer worth judging.

    Args:
        ask: sends the request, or plays its answer.
        retries: how many further attempts there are at most.
        left: seconds until no attempt may begin any more.
        repeats: for a replay: whether the next recorded exchange answers this same request; None for a live server.
        sleep: waits.

    Raises:
        NotRun: the last attempt had no answer.
        CassetteError: from `ask`.
    """
    attempts: list[Attempt] = []
    while True:
        try:
            exchange = ask()
        except NotRun as problem:
            wait = _wait(len(attempts), {})
            if repeats is not None or problem.reason not in _CONNECTION or not _may(attempts, retries, wait, left):
                raise _counted(problem, attempts) from None
            attempts.append(Attempt(None, problem.reason, problem.detail, wait))
        else:
            wait = _wait(len(attempts), exchange.headers)
            if not _says_nothing(exchange.status):
                return Sent(exchange, tuple(attempts))
            if not (repeats() if repeats is not None else _may(attempts, retries, wait, left)):
                return Sent(exchange, tuple(attempts))
            attempts.append(Attempt(exchange, f"http-{exchange.status}", f"HTTP {exchange.status}", wait))
        if repeats is None:
            sleep(wait)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait; None if it does not.

    Source: RFC 9110 §10.2.3, and `retry-after-ms` as OpenAI sends it.
    """
    milliseconds, seconds = headers.get("retry-after-ms", ""), headers.get("retry-after", "").strip()
    for text, unit in ((milliseconds, 1000), (seconds, 1)):
        try:
            value = float(text) / unit
        except ValueError:
            continue
        if math.isfinite(value) and value >= 0:
            return value
    try:
        moment = parsedate_to_datetime(seconds)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _says_nothing(status: int | None) -> bool:
    return status is not None and (status in (408, 429) or status >= 500)


def _wait(attempts: int, headers: Mapping[str, str]) -> float:
    asked = retry_after(headers)
    return min(FIRST_WAIT * 2**attempts if asked is None else asked, LONGEST_WAIT)


def _may(attempts: list[Attempt], retries: int, wait: float, left: Callable[[], float]) -> bool:
    return len(attempts) < retries and wait < left()


def _counted(problem: NotRun, attempts: list[Attempt]) -> NotRun:
    if not attempts:
        return problem
    return NotRun(problem.reason, f"{problem.detail} ({len(attempts) + 1} attempts)", problem.fix)

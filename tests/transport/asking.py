"""The one request that these tests send."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from conformance.model import Exchange
from conformance.transport import Endpoint, Store, send
from tests.transport.server import Answer, serving

KEY: Final = "sk-live-0123456789abcdef"
NOWHERE: Final = "http://127.0.0.1:1/v1"
BODY: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [{"role": "user", "content": "What is the weather in Köln?"}],
    "stream": True,
}


def ask(
    url: str,
    body: Mapping[str, Any] = BODY,
    store: Store | None = None,
    headers: Mapping[str, str] | None = None,
    fixed: Mapping[str, str] | None = None,
    **endpoint: Any,
) -> Exchange:
    """Send a request to a base URL; `fixed` are the endpoint's headers, further arguments are the endpoint's too."""
    return send(
        Endpoint(url, **{"api_key": KEY, "headers": fixed or {}, **endpoint}),
        body,
        mode="stream",
        source="test",
        provider="local",
        model="m",
        scenario="single_call",
        store=store,
        headers=headers,
    )


def record(path: Path, *answers: Answer, bodies: tuple[dict[str, Any], ...] = (BODY,), mode: str = "record") -> None:
    """Record one conversation with a server that answers so."""
    with serving(*answers) as local, Store.open(path, mode) as store:
        for body in bodies:
            ask(local.url, body, store)


def replay(path: Path, *bodies: Mapping[str, Any], url: str = NOWHERE, **endpoint: Any) -> list[Exchange]:
    """Replay a conversation without a server."""
    with Store.open(path) as store:
        return [ask(url, body, store, **endpoint) for body in bodies or (BODY,)]

"""The one request that these tests send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from conformance.model import Exchange
from conformance.transport import Endpoint, Store, send

KEY: Final = "sk-live-0123456789abcdef"
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

"""Short ways to make exchanges for the tests of reading."""

from __future__ import annotations

import json
from typing import Any

from conformance.model import End, EndKind, Exchange, Fidelity
from conformance.wire.read import read
from conformance.wire.transcript import Transcript


def sse(*chunks: Any, done: bool = True) -> bytes:
    """An event stream: dicts as JSON, strings as data lines."""
    lines = [c if isinstance(c, str) else json.dumps(c, ensure_ascii=False, separators=(",", ":")) for c in chunks]
    return "".join(f"data: {line}\n\n" for line in [*lines, *(["[DONE]"] if done else [])]).encode(
        "utf-8", "surrogatepass"
    )


def chunk(delta: Any = None, finish: Any = None, **more: Any) -> dict[str, Any]:
    """A chunk with one choice."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta if delta is not None else {}, "finish_reason": finish}],
        **more,
    }


def entries(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A chunk whose delta holds these entries."""
    return chunk({"tool_calls": list(items), **more})


def entry(index: Any = ..., id: Any = ..., name: Any = ..., arguments: Any = ..., **more: Any) -> dict[str, Any]:  # noqa: A002
    """One entry; `...` leaves a field out."""
    out: dict[str, Any] = {}
    if index is not ...:
        out["index"] = index
    if id is not ...:
        out["id"] = id
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not ...}
    return {**out, **({"function": function} if function else {}), **more}


def transcript(
    body: bytes,
    *,
    request: dict[str, Any] | None = None,
    asked: str | None = "stream",
    headers: dict[str, str] | None = None,
    status: int = 200,
    ended: EndKind = "end",
    fidelity: Fidelity = Fidelity(),  # noqa: B008
) -> Transcript:
    """Read a body."""
    return read(
        Exchange(
            source="test",
            body=body,
            status=status,
            headers=headers or {},
            request=request,
            asked_mode=asked,  # type: ignore[arg-type]
            ended=End(ended),
            fidelity=fidelity,
        )
    )


def offering(*names: str, **more: Any) -> dict[str, Any]:
    """A request that offers tools of these names."""
    return {
        "messages": [{"role": "user", "content": "-"}],
        "tools": [{"type": "function", "function": {"name": n}} for n in names],
        **more,
    }


def told(t: Transcript) -> list[tuple[str, str, str]]:
    """Id, name and arguments of every call."""
    return [(c.id, c.name, c.arguments) for c in t.calls]

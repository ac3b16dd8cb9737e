"""A made-up Chat Completions server on the loopback interface, for tests. Nothing it says was ever said by a real one.

Clean, it answers every scenario as the reference documents ask for; with a vice, it deviates in one known way. The
answers follow from the request alone, so that tests can reason about them.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

Vice = Literal[
    "clean",
    "no-index",  # streamed calls carry no index
    "ends-with-stop",  # finish_reason "stop" beside calls
    "empty-id",  # every id is ""
    "drops",  # the connection ends in the middle of a stream
    "refuses-key",  # HTTP 401, and the message quotes the key
    "fails",  # HTTP 500 with plain text
    "busy",  # HTTP 429
    "absent",  # HTTP 404, whatever is asked
    "never-calls",  # prose only, whatever is asked
    "hangs",  # no answer until the server is closed
]

WEATHER = "It is 18 degrees in Paris."


class FakeProvider:
    """The server, as a context manager.

    Attributes:
        vice: how it deviates; may be changed between requests.
        requests: bodies it was sent, in order.
        headers: the headers of those requests, names in lower case.
        hang_after: how many requests are answered before it hangs; None for no limit.
        hanging: set once a request hangs.
    """

    def __init__(self, vice: Vice = "clean") -> None:
        self.vice: Vice = vice
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.hang_after: int | None = None
        self.hanging = threading.Event()
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> FakeProvider:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop; from now on connections are refused. Called twice it does nothing."""
        if self.closing.is_set():
            return
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def calls_for(request: dict[str, Any]) -> list[tuple[str, str]]:
    """The calls a good model makes: pairs of name and arguments."""
    tools = [t["function"]["name"] for t in request.get("tools", [])]
    choice = request.get("tool_choice")
    if not tools or choice == "none" or request["messages"][-1]["role"] == "tool":
        return []
    if isinstance(choice, dict):
        tools = [choice["function"]["name"]]
    prompt = request["messages"][-1]["content"]
    if prompt == "Say hello.":
        return []
    if request.get("parallel_tool_calls"):
        pairs = [(tools[0], {"city": "Paris"}), (tools[-1], {"city": "Tokyo"})]
        return [(name, _dumps(value)) for name, value in pairs]
    name = tools[0]
    arguments: dict[str, Any] = {"city": "Paris"}
    if name in ("ping", "list_tabs"):
        arguments = {}
    elif name == "pack_crate":
        arguments = {"crate": {"kg": 4, "label": "NORTH"}}
    elif name == "save_note":
        arguments = {"text": prompt.partition(":")[2].strip()}
    elif name == "create_event":
        arguments = {
            "title": "Lunch",
            "guests": ["Ana", "Ben"],
            "place": {"city": "Oslo", "room": 4},
            "priority": "high",
            "hours": 1.5,
            "public": False,
        }
    return [(name, _dumps(arguments))]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeProvider

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_POST(self) -> None:
        fake = self.fake
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fake.requests.append(request)
        fake.headers.append({name.lower(): value for name, value in self.headers.items()})
        if fake.vice == "hangs" or (fake.hang_after is not None and len(fake.requests) > fake.hang_after):
            fake.hanging.set()
            fake.closing.wait()
            self.close_connection = True
        elif fake.vice == "refuses-key":
            key = self.headers.get("authorization", "").removeprefix("Bearer ")
            message = {"error": {"message": f"Incorrect API key provided: {key}", "type": "invalid_request_error"}}
            self._whole(401, "application/json", _dumps(message).encode())
        elif fake.vice == "fails":
            self._whole(500, "text/plain", b"Internal Server Error")
        elif fake.vice == "busy":
            self._whole(429, "application/json", _dumps({"error": {"message": "out of quota"}}).encode())
        elif fake.vice == "absent":
            self._whole(404, "text/plain", b"404 page not found")
        elif _unknown_choice(request):
            message = {
                "error": {"message": "tool_choice names no tool", "param": "tool_choice", "code": "invalid_value"}
            }
            self._whole(400, "application/json", _dumps(message).encode())
        elif request.get("stream"):
            self._stream(request)
        else:
            self._whole(200, "application/json", _dumps(_complete(request, fake.vice)).encode())

    def _whole(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        if "gzip" in self.headers.get("accept-encoding", ""):
            body = gzip.compress(body)
            self.send_header("content-encoding", "gzip")
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, request: dict[str, Any]) -> None:
        events = list(_chunks(request, self.fake.vice))
        dropped = self.fake.vice == "drops"
        if dropped:
            events = events[: len(events) // 2]
        pieces = [f"data: {_dumps(event)}\n\n".encode() for event in events]
        if not dropped:
            pieces.append(b"data: [DONE]\n\n")
        self.send_response(200)
        if "gzip" in self.headers.get("accept-encoding", ""):
            pieces = [gzip.compress(b"".join(pieces))]
            self.send_header("content-encoding", "gzip")
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if dropped:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")


def _unknown_choice(request: dict[str, Any]) -> bool:
    choice = request.get("tool_choice")
    names = [tool["function"]["name"] for tool in request.get("tools", [])]
    return isinstance(choice, dict) and choice["function"]["name"] not in names


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _turn(request: dict[str, Any], vice: Vice) -> tuple[str, list[tuple[str, str]], str]:
    """Text, calls and finish reason of an answer."""
    calls = [] if vice == "never-calls" else calls_for(request)
    first = isinstance(request["messages"][-1]["content"], str) and "First write" in request["messages"][-1]["content"]
    text = "" if calls and not first else WEATHER
    finish = "tool_calls" if calls else "stop"
    if isinstance(request.get("tool_choice"), dict) or vice == "ends-with-stop":
        finish = "stop"
    if calls and request["max_tokens"] < 20:
        calls = [(name, arguments[: len(arguments) // 2]) for name, arguments in calls]
        finish = "length"
    return text, calls, finish


def _id(request: dict[str, Any], vice: Vice, number: int) -> str:
    return "" if vice == "empty-id" else f"call_{len(request['messages'])}_{number}"


def _envelope(request: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-fake", "object": kind, "created": 1700000000, "model": request["model"]}


_USAGE = {"prompt_tokens": 20, "completion_tokens": 12, "total_tokens": 32}


def _complete(request: dict[str, Any], vice: Vice) -> dict[str, Any]:
    text, calls, finish = _turn(request, vice)
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [
            {"id": _id(request, vice, i), "type": "function", "function": {"name": name, "arguments": arguments}}
            for i, (name, arguments) in enumerate(calls)
        ]
    choices = [{"index": i, "message": message, "finish_reason": finish} for i in range(request.get("n", 1))]
    return {**_envelope(request, "chat.completion"), "choices": choices, "usage": _USAGE}


def _chunks(request: dict[str, Any], vice: Vice) -> Iterator[dict[str, Any]]:
    text, calls, finish = _turn(request, vice)
    include_usage = (request.get("stream_options") or {}).get("include_usage")

    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        usage = {"usage": None} if include_usage else {}
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {**_envelope(request, "chat.completion.chunk"), "choices": [choice], **usage}

    def entry(number: int, fields: dict[str, Any]) -> dict[str, Any]:
        return {"tool_calls": [fields if vice == "no-index" else {"index": number, **fields}]}

    yield chunk({"role": "assistant", "content": "" if text else None})
    for piece in _pieces(text):
        yield chunk({"content": piece})
    for number, (name, arguments) in enumerate(calls):
        opening = {"id": _id(request, vice, number), "type": "function", "function": {"name": name, "arguments": ""}}
        yield chunk(entry(number, opening))
        for piece in _pieces(arguments):
            yield chunk(entry(number, {"function": {"arguments": piece}}))
    yield chunk({}, finish)
    if include_usage:
        yield {**_envelope(request, "chat.completion.chunk"), "choices": [], "usage": _USAGE}


def _pieces(text: str, size: int = 40) -> Sequence[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]

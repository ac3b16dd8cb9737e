"""An accumulator for agents: chunks in, tool calls out. Standard library only.

It keeps ids byte for byte, recovers by protocol alone (DESIGN §4.4), and never guesses content. The same code decides
what `inspect` says about a recorded stream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from conformance.wire.asked import asked
from conformance.wire.calls import CallState
from conformance.wire.transcript import Call, Choice
from conformance.wire.turn import Turn


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer's text arrived; `kind` is `content` or `reasoning`."""

    choice: int
    text: str
    kind: Literal["content", "reasoning"] = "content"


@dataclass(frozen=True, slots=True)
class ToolNamed:
    """The name of a call became known (its first piece, should it come in several). `call` numbers calls by arrival."""

    choice: int
    call: int
    name: str
    id: str


@dataclass(frozen=True, slots=True)
class ArgumentsPiece:
    """Argument text of a call arrived; incomplete JSON until the stream ends, so not to be parsed or shown."""

    choice: int
    call: int
    text: str


StreamEvent = Text | ToolNamed | ArgumentsPiece


@dataclass(frozen=True, slots=True)
class Result:
    """What the answer was, for one choice.

    Attributes:
        calls: the assembled calls; run only those that are `usable`.
        complete: the answer ended properly. If false, do not run anything: ask again instead.
        finish_reason: first non-empty one, None if none came.
        content: joined text, None if only null or nothing came.
        error: the error object the server sent, None if none.
        message: the assistant message exactly as it must go back into the history.
    """

    calls: Sequence[Call]
    complete: bool
    finish_reason: str | None
    content: str | None
    error: Mapping[str, Any] | None
    message: dict[str, Any]


class Accumulator:
    """Assembles the tool calls of one streamed answer.

    Args:
        request: the request body, if at hand. Its tool names decide doubtful names and which calls are `usable`, its
            `n` whether choices are kept apart. Without it only the wire decides.

    Example:
        >>> from conformance import Accumulator
        >>> turn = Accumulator()
        >>> for chunk in stream:                       # openai SDK objects, or decoded dicts
        ...     for event in turn.feed(chunk): ...
        >>> result = turn.finish()
        >>> messages.append(result.message)
        >>> messages += [tool_message(c, run(c)) for c in result.calls if c.usable]
    """

    def __init__(self, request: Mapping[str, Any] | None = None) -> None:
        self._turn = Turn(asked(request), "stream")
        self._turn.listener = self._listen
        self._events: list[StreamEvent] = []
        self._numbers: dict[int, int] = {}
        self._number = -1
        self._done = False
        self._cut = False

    def feed(self, chunk: object) -> list[StreamEvent]:
        """Take one chunk.

        Args:
            chunk: a decoded `chat.completion.chunk` (a mapping), an openai SDK object, or the text `[DONE]`.

        Returns:
            What became known through it, in order.

        Raises:
            TypeError: `chunk` is none of these.
        """
        if isinstance(chunk, str) and chunk.strip() == "[DONE]":
            self.done()
            return []
        self._number += 1
        self._events = []
        self._turn.take(_as_mapping(chunk), self._number)
        return self._events

    def done(self) -> None:
        """Tell that `[DONE]` arrived; SDKs swallow it, so this is optional where a finish reason came."""
        self._done = True

    def interrupted(self) -> None:
        """Tell that the connection broke or timed out: the answer is not complete, whatever came before."""
        self._cut = True

    @property
    def choices(self) -> list[int]:
        """The choices that have been seen so far, by index."""
        return sorted(self._turn.choices)

    def finish(self, choice: int = 0) -> Result:
        """The result for one choice (0 unless several were asked for). May be called at any time, and again.

        An answer is complete when no error came, neither as an object nor as a finish reason, the stream was not
        interrupted, and every choice has a finish reason or `[DONE]` came. A stream that merely ran out proves nothing:
        reference document 000 §2 accepts that as an end, 001 says to ask again instead; the safe reading is taken.
        """
        complete = not self._turn.failed and not self._cut and (self._done or self._turn.finished)
        choices = {c.index: c for c in self._turn.finish(complete)}
        found = choices.get(choice)
        if found is None:
            return Result((), complete, None, None, self._turn.error, {"role": "assistant", "content": None})
        return Result(
            calls=found.calls,
            complete=complete,
            finish_reason=found.finish_reason,
            content=None if found.content_null else found.content,
            error=self._turn.error,
            message=assistant_message(found),
        )

    def _listen(self, kind: str, choice: int, call: CallState | None, text: str) -> None:
        if kind == "content" or kind == "reasoning":
            self._events.append(Text(choice, text, "content" if kind == "content" else "reasoning"))
        elif call is not None:
            number = self._numbers.setdefault(id(call), len(self._numbers))
            if kind == "name":
                self._events.append(ToolNamed(choice, number, text, call.id))
            else:
                self._events.append(ArgumentsPiece(choice, number, text))


def assistant_message(choice: Choice) -> dict[str, Any]:
    """The assistant message for the history: ids untouched, `content` null if none came, unknown fields kept.

    A legacy `function_call` goes back as one. Reasoning text goes back in the field it came in. Source: reference
    document 000 §3.
    """
    message: dict[str, Any] = {"role": "assistant", "content": None if choice.content_null else choice.content}
    if not message["content"] and choice.calls:
        message["content"] = None
    if choice.refusal:
        message["refusal"] = choice.refusal
    if choice.reasoning_field:
        message[choice.reasoning_field] = choice.reasoning
    for key, value in choice.extra.items():
        message.setdefault(key, value)
    calls = [call for call in choice.calls if not call.legacy]
    if calls:
        message["tool_calls"] = [_history_call(call) for call in calls]
    legacy = [call for call in choice.calls if call.legacy]
    if legacy:
        message["function_call"] = {"name": legacy[0].name, "arguments": legacy[0].arguments}
    return message


def _history_call(call: Call) -> dict[str, Any]:
    kind = "custom" if call.type == "custom" else "function"
    field = "input" if kind == "custom" else "arguments"
    inner: dict[str, Any] = {"name": call.name, field: call.arguments}
    extra = dict(call.extra)
    inner.update(extra.pop("function", {}))
    return {"id": call.id, "type": kind, kind: inner, **extra}


def tool_message(call: Call, content: str) -> dict[str, Any]:
    """The message that carries a tool's result, linked by the call's own id, be it empty.

    A legacy `function_call` has no id and is answered by a `function` message instead.
    """
    if call.legacy:
        return {"role": "function", "name": call.name, "content": content}
    return {"role": "tool", "tool_call_id": call.id, "content": content}


def _as_mapping(chunk: object) -> Mapping[str, Any]:
    if isinstance(chunk, Mapping):
        return chunk
    dump = getattr(chunk, "model_dump", None)
    if callable(dump):
        # exclude_unset keeps absent and null apart, which the typed attributes blur
        dumped = dump(exclude_unset=True, mode="python", warnings=False)
        if isinstance(dumped, dict):
            return dumped
    raise TypeError(f"a chunk is a mapping or an openai SDK object, not {type(chunk).__name__}")

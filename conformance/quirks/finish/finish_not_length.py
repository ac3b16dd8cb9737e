"""The token limit ended the answer, and the finish reason does not say so.

`tool_calls` tells a client that its calls are whole. The last one may lack the end of its arguments, or all of them:
then it looks like a call without arguments, and is run. That the limit was reached shows in the `native_finish_reason`
that a gateway passes on, or in a token count that reaches the request's limit while the arguments are unfinished.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import (
    GOOD_STREAM,
    TOOLS,
    api,
    calls,
    chunk,
    complete,
    entry,
    events,
    issue,
    reference,
    spent,
    stream,
)
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.reasons import LENGTH, cuts
from conformance.wire.transcript import Call, Choice, Transcript

_CUT: Final = complete(entry(..., "call_a1", "get_weather", '{"city":"Par'))
_LIMIT: Final = {**TOOLS, "max_tokens": 16}


def _with(example: Example, *, native: str = "", used: int = 0) -> Example:
    """A complete answer with the gateway's own finish reason, or with so many tokens used of 16."""
    body = json.loads(example.body)
    if native:
        body["choices"][0]["native_finish_reason"] = native
    if used:
        body["usage"] = {"prompt_tokens": 9, "completion_tokens": used, "total_tokens": 9 + used}
    return Example(json.dumps(body), _LIMIT)


def _last_chunk(finish: str, native: str) -> dict[str, object]:
    last = chunk({}, finish)
    last["choices"][0]["native_finish_reason"] = native
    return last


@quirk(
    level="must",
    needs=["choices"],
    sources=[api("chat"), reference("000", "§1")],
    seen=[
        issue("vllm-project/vllm#53269", "vllm", "2026-08-21"),
        issue("vllm-project/vllm#58228", "vllm", "2026-09-23"),
    ],
    expected="`length`",
    guard="Do not run a call whose arguments are empty or do not parse if `native_finish_reason` says that the limit was"
    " reached, or `usage.completion_tokens` has reached the limit you set.",
    guard_python='limits = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS")\n'
    "cut = finish_reason in limits or native_finish_reason in limits\n"
    "if usage and max_tokens:\n    cut = cut or usage.completion_tokens >= max_tokens\n"
    "if cut and calls and not calls[-1].arguments:\n    del calls[-1]",
    guard_typescript='const limits = ["length", "max_tokens", "max_output_tokens", "MAX_TOKENS"];\n'
    "const spent = !!usage && !!maxTokens && usage.completion_tokens >= maxTokens;\n"
    "const cut = spent || limits.includes(finishReason) || limits.includes(nativeFinishReason);\n"
    "if (cut && !calls.at(-1)?.arguments) calls.pop();",
    report="An answer that the token limit cut carries another `finish_reason` than `length`.",
    good=[
        GOOD_STREAM,
        stream(calls(entry(0, "call_a1", "get_weather", '{"city":"Par')), finish="length"),
        _with(complete(entry(..., "call_a1", "get_weather", '{"city":"Paris"}')), used=16),
    ],
    bad=[
        _with(_CUT, native="max_output_tokens"),
        _with(_CUT, used=16),
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_time", ""), role="assistant", content=None)),
                _last_chunk("tool_calls", "length"),
                "[DONE]",
            ),
            TOOLS,
        ),
    ],
)
def finish_not_length(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if not choice.finish_reasons or any(cuts(reason) for reason, _ in choice.finish_reasons):
            continue
        said = f"finish_reason {choice.finish_reason}"
        native = _native(choice)
        if native:
            yield Hit(
                f"the gateway passes on that the token limit ended the answer (`{native}`)",
                said,
                choice.facts[Fact.FINISH],
                choice=choice,
                layer="gateway",
            )
        elif spent(t) and (unfinished := [call for call in choice.calls if _breaks_off(call)]):
            broken = any(classify(call) == "truncated" for call in unfinished)
            yield Hit(
                "the answer used all tokens of its limit, and its last call "
                + ("breaks off" if broken else "has no argument text"),
                said,
                choice.facts[Fact.FINISH],
                choice=choice,
                level=None if broken else "should",  # a call without arguments may end right at the limit
            )


def _native(choice: Choice) -> str:
    """The gateway's own word for having reached the token limit, "" if it passes on none."""
    mark = choice.facts.get(Fact.NATIVE_FINISH)
    return next((reason for reason in mark.spellings if reason.casefold() in LENGTH), "") if mark is not None else ""


def _breaks_off(call: Call) -> bool:
    return "truncated" in call.unusable_because or classify(call) == "truncated"

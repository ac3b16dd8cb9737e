"""Reading a stream of 20,000 deltas, against what client libraries take to put the same calls together.

The openai SDK's stream helper (`client.chat.completions.stream`) goes the whole way from the body's bytes to the calls,
as `read` and `judge` do; the connection is one in memory. Its `ChatCompletionStreamState` and langchain-openai's
addition of message chunks are handed chunks that have been decoded before, so that only putting together is timed.

What adding langchain's chunks takes grows with the square of their number, hours for long streams. So every client is
given streams of doubling length until a round would take longer than it may; the last one it finished is measured.
Ours grows in proportion, theirs at least so, so that the ratio at a shorter stream is a lower bound for the longer one.

Median of 9 interleaved rounds (3 where a round of a client takes over 10 seconds), CPU time. The target is the stream
helper's time divided by ours: 100.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import add
from typing import Any

import httpx2
import openai
from langchain_openai import ChatOpenAI
from measure import ROUNDS, duration, ratio, take_turns
from openai.lib.streaming.chat import ChatCompletionStreamState
from streams import REQUEST, TOOL, long_stream

from conformance.model import Exchange
from conformance.quirks import catalogue, judge
from conformance.wire.read import read

DELTAS = 20_000
SHORTEST = 1_250
URL = "http://127.0.0.1:1/v1"
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "A page, please."}], "tools": [TOOL]}
Result = Callable[[], object]


def http(body: bytes) -> httpx2.Client:
    """A client whose every answer is this body."""
    answer = partial(httpx2.Response, 200, headers={"content-type": "text/event-stream"}, content=body)
    return httpx2.Client(transport=httpx2.MockTransport(lambda _: answer()))


def sdk(body: bytes) -> openai.OpenAI:
    """The SDK's client, answered with this body."""
    return openai.OpenAI(base_url=URL, api_key="none", max_retries=0, http_client=http(body))


def ours(body: bytes) -> str:
    """Read and judge; the arguments of the call."""
    transcript = read(Exchange("benchmark", body, request=REQUEST, asked_mode="stream"))
    judge(transcript)
    return transcript.calls[0].arguments


def helper(body: bytes) -> Result:
    """The SDK's stream helper, from bytes to the final completion."""
    client = sdk(body)

    def run() -> str:
        with client.chat.completions.stream(**ASKED) as stream:
            for _ in stream:
                pass
            message = stream.get_final_completion().choices[0].message
        return (message.tool_calls or [])[0].function.arguments

    return run


def state(body: bytes) -> Result:
    """The SDK's accumulator alone, on chunks it decoded before; the tool is not known to it."""
    chunks = list(sdk(body).chat.completions.create(**ASKED, stream=True))

    def run() -> object:
        held: ChatCompletionStreamState[None] = ChatCompletionStreamState()
        for chunk in chunks:
            held.handle_chunk(chunk)
        return held.current_completion_snapshot.choices[0].message.tool_calls[0].function.arguments  # type: ignore[index]

    return run


def addition(body: bytes) -> Result:
    """langchain's accumulator alone: the sum of the message chunks it decoded before."""
    model = ChatOpenAI(model="m", base_url=URL, api_key="none", max_retries=0, http_client=http(body))
    chunks: Sequence[Any] = list(model.bind_tools([TOOL]).stream("A page, please."))
    return lambda: reduce(add, chunks).tool_calls[0]["args"]


CLIENTS: dict[str, Callable[[bytes], Result]] = {
    "openai stream helper": helper,
    "openai ChatCompletionStreamState": state,
    "langchain-openai addition": addition,
}


def longest(make: Callable[[bytes], Result], most: float) -> tuple[int, float]:
    """The longest stream whose round ends in time, and its seconds; prints how the time grows on the way."""
    deltas, times = SHORTEST, []
    while True:
        run = make(long_stream(deltas))
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
        print(f"  {deltas:,} deltas: {duration(times[-1:])}", flush=True)
        if deltas == DELTAS or times[-1] * 4 > most:
            return deltas, times[-1]
        deltas *= 2


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--most", type=float, default=40.0, metavar="SECONDS", help="longest round (default: 40)")
    most = parser.parse_args().most
    catalogue()
    for name, make in CLIENTS.items():
        print(name)
        deltas, seconds = longest(make, most)
        body = long_stream(deltas)
        run = make(body)
        arguments = ours(body)
        if run() not in (arguments, json.loads(arguments)):
            raise SystemExit(f"{name}: comes to other arguments than read")
        taken = take_turns({"ours": partial(ours, body), name: run}, ROUNDS if seconds < 10 else 3)
        print(f"{name}, {deltas:,} deltas: {duration(taken[name])}, read and judge {duration(taken['ours'])}")
        bound = "" if deltas == DELTAS else f"; at {DELTAS:,} deltas at least that"
        print(f"{name}: ratio {ratio(taken[name], taken['ours'])}{bound}", flush=True)


if __name__ == "__main__":
    main()

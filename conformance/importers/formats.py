"""What can be read, as a sentence lists it, and how it is said that a file is none of it."""

from __future__ import annotations

from typing import Final

from conformance.errors import InputError

FORMATS: Final = (
    "a raw SSE body, a JSON body, the output of curl (-i, -v or --trace), JSON Lines or an array of chunks, answers or"
    " captures, a cassette (vcrpy, Ruby VCR, go-vcr), a HAR, a nock recording, a log of LiteLLM or of requests with"
    " responses or chunks, OpenTelemetry GenAI spans as JSON, a capture file, or a request body"
)


class NoExchange(InputError):
    """A file that holds nothing known here.

    Attributes:
        brief: the sentence without the list of formats, for one file of many.
    """

    def __init__(self, name: str, why: str = "holds no exchange in any known format") -> None:
        self.brief = f"{name}: {why}"
        super().__init__(f"{self.brief}; give {FORMATS}")

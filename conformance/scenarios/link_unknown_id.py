"""Two calls, and one of the results has an id that names neither.

The server rejects it, as OpenAI does, or answers without that result; the answer shows if it uses it all the same. Once
the last result has the unknown id, once the first one. Not streamed: the request decides here, not the answer's form.
Source: reference document 000 §3.
"""

from conformance.scenarios.link import STEPS, established
from conformance.scenarios.registry import Conversation, scenario


@scenario(
    title="One of two results has an id that names no call", modes=["complete"], features=["parallel"], steps=STEPS
)
def link_unknown_id(model: str) -> Conversation:
    setting = yield from established(model)
    if setting is not None:
        for unknown in (1, 0):
            yield setting.ask(unknown=unknown)

"""Two calls and their results in order, all with the empty id.

That is how a client goes on where a server sends no ids. The order is all that links; the server may reject it. Not
streamed: the request decides here, not the answer's form. Source: reference document 000 §0, §5.
"""

from conformance.scenarios.link import STEPS, TRIALS, established
from conformance.scenarios.registry import Conversation, scenario


@scenario(
    title="Two results go back in order, all ids are empty", modes=["complete"], features=["parallel"], steps=STEPS
)
def link_empty_ids(model: str) -> Conversation:
    setting = yield from established(model)
    if setting is not None:
        for _ in range(TRIALS):
            yield setting.ask(empty=True)

"""129 functions.

The API reference allows 128. They have short names and no parameters, so that the prompt fits small contexts.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body


@scenario(title="More functions are offered than OpenAI allows", modes=["complete"])
def tools_over_limit(model: str) -> Conversation:
    functions = [{"type": "function", "function": {"name": f"f{number}"}} for number in range(129)]
    yield Ask(body(model, "Say hello.", functions, max_tokens=16))

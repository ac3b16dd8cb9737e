"""A schema with `$ref` and `$defs`.

Libraries derive such schemas from types. What the definition demands has to show in the arguments.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool

_CRATE = {
    "type": "object",
    "properties": {"kg": {"type": "number"}, "label": {"type": "string"}},
    "required": ["kg", "label"],
}


@scenario(title="A schema refers to a definition", modes=["complete"])
def tools_schema_ref(model: str) -> Conversation:
    pack_crate = tool("pack_crate", "Pack a crate", crate={"$ref": "#/$defs/crate"})
    pack_crate["function"]["parameters"]["$defs"] = {"crate": _CRATE}
    yield Ask(body(model, "Call pack_crate for a crate of 4 kg with the label NORTH.", [pack_crate], max_tokens=64))

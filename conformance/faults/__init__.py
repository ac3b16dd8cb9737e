"""A server that answers honestly, and plants one chosen fault or legal variation in every answer.

Everything it says is made up. Faults are transformations of the wire, written without a look at the quirks, so that the
selftest is not the rules checking themselves.
"""

from conformance.faults import (
    in_arguments,
    in_calls,
    in_content,
    in_envelope,
    in_finish,
    in_one_mode,
    in_options,
    in_requests,
    legal,
    legal_framing,
    legal_requests,
    links,
    on_the_wire,
)
from conformance.faults.catalogue import FAULTS, Fault, find

__all__ = [
    "FAULTS",
    "Fault",
    "find",
    "in_arguments",
    "in_calls",
    "in_content",
    "in_envelope",
    "in_finish",
    "in_one_mode",
    "in_options",
    "in_requests",
    "legal",
    "legal_framing",
    "legal_requests",
    "links",
    "on_the_wire",
]

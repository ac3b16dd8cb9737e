"""What real client libraries make of each quirk: one line protocol, fixed bytes, and a verdict by what was planted.

The fault server's answers are served on loopback as fixed bytes; an adapter drives a library's own accumulator at them
and says what came of it (`conformance/clients/`); each outcome is held against `conformance.faults.expected`, never
against our own reading.
"""

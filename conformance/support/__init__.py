"""What a provider needs to mend a fault: the exchange without secrets, a reproduction, and a report to paste."""

from conformance.support.bundle import write_report
from conformance.support.capture import redacted_capture, write_capture
from conformance.support.redaction import Redacted, redact

__all__ = ["Redacted", "redact", "redacted_capture", "write_capture", "write_report"]

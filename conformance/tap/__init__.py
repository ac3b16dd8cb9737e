"""A loopback proxy in front of any provider: passes every byte on, and judges a copy.

    client ──> forward ──────────────> provider
                 │ copies (recording, bounded)
                 └─> worker ─> a process of its own: redact ─> read ─> quirks ─> cassette
                       └─> lines, tally

Forwarding and judging share nothing but a queue, so that no answer, however long or odd, holds another one up. What
leaves the copies (a line, a document, a file) is redacted first; no key is kept longer than the tap runs.
"""

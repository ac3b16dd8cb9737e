"""Recognise key values, so that they are refused in `providers.yaml` and never printed or recorded.

A configuration file holds the *names* of environment variables. What looks like a key itself is a mistake that must not
be repeated on a terminal or in a CI log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

ISSUED: Final = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      sk-[A-Za-z0-9_-]{12,}                 # OpenAI, DeepSeek, Moonshot, OpenRouter (sk-or-), LiteLLM
    | (?:gsk|hf|fw|tgp_v1|ghp|gho|ghs|ghr|ghu|github_pat)[_-][A-Za-z0-9_-]{16,}
    | (?:xai|csk|nvapi|pplx|glpat)-[A-Za-z0-9_-]{16,}
    | (?:xoxe\.)?xox[a-z]-[A-Za-z0-9-]{10,} | xapp-[0-9]-[A-Za-z0-9-]{16,}  # Slack
    | r8_[A-Za-z0-9]{30,}                   # Replicate
    | [srp]k_(?:live|test)_[A-Za-z0-9]{10,} | whsec_[A-Za-z0-9+/=]{24,}  # Stripe
    | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}  # SendGrid
    | npm_[A-Za-z0-9]{30,}
    | pypi-AgE[A-Za-z0-9_-]{20,}            # a macaroon, whose first bytes are these
    | [0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])  # Telegram
    | AIza[A-Za-z0-9_-]{30,} | ya29\.[A-Za-z0-9_-]{30,} | GOCSPX-[A-Za-z0-9_-]{20,}  # Google
    | (?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])  # AWS
    | (?<!\.)eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,})+  # a JSON web token; behind a dot something else
    )""",
    re.VERBOSE,
)
"""Forms that key issuers document; safe to look for in any text."""

_ESCAPE: Final = re.compile(r"(\\+)(?:[nrtbf]|u[0-9a-fA-F]{4})")
_BEARER: Final = re.compile(r"(?<![A-Za-z0-9])[Bb]earer\s+(?!\$\{)[^\s$]{8,}")

_RUN: Final = re.compile(r"[A-Za-z0-9+/_=]{20,}")
_REFERENCE: Final = re.compile(r"\$\{[A-Z0-9_]*(?::-)?")  # of a reference, only a default can be a key
_SENSITIVE: Final = frozenset(
    ["apikey", "auth", "authorization", "cookie", "credential", "credentials", "key", "password", "secret", "token"]
)

MASK: Final = "***"


def without_escapes(text: str) -> str:
    r"""The text with the letters of JSON escapes blanked: in `\nsk-…` the `n` is no part of a key."""
    return _ESCAPE.sub(lambda match: match[1].ljust(len(match[0])), text) if "\\" in text else text


def issued(text: str) -> Iterator[tuple[int, int]]:
    """Where text holds something in the form of a known issuer's keys."""
    for match in ISSUED.finditer(without_escapes(text)):
        # sk-learn-contrib is a word: a key has digits or capitals
        if any(char.isdigit() or char.isupper() for char in match.group()):
            yield match.span()


def is_issued(text: str) -> bool:
    """Whether text holds something in the form of a known issuer's keys."""
    return bool(ISSUED.search(text) or _BEARER.search(text))


def is_random(text: str) -> bool:
    """Whether text holds a long run of mixed letters and digits, as keys without a known form are.

    Meant for the places a key may be pasted into (headers, query, `api_key_env`, `base_url`); commit hashes and the
    like look the same.
    """
    return any(_mixed(run) for run in _RUN.findall(_REFERENCE.sub(" ", text)))


def is_sensitive(name: str) -> bool:
    """Whether a header, query parameter or key of this name carries a credential."""
    return not _SENSITIVE.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def mask(text: str) -> str:
    """The text with everything that looks like a key replaced; for messages that must quote the user's file."""
    hidden = _BEARER.sub(MASK, ISSUED.sub(MASK, text))
    return _RUN.sub(lambda m: MASK if _mixed(m.group()) else m.group(), hidden)


def _mixed(run: str) -> bool:
    digits = sum(c.isdigit() for c in run)
    letters = sum(c.isalpha() for c in run)
    return digits >= 4 and letters >= 4

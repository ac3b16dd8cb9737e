"""What a base URL may look like; the same rules for the file and for what a variable puts into it."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from conformance.providers import variables


def problem(url: str) -> str | None:
    """What is wrong with an address, as the rest of a sentence that starts with its name; None if nothing is."""
    if any(c.isspace() or not c.isprintable() for c in url):
        return "holds white space or a control character"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "is not a valid address"
    if parts.scheme not in ("http", "https"):
        return "must begin with http:// or https://"
    if not parts.hostname or port == 0:
        return "is not a valid address"
    if parts.username is not None or parts.password is not None:
        return "holds a user name or a password; name the key's variable in 'api_key_env' instead"
    if parts.query or "?" in url:
        return "holds a query; put its parameters under 'query'"
    if parts.fragment or "#" in url:
        return "holds a fragment ('#…'), which no server would see"
    if parts.path.rstrip("/").endswith("/chat/completions"):
        return "ends in /chat/completions, which the client adds; leave it out"
    return None


def template_problem(url: str) -> str | None:
    """The same for an address with `${NAME}` in it, as far as it can be told before the variables are known."""
    if wrong := variables.problem(url):
        return wrong
    if variables.starts_open(url):
        return None
    return problem(variables.expand(url, {})[0])


def is_loopback(url: str) -> bool:
    """Whether a well-formed address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

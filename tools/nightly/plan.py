"""Says which providers a night asks, as the matrix of a workflow: `[{"name": …, "key": …, "required": …}]`.

Reads what `conformance list providers --format json` prints from standard input.

NIGHTLY_PROVIDERS, names with spaces or commas between them, chooses: those have to be measured, and one without a key
is red. If it is empty, every provider that takes a key and is not on this machine or its network is asked, as far as
its key is there. One that takes a key and is near is named in runs/night/NAME/not-asked, unless its key is known to be
missing; in GitHub Actions that is not known here, as each key is in an environment of its own.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_VARIABLE = re.compile(r"\$\{\w+(?::-(?P<default>[^}]*))?\}")


def planned(providers: list[dict[str, Any]], chosen: str) -> list[dict[str, Any]]:
    """The entries of the matrix.

    Args:
        providers: as listed.
        chosen: names, with spaces or commas between them; empty for all that are hosted.

    Raises:
        ValueError: a name is not in the list.
    """
    names = chosen.replace(",", " ").split()
    known = {str(one["name"]): one for one in providers}
    if unknown := [name for name in names if name not in known]:
        raise ValueError(
            f"NIGHTLY_PROVIDERS: {', '.join(unknown)}: not in the providers file, which has {', '.join(known)}"
        )
    picked = [known[name] for name in dict.fromkeys(names)] or [one for one in providers if _hosted(one)]
    return [{"name": one["name"], "key": one["api_key_env"] or "", "required": bool(names)} for one in picked]


def near(providers: list[dict[str, Any]], environment: Mapping[str, str]) -> list[str]:
    """Providers that are not asked though they may have a key, because their address is local."""
    unknown = environment.get("GITHUB_ACTIONS") == "true"
    keyed = [one for one in providers if one["api_key_env"] and (unknown or environment.get(one["api_key_env"]))]
    return [str(one["name"]) for one in keyed if not _hosted(one)]


def _hosted(provider: dict[str, Any]) -> bool:
    if provider["api_key_env"] is None:
        return False
    address = _VARIABLE.sub(lambda found: found["default"] or "unset", str(provider["base_url"]))
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return host != "localhost" and not host.endswith(".localhost")


if __name__ == "__main__":
    listed, chosen = json.load(sys.stdin), os.environ.get("NIGHTLY_PROVIDERS", "")
    try:
        plan = planned(listed, chosen)
    except ValueError as error:
        print(f"plan: {error}", file=sys.stderr)
        sys.exit(4)
    if not chosen.replace(",", " ").split():
        for name in near(listed, os.environ):
            reason = Path("runs/night", name, "not-asked")
            reason.parent.mkdir(parents=True, exist_ok=True)
            reason.write_text("its address is local; name it in NIGHTLY_PROVIDERS\n", encoding="utf-8")
    print(json.dumps(plan))

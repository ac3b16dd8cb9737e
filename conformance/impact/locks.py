"""`requirements.lock` files, as far as a version is to be exchanged in them; `--versions` on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from conformance.errors import ConfigError
from conformance.text import visible


@dataclass(frozen=True, slots=True)
class Override:
    """A distribution in another version than the lock's."""

    distribution: str
    version: str

    def __str__(self) -> str:
        return f"{self.distribution}=={self.version}"


def overrides(text: str) -> list[Override]:
    """Read `openai==3.13.0,3.14.0`.

    Raises:
        ConfigError: it is not a distribution, `==` and versions separated by commas.
    """
    name, equal, rest = text.partition("==")
    versions = [one.strip() for one in rest.split(",")]
    try:
        if not equal or canonicalize_name(name.strip(), validate=True) == "":
            raise ValueError
        for one in versions:
            Version(one)
    except (ValueError, InvalidVersion):
        shown = visible(text, 80)
        raise ConfigError(f'--versions {shown}: it has to look like "openai==3.13.0,3.14.0"') from None
    return [Override(canonicalize_name(name.strip()), one) for one in dict.fromkeys(versions)]


def pins(lock: str) -> Iterator[Requirement]:
    """What a lock pins, without its hashes.

    Raises:
        ConfigError: a line is no requirement.
    """
    for block in _blocks(lock):
        text = re.sub(r"\s--hash=\S+", " ", block)
        try:
            yield Requirement(text.strip())
        except InvalidRequirement as problem:
            raise ConfigError(f"requirements.lock: {visible(text.strip(), 80)}: {visible(str(problem), 200)}") from None


def exchanged(lock: str, override: Override) -> str:
    """The lock with another version of one distribution; the others keep their hashes.

    Raises:
        ConfigError: the lock does not pin it, or cannot be read.
    """
    found: list[str] = []
    for block, pin in zip(_blocks(lock), pins(lock), strict=True):
        mine = canonicalize_name(pin.name) == override.distribution
        found.append(str(override) if mine else block)
    if str(override) not in found:
        raise ConfigError(f"requirements.lock does not pin {override.distribution}")
    return "\n".join(dict.fromkeys(found)) + "\n"


def holds(lock: str, distribution: str) -> bool:
    """Whether a lock pins a distribution."""
    return any(canonicalize_name(pin.name) == distribution for pin in pins(lock))


def _blocks(lock: str) -> Sequence[str]:
    """Requirements with their hashes, one text each."""
    joined = lock.replace("\\\n", " ")
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith("-")]

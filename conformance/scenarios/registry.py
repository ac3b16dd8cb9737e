"""How a scenario is declared and found.

A scenario file holds a docstring and one function under `@scenario(...)`, named like the file. The function is a
generator: it yields what to ask, is sent the transcript of each answer, and may ask on; returning ends the
conversation. It does no I/O and knows no provider.
"""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import pkgutil
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

from conformance.errors import ConfigError
from conformance.model import Mode
from conformance.wire.transcript import Transcript

Feature = Literal["stream_usage", "parallel", "required", "named", "none", "strict"]
"""What a scenario may need: features as `providers.yaml` declares them. Where one is lacking it is not sent."""

_HELPERS: Final = frozenset(("registry", "request", "history", "link"))
_BOTH: Final[tuple[Mode, ...]] = ("stream", "complete")


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a conversation.

    Attributes:
        body: the JSON body, with `model`, without `stream` (the mode decides that).
        headers: headers that differ from the usual ones.
    """

    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


Conversation = Generator[Ask, Transcript, None]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One request, or a short conversation.

    Attributes:
        name: of its file, in snake case.
        title: one sentence in present tense, at most 70 characters, no closing stop.
        doc: what it is for (the file's docstring after its first line).
        modes: the modes in which it makes sense.
        features: what a provider must not lack.
        steps: requests it makes at most.
        conversation: starts the conversation with a model.
    """

    name: str
    title: str
    doc: str
    modes: tuple[Mode, ...]
    features: frozenset[Feature]
    steps: int
    conversation: Callable[[str], Conversation]


def scenario(
    *,
    title: str,
    modes: Sequence[Mode] = _BOTH,
    features: Iterable[Feature] = (),
    steps: int = 1,
) -> Callable[[Callable[[str], Conversation]], Scenario]:
    """Declare a scenario; the name is the function's and must be its file's.

    Raises:
        ValueError: function and file have different names.
    """

    def declare(conversation: Callable[[str], Conversation]) -> Scenario:
        module = importlib.import_module(conversation.__module__)
        name = conversation.__name__
        if conversation.__module__.rpartition(".")[2] != name:
            raise ValueError(f"{conversation.__module__}: the scenario {name} has another name than its file")
        doc = "\n".join((module.__doc__ or "").strip().split("\n")[1:]).strip()
        return Scenario(name, title, doc, tuple(modes), frozenset(features), steps, conversation)

    return declare


@cache
def catalogue() -> tuple[Scenario, ...]:
    """Every scenario, by name.

    Raises:
        ValueError: a file that declares none or several.
    """
    import conformance.scenarios as package

    found: list[Scenario] = []
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        if info.name in _HELPERS:
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        declared = [value for value in vars(module).values() if isinstance(value, Scenario)]
        if len(declared) != 1:
            raise ValueError(f"{module.__name__}: declares {len(declared)} scenarios, a file declares one")
        found.extend(declared)
    return tuple(found)


def get(name: str) -> Scenario:
    """The scenario with this name.

    Raises:
        ConfigError: there is none; the message names the nearest one.
    """
    for one in catalogue():
        if one.name == name:
            return one
    names = [s.name for s in catalogue()]
    near = difflib.get_close_matches(name, names, 1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise ConfigError(f"no scenario is called {name!r}{hint} Known: {', '.join(names)}")


def select(names: Sequence[str]) -> tuple[Scenario, ...]:
    """The scenarios with these names, in the catalogue's order; all of them if none is named.

    Args:
        names: names, or patterns such as `history_*`.

    Raises:
        ConfigError: a name is unknown, or a pattern matches none.
    """
    if not names:
        return catalogue()
    wanted = {found for name in names for found in _matching(name)}
    return tuple(s for s in catalogue() if s.name in wanted)


def _matching(name: str) -> list[str]:
    if not re.search(r"[*?\[]", name):
        return [get(name).name]
    found = fnmatch.filter([s.name for s in catalogue()], name)
    if not found:
        raise ConfigError(f"no scenario matches {name!r}; see 'conformance list scenarios'")
    return found

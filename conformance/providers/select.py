"""Choose providers and models by name; what matches nothing is an error (DESIGN §4.10)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from conformance.errors import ConfigError, SelectionError
from conformance.providers.checks import unknown
from conformance.providers.models import Model, Provider, ProvidersFile


class Selected(NamedTuple):
    """One model of one provider: a row of the matrix."""

    provider: Provider
    model: Model


def select(
    providers: ProvidersFile, names: Sequence[str] | None = None, models: Sequence[str] | None = None
) -> tuple[Selected, ...]:
    """The chosen models, in the order of the file whatever the order of the names, each once.

    Args:
        providers: what there is.
        names: provider names, or patterns with `*`, `?` and `[…]`; None = every provider.
        models: model names or patterns; None = each provider's default model.

    Raises:
        ConfigError: a name that is in no file; it carries one sentence for each, with the nearest name and the list.
        SelectionError: no names, a pattern that matches nothing, or nothing left.
    """
    everything = list(providers.providers.values())
    chosen = _named("provider", names, [provider.name for provider in everything])
    candidates = [provider for provider in everything if provider.name in chosen]
    if models is None:
        return tuple(Selected(provider, provider.default) for provider in candidates)
    offered = [model.name for provider in candidates for model in provider.models]
    wanted = _named("model", models, list(dict.fromkeys(offered)))
    return tuple(
        Selected(provider, model) for provider in candidates for model in provider.models if model.name in wanted
    )


def _named(kind: str, patterns: Sequence[str] | None, known: Sequence[str]) -> Collection[str]:
    if patterns is None:
        return known
    if not patterns:
        raise SelectionError(f"no {kind} is selected. Known: {', '.join(known)}")
    wrong = [unknown(kind, name, known) for name in patterns if not _is_pattern(name) and name not in known]
    if wrong:
        raise ConfigError(*dict.fromkeys(wrong))
    found: set[str] = set()
    for pattern in patterns:
        matches = {pattern} if pattern in known else set(_matching(pattern, known))
        if not matches:
            raise SelectionError(f"no {kind} matches {pattern!r}. Known: {', '.join(known)}")
        found |= matches
    return found


def _is_pattern(name: str) -> bool:
    return any(c in name for c in "*?[")


def _matching(pattern: str, known: Iterable[str]) -> Iterable[str]:
    return (name for name in known if fnmatchcase(name, pattern))

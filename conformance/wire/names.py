"""What the name of a call is, given the pieces it came in (DESIGN §4.4 e). Standard library only."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def resolve_name(pieces: Sequence[str], declared: Collection[str] = ()) -> str:
    """Assemble a tool name.

    A piece equal to the name held so far is a repeat, another one a further fragment; the names the request declares
    decide where both readings are possible.

    Args:
        pieces: non-empty name strings that came before any argument text, in order (or the first that came at all).
        declared: names of the offered tools; empty if unknown.
    """
    if not pieces:
        return ""
    if len(pieces) == 1:
        return pieces[0]
    joined = "".join(pieces)
    held = pieces[0]
    for piece in pieces[1:]:
        if piece != held:
            held = piece if piece.startswith(held) else held + piece
    for candidate in (held, joined, pieces[0], pieces[-1]):
        if candidate in declared:
            return candidate
    return held


def opens_another(held: str, name: str, declared: Collection[str]) -> bool:
    """Whether `name`, arriving before any argument text of a call named `held`, can only be another call's name."""
    return bool(held) and name != held and name in declared and held in declared and held + name not in declared

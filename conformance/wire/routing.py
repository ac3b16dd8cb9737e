"""Which call an entry of a streamed `tool_calls` belongs to: DESIGN §4.4 (a) to (d). Standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.wire.calls import ENTRY_FIELDS, CallState
from conformance.wire.entries import name_of, text
from conformance.wire.facts import Fact
from conformance.wire.names import opens_another


class Routes:
    """The calls of one choice by index and id, and those that were opened without an index and wait for one.

    Args:
        declared: the names of the tools that the request offers.
    """

    def __init__(self, declared: Mapping[str, Any]) -> None:
        self._declared = declared
        self._by_index: dict[int, CallState] = {}
        self._by_id: dict[str, CallState] = {}
        self._late: set[int] = set()
        self._waiting: dict[int, tuple[int, CallState]] = {}
        self._opened = 0

    def opened(self, call: CallState, event: int | None, pointer: str) -> None:
        """Take note of a call that an entry has opened."""
        if call.wire_index is None:
            self._waiting[id(call)] = (self._opened, call)
        else:
            self._hold(call.wire_index, call, event, pointer)
        self._opened += 1

    def continued(
        self, call: CallState, entry: Mapping[str, Any], index: int | None, event: int | None, pointer: str
    ) -> None:
        """Take note of an entry that goes on with a call; a call without an index gets the first one that comes."""
        if index is None:
            return
        if call.wire_index is None:
            call.wire_index = index
            self._hold(index, call, event, pointer)
            self._late.add(id(call))
            self._waiting.pop(id(call), None)
        elif index not in self._by_index:
            by_id = bool(entry.get("id"))
            call.stray = call.stray or (call.reused and not by_id)
            call.facts.note(Fact.INDEX_STRAY_TAIL, event, pointer, "by-id" if by_id else "by-order", index)

    def identified(self, call: CallState) -> None:
        """Take note of a call's id, once it has one."""
        self._by_id.setdefault(call.id, call)

    def _hold(self, index: int, call: CallState, event: int | None, pointer: str) -> None:
        if index in self._by_index:
            call.reused = True
            call.facts.note(Fact.INDEX_REUSED, event, f"{pointer}/index", sample=index)
        self._by_index[index] = call

    def find(self, entry: Mapping[str, Any], index: int | None, last: CallState | None) -> CallState | None:
        """The call an entry continues; None if it opens one.

        Args:
            entry: an entry of `tool_calls`.
            index: its index, None if it counts as missing.
            last: the call that the entry before went to.
        """
        held = self._by_index.get(index) if index is not None else None
        call_id = entry.get("id")
        if held is not None and (not call_id or call_id == held.id):
            # (a), the common case
            return held if call_id or not self._waiting else self._held_or_waiting(held, last)
        call_id = text(call_id)
        name = name_of(entry)
        known = self._by_id.get(call_id) if call_id else None
        if index is None:
            return self._without_index(last, call_id, name, known)
        if held is None:
            return self._unseen(entry, index, last, call_id, name, known)
        if known is not None:
            if known.wire_index is None or known.wire_index == index:
                if known.wire_index is not None:
                    self._by_index[index] = known
                return known
            return held
        if not held.id:
            # the held call has no id yet: this is its late id, unless it is whole and another name comes
            if not name or not held.name or name == held.name or not held.arguments_complete():
                return held
            return None
        return None if name else held  # (b)

    def _without_index(
        self, last: CallState | None, call_id: str, name: str, known: CallState | None
    ) -> CallState | None:
        if known is not None:  # (c)
            return known
        if last is None:
            return None
        if call_id:
            return last if not last.id and not name else None
        if name:
            if last.arguments_complete():
                return None
            if not last.has_arguments and opens_another(last.name, name, self._declared):
                return None
        return last

    def _unseen(
        self,
        entry: Mapping[str, Any],
        index: int,
        last: CallState | None,
        call_id: str,
        name: str,
        known: CallState | None,
    ) -> CallState | None:
        if name:
            return None  # announced anew, be its id known or not
        if known is not None:
            return known  # an id that is known continues its call wherever it comes
        waiting = self._waiting_for(entry, index, last) if self._waiting else None
        if call_id:
            return waiting if waiting is not None and not waiting.id else None
        if waiting is not None:
            return waiting
        tail = last is not None and (last.reused or ENTRY_FIELDS.isdisjoint(set(entry) - {"index"}))
        return last if tail else None  # (d), and entries with unknown fields only

    def _waiting_for(self, entry: Mapping[str, Any], index: int, last: CallState | None) -> CallState | None:
        """The call opened without an index that goes on under this one; None where that is no one or ambiguous.

        A call whose arguments are whole waits for nothing. Of several, the first is meant if the index is its place
        among all calls; any other index may be a count from 1 or the second call's, and none of them can be trusted.
        """
        if not _carries_arguments(entry):
            return last if last is not None and last.wire_index is None else None
        whole: list[int] = []
        found: list[tuple[int, CallState]] = []
        for key, (place, call) in self._waiting.items():
            if call.arguments_complete():
                whole.append(key)
            else:
                found.append((place, call))
                if len(found) == 2:
                    break
        for key in whole:
            del self._waiting[key]
        if len(found) == 1 or (found and found[0][0] == index):
            return found[0][1]
        for _, call in self._waiting.values():
            call.stray = True
        self._waiting.clear()
        return None

    def _held_or_waiting(self, held: CallState, last: CallState | None) -> CallState:
        """(b) for calls opened without an index: one they share goes to the call opened last, if the other is whole."""
        if last is None or last is held or last.wire_index is not None or id(held) not in self._late:
            return held
        return last if held.arguments_complete() else held


def _carries_arguments(entry: Mapping[str, Any]) -> bool:
    for key in ("function", "custom"):
        inner = entry.get(key)
        if isinstance(inner, dict) and (inner.get("arguments") or inner.get("input")):
            return True
    return bool(entry.get("arguments"))

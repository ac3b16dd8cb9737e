"""What a plan may cost, said before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.run.plan import Cell, Plan

BYTES_A_TOKEN: Final = 4
"""Bytes of English and JSON that make a token, roughly, in the tokenizers of today."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the exchanges with one provider may cost.

    Attributes:
        requests: at most; a conversation can end early.
        answer_tokens: at most, as every request bounds its answer.
        prompt_tokens: about, from the size of the requests; results and answers that go back are not known before.
    """

    requests: int
    answer_tokens: int
    prompt_tokens: int

    def __str__(self) -> str:
        return (
            f"up to {self.requests} request{'s' * (self.requests != 1)}, at most {self.answer_tokens:,} answer tokens, "
            f"about {self.prompt_tokens:,} prompt tokens"
        )


def budget(cells: Sequence[Cell]) -> Budget:
    """What these cells may cost together."""
    requests = answers = prompts = 0
    for cell in cells:
        first = next(cell.scenario.conversation(cell.model)).body
        steps = cell.scenario.steps
        bound = first.get("max_tokens")
        requests += steps
        answers += steps * (bound if isinstance(bound, int) else 0)
        prompts += steps * -(-len(json.dumps(first, ensure_ascii=False).encode()) // BYTES_A_TOKEN)
    return Budget(requests, answers, prompts)


def announcement(plan: Plan, done: Collection[str] = ()) -> list[str]:
    """What is going to be sent, a line for each provider and one for all; empty for a replay.

    Args:
        plan: what is to be done.
        done: ids of cells that an earlier try measured.
    """
    if plan.run_mode == "replay":
        return []
    sent = [cell for cell in plan.cells if cell.id not in plan.over_budget and cell.id not in done]
    by_provider: dict[str, list[Cell]] = {}
    for cell in sent:
        by_provider.setdefault(cell.provider.name, []).append(cell)
    lines = [f"{name}: {budget(cells)}" for name, cells in by_provider.items()]
    if len(lines) > 1:
        lines.append(f"together: {budget(sent)}")
    if plan.over_budget:
        lines.append(f"beyond --max-requests, not run: {', '.join(sorted(plan.over_budget))}")
    return lines

"""Under pytest-xdist: which items follow each other in one process.

Requests to one provider do, so that its rate limit slows nobody else and is kept. In a replay only the items of one
scenario do, so that a stream meets its twin. A scheduler of its own says so: `--dist=loadgroup` writes the group into
an item's id, which pytest 9 no longer lets it do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from conformance.run.plan import Plan

if TYPE_CHECKING:
    import pytest

_OURS: Final = ("load", "loadgroup")
"""Ways to share items out that this one takes the place of; who asks for another gets it."""


def scheduler(config: pytest.Config, log: Any, plan: Plan) -> Any:
    """The scheduler of xdist for a plan; None where somebody asked for a way of sharing out that is not ours."""
    if config.getoption("dist") not in _OURS:
        return None
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    together = groups(plan)

    class Together(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
        """Shares out groups instead of items; items of other tests are groups of one."""

        def _split_scope(self, nodeid: str) -> str:
            return together.get(nodeid.rpartition("[")[2].removesuffix("]"), nodeid)

    return Together(config, log)


def groups(plan: Plan) -> Mapping[str, str]:
    """By id of a cell: the name of its group."""
    if plan.run_mode != "replay":
        return {cell.id: cell.provider.name for cell in plan.cells}
    return {cell.id: f"{cell.provider.name} {cell.scenario.name}" for cell in plan.cells}

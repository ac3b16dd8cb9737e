"""One answer with `stream: false` per item: what do its bytes show?"""

from conformance.run.plan import Cell
from conformance.suites.session import Measure


def test_complete(cell: Cell, measure: Measure) -> None:
    """The answer shows no unexpected quirk."""
    measure(cell)

"""One streamed answer per item: what do its bytes show?"""

from conformance.run.plan import Cell
from conformance.suites.session import Measure


def test_streaming(cell: Cell, measure: Measure) -> None:
    """The stream shows no unexpected quirk."""
    measure(cell)

"""One conversation per item, in either mode: do ids and results find their way back?"""

from conformance.run.plan import Cell
from conformance.suites.session import Measure


def test_round_trip(cell: Cell, measure: Measure) -> None:
    """No answer of the conversation shows an unexpected quirk."""
    measure(cell)

"""How rows of an organization get from one cell into another, and who may write them meanwhile.

Nothing here knows a table of the service; the use case does, `core.moves`.
"""

from core.cells.move.errors import MoveRefused, OrganizationMoves
from core.cells.move.gate import moves_somebody
from core.cells.move.left_over import LeftOver, left_over_moves, moves_under_way
from core.cells.move.models import MoveStep
from core.cells.move.numbers import BLOCK_BITS, number_on_machines

__all__ = [
    "BLOCK_BITS",
    "LeftOver",
    "MoveRefused",
    "MoveStep",
    "OrganizationMoves",
    "left_over_moves",
    "moves_somebody",
    "moves_under_way",
    "number_on_machines",
]

"""Moving an organization from one cell into another while it works."""

from core.cells.move.errors import MoveRefused, OrganizationMoves
from core.cells.move.gate import moves_somebody
from core.cells.move.left_over import LeftOver, left_over_moves, moves_under_way
from core.cells.move.models import MoveStep
from core.cells.move.numbers import BLOCK_BITS, number_on_machines
from core.cells.move.operate import begin_numbers, move_organization, undo_move

__all__ = [
    "BLOCK_BITS",
    "LeftOver",
    "MoveRefused",
    "MoveStep",
    "OrganizationMoves",
    "begin_numbers",
    "left_over_moves",
    "move_organization",
    "moves_somebody",
    "moves_under_way",
    "number_on_machines",
    "undo_move",
]

"""Moving an organization from one cell into another while it works."""

from core.cells.move import MoveRefused
from core.moves.operate import begin_numbers, move_organization, undo_move

__all__ = ["MoveRefused", "begin_numbers", "move_organization", "undo_move"]

"""Moving an organization from one cell into another while it works."""

from core.cells.move.errors import MoveRefused
from core.cells.move.models import MoveStep
from core.cells.move.operate import begin_numbers, move_organization, undo_move

__all__ = ["MoveRefused", "MoveStep", "begin_numbers", "move_organization", "undo_move"]

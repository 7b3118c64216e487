"""Where the stages of a pipeline stand: numbered from 0, without a gap."""

from core.pipelines.board import Board
from core.pipelines.models import Outcome, Stage


def usual_place(board: Board) -> int:
    """In front of the stages that close deals at the end, behind all others."""
    place = len(board.stages)
    while place and board.stages[place - 1].outcome is not Outcome.OPEN:
        place -= 1
    return place


async def renumber(board: Board) -> None:
    """Write the positions of the stages of a locked pipeline, as they stand in it now."""
    moved: list[Stage] = []
    for position, stage in enumerate(board.stages):
        if stage.position != position:
            stage.position = position
            moved.append(stage)
    if moved:
        await Stage.bulk_update(moved, ["position"])


async def remove_stage(board: Board, stage: Stage) -> None:
    """Delete a stage of a locked pipeline that has no cards any more; the others move up."""
    await stage.delete()
    board.stages.remove(stage)
    await renumber(board)

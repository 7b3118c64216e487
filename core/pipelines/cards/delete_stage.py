"""Deleting a stage of a pipeline, and what becomes of the cards in it."""

from core import audit
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.transactions import transaction
from core.pipelines.board import Board, lock_board, touch
from core.pipelines.inputs import StageDeletion
from core.pipelines.models import Outcome, Stage
from core.pipelines.stages import refuse_cards, refuse_leaving, renumber

CEILING = 5_000
"""Cards that one deletion moves."""


async def delete_stage(caller: Caller, pipeline_id: str, id: str, how: StageDeletion) -> None:
    """Delete a stage. Its cards move to the stage named, all of them or none, each by the rules of a move.

    Raises NotFound, LastOpenStage, ReasonsWithoutLostStage, StageHasCards, TooManyCards, ValidationFailed for a stage
    that cannot take them, and the refusals of a move.
    """
    caller.require(Scope.CRM_DELETE)
    at = now()
    async with transaction():
        board = await lock_board(caller, pipeline_id)
        stage = board.get_stage(id)
        refuse_leaving(board, stage)
        moved = 0
        if how.move_to is None:
            await refuse_cards(stage)
        else:
            moved = await _move_all(caller, board, stage, _destination(board, stage, how.move_to))
        await stage.delete()
        board.stages.remove(stage)
        await renumber(board)
        await touch(board, at=at)
        facts = {"pipelineId": pipeline_id, "outcome": stage.outcome.value, "moved": moved}
        await audit.record(caller, "stage.deleted", id, facts, at=at)


def _destination(board: Board, stage: Stage, id: str) -> Stage:
    """Another stage of the pipeline; an open one for open deals, which are not won or lost by the way."""
    found = board.find_stage(id)
    if found is None or found is stage:
        raise _refused("VINCULO_INVALIDO", "The pipeline has no other stage of this id")
    if stage.outcome is Outcome.OPEN and found.outcome is not Outcome.OPEN:
        raise _refused("VINCULO_INVALIDO", "Open deals move to a stage with the outcome aberta")
    return found


def _refused(code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("parameter", "moverPara", code, message)])

"""Adding a stage to a pipeline."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, bump_version, lock_board
from core.pipelines.create import new_stage
from core.pipelines.errors import OutcomeTaken, TooManyStages
from core.pipelines.inputs import MAX_STAGES, AddedStage
from core.pipelines.models import Outcome
from core.pipelines.names import one_of_each
from core.pipelines.record import StageRecord, stage_record
from core.pipelines.stages.positions import renumber, usual_place


async def add_stage(caller: Caller, pipeline_id: str, new: AddedStage) -> StageRecord:
    """Add a stage at a place, by default in front of won and lost; answers its record.

    Raises NotFound, NameTaken, OutcomeTaken and TooManyStages.
    """
    caller.require(Scope.CRM_WRITE)
    at = now()
    with one_of_each():
        async with transaction():
            board = await lock_board(caller, pipeline_id)
            _refuse(board, new)
            place = usual_place(board) if new.place is None else min(new.place, len(board.stages))
            stage = new_stage(caller, pipeline_id, new, position=place)
            await stage.save()
            board.stages.insert(place, stage)
            await renumber(board)
            await bump_version(board, at=at)
            facts = {"pipelineId": pipeline_id, "outcome": stage.outcome.value}
            await audit.write_entry(caller, "stage.created", stage.id, facts, at=at)
    return stage_record(stage)


def _refuse(board: Board, new: AddedStage) -> None:
    if new.outcome is not Outcome.OPEN and board.stages_of(new.outcome):
        raise OutcomeTaken
    if len(board.stages) >= MAX_STAGES:
        raise TooManyStages

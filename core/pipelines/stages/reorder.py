"""Putting the stages of a pipeline in another order."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import bump_version, lock_board
from core.pipelines.errors import OrderIncomplete
from core.pipelines.inputs import StageOrder
from core.pipelines.record import PipelineRecord, pipeline_record
from core.pipelines.stages.positions import renumber


async def reorder_stages(caller: Caller, pipeline_id: str, order: StageOrder) -> PipelineRecord:
    """Put every stage at its place; answers the pipeline's record. Raises NotFound and
    OrderIncomplete.
    """
    caller.require(Scope.CRM_WRITE)
    at = now()
    async with transaction():
        board = await lock_board(caller, pipeline_id)
        stages = {stage.id: stage for stage in board.stages}
        if sorted(order.stage_ids) != sorted(stages):
            raise OrderIncomplete
        if order.stage_ids != list(stages):
            board.stages = [stages[id] for id in order.stage_ids]
            await renumber(board)
            await bump_version(board, at=at)
            facts = {
                "changed": ["stages"],
                "archived": board.pipeline.archived,
                "version": board.pipeline.version,
            }
            await audit.write_entry(caller, "pipeline.changed", pipeline_id, facts, at=at)
    return pipeline_record(board)

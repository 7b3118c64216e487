"""Reading pipelines."""

from collections import defaultdict
from typing import Any

from core.foundation.database.pages import CEILING, cut
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, read_board
from core.pipelines.inputs import PipelineFilter
from core.pipelines.models import LostReason, Outcome, Pipeline, Stage
from core.pipelines.records import pipeline_record


async def get_pipeline(caller: Caller, id: str) -> dict[str, Any]:
    """One pipeline of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CRM_READ)
    return pipeline_record(await read_board(caller, id))


async def list_pipelines(caller: Caller, filter: PipelineFilter) -> dict[str, Any]:
    """Pipelines by their position: `{items, total, openStageCounts?}`; counts are by pipeline id."""
    caller.require(Scope.CRM_READ)
    wanted = Pipeline.visible_to(caller)
    if not filter.include_archived:
        wanted = wanted.filter(archived=False)
    total = await wanted.count()
    limit = cut(filter.limit, default=CEILING)
    found = await wanted.order_by("position", "id").offset(filter.skip).limit(limit)
    boards = await _boards(caller, found)
    page: dict[str, Any] = {"items": [pipeline_record(board) for board in boards], "total": total}
    if filter.counted:
        page["openStageCounts"] = {
            board.pipeline.id: len(board.stages_of(Outcome.OPEN)) for board in boards
        }
    return page


async def _boards(caller: Caller, pipelines: list[Pipeline]) -> list[Board]:
    ids = [pipeline.id for pipeline in pipelines]
    stages: dict[str, list[Stage]] = defaultdict(list)
    for stage in (
        await Stage.visible_to(caller).filter(pipeline_id__in=ids).order_by("position", "id")
    ):
        stages[stage.pipeline_id].append(stage)
    reasons: dict[str, list[LostReason]] = defaultdict(list)
    for reason in (
        await LostReason.visible_to(caller).filter(pipeline_id__in=ids).order_by("position", "id")
    ):
        reasons[reason.pipeline_id].append(reason)
    return [Board(pipeline, stages[pipeline.id], reasons[pipeline.id]) for pipeline in pipelines]

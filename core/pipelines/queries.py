"""Reading pipelines."""

from core.foundation.database.pages import CEILING, cut
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, read_rows, skipping
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import read_board
from core.pipelines.inputs import PipelineFilter
from core.pipelines.models import Outcome
from core.pipelines.record import (
    LOST_REASON,
    PIPELINE,
    STAGE,
    PipelinePage,
    PipelineRecord,
    pipeline_record,
)


async def get_pipeline(caller: Caller, id: str) -> PipelineRecord:
    """One pipeline of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CRM_READ)
    return pipeline_record(await read_board(caller, id))


async def list_pipelines(caller: Caller, filter: PipelineFilter) -> WrittenPage[PipelinePage]:
    """Pipelines by their position. Where counts are asked for, it has those of open stages."""
    caller.require(Scope.CRM_READ)
    where = Where.visible_to(caller)
    if not filter.include_archived:
        where.narrow("NOT archived")
    limit = cut(filter.limit, default=CEILING)
    values = [*where.values]
    read = await read_rows(
        caller,
        PIPELINE,
        f"{SELECT} WHERE {where} ORDER BY position, id LIMIT {limit}"
        f"{skipping(filter.skip, values)}",
        values,
        order="position, id",
        place=("position", "id"),
        total=f"SELECT count(*) FROM pipelines WHERE {where}",
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    page = WrittenPage[PipelinePage](read.items, read.total)
    if filter.counted:
        page.more["openStageCounts"] = {
            one["id"]: sum(stage["resultado"] == Outcome.OPEN for stage in one["etapas"])
            for one in page["items"]
        }
    return page


STAGES = STAGE.written_list(
    "FROM pipeline_stages WHERE organization_id = $1 AND env = $2 AND pipeline_id = l.id",
    order="position, id",
)
REASONS = LOST_REASON.written_list(
    "FROM lost_reasons WHERE organization_id = $1 AND env = $2 AND pipeline_id = l.id",
    order="position, id",
)
SELECT = f"SELECT l.*, {STAGES} AS stages, {REASONS} AS reasons FROM pipelines l"

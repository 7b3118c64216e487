"""Pipelines and their cards: what a pipeline is asked, and what it must know before it changes.

Pipelines stand below cards. So their use cases take the questions as arguments, and put them while
the pipeline is locked; here are the answers.
"""

from collections.abc import Sequence

from core import pipelines
from core.foundation.database import db
from core.foundation.database.rows import column, pairs_of
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller
from core.pipelines import (
    Pipeline,
    PipelineChanges,
    PipelineFilter,
    PipelinePage,
    PipelineRecord,
    Stage,
    StageChanges,
    StageRecord,
)
from core.pipelines.errors import EXAMPLES, StageHasCards


async def list_pipelines(caller: Caller, filter: PipelineFilter) -> WrittenPage[PipelinePage]:
    """Pipelines by their position. Where counts are asked for, it has those of cards and of open
    stages, by pipeline id.
    """
    page = await pipelines.list_pipelines(caller, filter)
    if filter.counted:
        ids = column(page["items"], "id")
        rows = await db.fetch(COUNTS, caller.organization_id, caller.env, ids)
        page.more["cardCounts"] = pairs_of(rows, "id", "cards")
    return page


async def change_pipeline(caller: Caller, id: str, changes: PipelineChanges) -> PipelineRecord:
    """Change what was sent and nothing else; answers the record.

    Raises NotFound, VersionOutdated, KindNeverChanges, NameTaken, PipelineHasOpenCards,
    NoSuchReason and ReasonsWithoutLostStage.
    """
    return await pipelines.change_pipeline(
        caller, id, changes, open_cards=open_cards, reasons_in_use=reasons_in_use
    )


async def change_pipeline_stage(
    caller: Caller, pipeline_id: str, id: str, changes: StageChanges
) -> StageRecord:
    """Change what was sent and nothing else; answers the record.

    Deals that lie in the stage stay, also where it demands more than they have: that is asked of
    those that enter. Raises NotFound, NameTaken, StageHasCards, OutcomeTaken, LastOpenStage,
    ReasonsWithoutLostStage and ValidationFailed.
    """
    return await pipelines.change_stage(caller, pipeline_id, id, changes, refuse_cards=refuse_cards)


async def open_cards(pipeline: Pipeline) -> int:
    """How many open cards lie on a pipeline."""
    count: int = await db.fetchval(OPEN, pipeline.organization_id, pipeline.env, pipeline.id)
    return count


async def refuse_cards(stage: Stage) -> None:
    """Raises StageHasCards unless the stage is empty. Its pipeline is locked: nobody puts a card
    there meanwhile.
    """
    count = await count_in_stage(stage)
    if count:
        rows = await db.fetch(
            "SELECT id FROM cards WHERE stage_id = $1 AND organization_id = $2 ORDER BY id LIMIT $3",
            stage.id,
            stage.organization_id,
            EXAMPLES,
        )
        raise StageHasCards(count, column(rows, "id"))


async def count_in_stage(stage: Stage) -> int:
    """How many cards lie in a stage."""
    count: int = await db.fetchval(
        "SELECT count(*) FROM cards WHERE stage_id = $1 AND organization_id = $2",
        stage.id,
        stage.organization_id,
    )
    return count


async def reasons_in_use(pipeline: Pipeline, ids: Sequence[str]) -> set[str]:
    """Those of these reasons that a deal is lost for, or was once."""
    rows = await db.fetch(USED, pipeline.organization_id, pipeline.env, pipeline.id, list(ids))
    return set(column(rows, "id"))


# Of every pipeline, those without a card included.
COUNTS = """
SELECT id, (SELECT count(*) FROM cards c WHERE c.organization_id = $1 AND c.env = $2 AND c.pipeline_id = p.id) AS cards
FROM unnest($3::text[]) AS p(id)
"""

OPEN = """
SELECT count(*) FROM cards WHERE organization_id = $1 AND env = $2 AND pipeline_id = $3 AND status = 'aberto'
"""

USED = """
SELECT id FROM unnest($4::text[]) AS r(id)
WHERE EXISTS (SELECT FROM cards WHERE lost_reason_id = r.id)
   OR EXISTS (SELECT FROM card_history h
              WHERE h.organization_id = $1 AND h.env = $2 AND h.pipeline_id = $3 AND h.lost_reason_id = r.id)
"""

"""Moving the cards that contacts have on a pipeline."""

from collections.abc import Mapping, Sequence

from core.cards.change_stage import change_stage
from core.cards.queries import hold_pipeline, stage_named
from core.cards.stage_rules import Ask
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, Scope
from core.pipelines.models import Outcome


async def move_cards_of(
    caller: Caller, pipeline_id: str, stage_id: str | None, contact_ids: Sequence[str]
) -> Mapping[str, str | ServiceError]:
    """Put the newest open card that each contact has on a pipeline into a stage, the first open one
    unless told. Answers the id of the card, or why it did not move, by contact; those without a
    card are left out. In the caller's transaction.

    Raises LinksRefused for the stage, and ArchivedPipeline.
    """
    caller.require(Scope.CRM_WRITE)
    board = await hold_pipeline(caller, pipeline_id)
    stage = board.stages_of(Outcome.OPEN)[0] if stage_id is None else stage_named(board, stage_id)
    rows = await db.fetch(
        THEIRS, caller.organization_id, caller.env, pipeline_id, list(contact_ids)
    )
    outcomes = await change_stage(caller, board, stage, column(rows, "id"), Ask())
    moved: dict[str, str | ServiceError] = {}
    for row in rows:
        outcome = outcomes[row["id"]]
        moved[row["contact_id"]] = outcome if isinstance(outcome, ServiceError) else row["id"]
    return moved


THEIRS = """
SELECT DISTINCT ON (contact_id) contact_id, id FROM cards
WHERE organization_id = $1 AND env = $2 AND pipeline_id = $3 AND contact_id = ANY ($4::text[]) AND status = 'aberto'
ORDER BY contact_id, created_at DESC, id DESC
"""

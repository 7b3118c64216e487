"""Cards that come into another stage."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core import pipelines
from core.dashboards.live.stream import Record, TooSlow, stream
from core.foundation import db, live
from core.foundation.caller import Caller, Scope
from core.pipelines.cards.history import history_record
from core.pipelines.cards.queries import cards_by_ids


async def cards_moved(caller: Caller, pipeline_id: str | None, *, too_slow: TooSlow) -> AsyncIterator[Record]:
    """Every move of a card into, within or out of a pipeline, or any: the line of its history with `pipelineId`,
    `cardId` and the `card` as it is when it is told. Raises Forbidden, and NotFound for the pipeline.
    """
    caller.require(Scope.CRM_READ)
    if pipeline_id is not None:
        await pipelines.read_board(caller, pipeline_id)

    def wanted(notice: live.Heard) -> bool:
        return notice.topic == live.Topic.CARD and (
            pipeline_id is None or pipeline_id in (notice.facts["from"], notice.facts["to"])
        )

    return stream(caller, wanted, partial(_read, caller), too_slow=too_slow)


async def _read(caller: Caller, ids: Sequence[str]) -> list[Record]:
    """Moves whose card is still there."""
    rows = await db.fetch(BY_IDS, caller.organization_id, caller.env, ids)
    cards = await cards_by_ids(caller, list({row["card_id"] for row in rows}))
    return [
        {
            **history_record(row),
            "pipelineId": row["pipeline_id"],
            "cardId": row["card_id"],
            "card": cards[row["card_id"]],
        }
        for row in rows
        if row["card_id"] in cards
    ]


BY_IDS = """
SELECT * FROM card_history
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[]) ORDER BY array_position($3::text[], id::text)
"""

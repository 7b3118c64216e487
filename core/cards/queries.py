"""Reading single cards."""

from collections.abc import Sequence
from typing import Literal

from core.cards.change_stage import NOT_ITS_PIPELINE
from core.cards.errors import LinksRefused
from core.cards.record import CardRecord, card_record, columns_at
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.ids import is_id, well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, hold_board
from core.pipelines.models import Stage


async def get_card(caller: Caller, id: str) -> CardRecord:
    """One card of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CRM_READ)
    return await read_card(caller, id)


async def hold_card(
    caller: Caller, id: str, *, lock: Literal["KEY SHARE", "UPDATE"] = "KEY SHARE"
) -> None:
    """The card is not deleted before the transaction ends. Raises NotFound."""
    owner = (caller.organization_id, caller.env)
    existing(await db.fetchrow(f"{HOLD_CARD} FOR {lock}", *owner, well_formed_id("crd", id)))


async def read_card(caller: Caller, id: str) -> CardRecord:
    """The same for a use case that has asked for its scope."""
    found = await cards_by_ids(caller, [id])
    if not found:
        raise NotFound
    return found[id]


async def cards_by_ids(caller: Caller, ids: Sequence[str]) -> dict[str, CardRecord]:
    """The caller's cards among these, by id; for readers of records that name them."""
    wanted = [id for id in ids if is_id("crd", id)]
    rows = await db.fetch(BY_IDS, caller.organization_id, caller.env, wanted, now())
    return {row["id"]: card_record(row) for row in rows}


async def read_position(caller: Caller, id: str) -> db.Row:
    """Where a card stands, before it is held: `pipeline_id, status, lost_reason_id`. Raises
    NotFound.
    """
    return existing(
        await db.fetchrow(POSITION, caller.organization_id, caller.env, well_formed_id("crd", id))
    )


async def hold_pipeline(caller: Caller, id: str) -> Board:
    """The pipeline that a body names, held. Raises LinksRefused."""
    try:
        return await hold_board(caller, id)
    except NotFound:
        raise LinksRefused({"/pipelineId": "This organization has no such pipeline"}) from None


def stage_named(board: Board, id: str) -> Stage:
    """The stage that a body names. Raises LinksRefused."""
    stage = board.find_stage(id)
    if stage is None:
        raise LinksRefused({"/etapaId": NOT_ITS_PIPELINE})
    return stage


BY_IDS = f"""
SELECT {columns_at("$4")} FROM cards c
JOIN pipeline_stages s ON s.id = c.stage_id AND s.organization_id = c.organization_id
WHERE c.organization_id = $1 AND c.env = $2 AND c.id = ANY ($3)
"""

POSITION = """
SELECT pipeline_id, status, lost_reason_id FROM cards WHERE organization_id = $1 AND env = $2 AND id = $3
"""

HOLD_CARD = "SELECT FROM cards WHERE organization_id = $1 AND env = $2 AND id = $3"

"""The activities of a card."""

from typing import Any

from core.cards.activities.inputs import ActivityFilter
from core.cards.activities.record import activity_record
from core.cards.history import must_be_there
from core.foundation.database import db
from core.foundation.database.pages import cut
from core.foundation.security.caller import Caller, Scope


async def list_activities(caller: Caller, card_id: str, filter: ActivityFilter) -> dict[str, Any]:
    """A page: `{items, total}`; open ones by when they are due, then done ones, the latest first.
    Raises NotFound.
    """
    caller.require(Scope.CRM_READ)
    await must_be_there(caller, card_id)
    asked = (caller.organization_id, caller.env, card_id, filter.done, filter.kind)
    total = await db.fetchval(f"SELECT count(*) {MATCHING}", *asked)
    rows = await db.fetch(
        f"SELECT * {MATCHING} {IN_ORDER} LIMIT $6 OFFSET $7", *asked, cut(filter.limit), filter.skip
    )
    return {"items": [activity_record(row) for row in rows], "total": total}


MATCHING = """
FROM card_activities
WHERE organization_id = $1 AND env = $2 AND card_id = $3
  AND ($4::boolean IS NULL OR (done_at IS NOT NULL) = $4) AND ($5::text IS NULL OR kind = $5)
"""

IN_ORDER = """
ORDER BY done_at IS NOT NULL, CASE WHEN done_at IS NULL THEN due_at END NULLS LAST, done_at DESC, created_at DESC, id
"""

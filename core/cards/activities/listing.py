"""The activities of a card."""

from core.cards.activities.inputs import ActivityFilter
from core.cards.activities.record import ACTIVITY, ActivityPage
from core.cards.history import must_be_there
from core.foundation.database.pages import cut
from core.foundation.records import WrittenPage, read_rows
from core.foundation.security.caller import Caller, Scope


async def list_activities(
    caller: Caller, card_id: str, filter: ActivityFilter
) -> WrittenPage[ActivityPage]:
    """A page of activities: open ones by when they are due, then done ones, the latest first.
    Raises NotFound.
    """
    caller.require(Scope.CRM_READ)
    await must_be_there(caller, card_id)
    asked = (caller.organization_id, caller.env, card_id, filter.done, filter.kind)
    limit = cut(filter.limit)
    read = await read_rows(
        caller,
        ACTIVITY,
        f"SELECT * {MATCHING} ORDER BY {IN_ORDER} LIMIT {limit} OFFSET $6",
        [*asked, filter.skip],
        order=IN_ORDER,
        place=("id",),
        total=f"SELECT count(*) {MATCHING}",
        limit=limit,
    )
    return WrittenPage(read.items, read.total)


MATCHING = """
FROM card_activities
WHERE organization_id = $1 AND env = $2 AND card_id = $3
  AND ($4::boolean IS NULL OR (done_at IS NOT NULL) = $4) AND ($5::text IS NULL OR kind = $5)
"""

IN_ORDER = (
    "done_at IS NOT NULL, CASE WHEN done_at IS NULL THEN due_at END NULLS LAST, "
    "done_at DESC, created_at DESC, id"
)

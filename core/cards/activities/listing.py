"""The activities of a card."""

from core.cards.activities.inputs import ActivityFilter
from core.cards.activities.record import ACTIVITY, ActivityPage
from core.cards.history import must_be_there
from core.foundation.database.pages import cut
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, read_rows, skipping
from core.foundation.security.caller import Caller, Scope


async def list_activities(
    caller: Caller, card_id: str, filter: ActivityFilter
) -> WrittenPage[ActivityPage]:
    """A page of activities: open ones by when they are due, then done ones, the latest first.
    Raises NotFound.
    """
    caller.require(Scope.CRM_READ)
    await must_be_there(caller, card_id)
    where = Where.visible_to(caller)
    where.narrow("card_id = {}", card_id)
    where.narrow_given(("(done_at IS NOT NULL) = {}", filter.done), ("kind = {}", filter.kind))
    limit = cut(filter.limit)
    values = [*where.values]
    read = await read_rows(
        caller,
        ACTIVITY,
        f"SELECT * FROM card_activities WHERE {where} ORDER BY {IN_ORDER} "
        f"LIMIT {limit}{skipping(filter.skip, values)}",
        values,
        order=IN_ORDER,
        place=("id",),
        total=f"SELECT count(*) FROM card_activities WHERE {where}",
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    return WrittenPage(read.items, read.total)


IN_ORDER = (
    "done_at IS NOT NULL, CASE WHEN done_at IS NULL THEN due_at END NULLS LAST, "
    "done_at DESC, created_at DESC, id"
)

"""Reading RCS messages: one, and pages of them."""

from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel, Status, hours
from core.rcs.inputs import RcsFilter
from core.rcs.record import RCS_MESSAGE, RcsPage, RcsRecord, answer_of


async def get_message(caller: Caller, id: str) -> RcsRecord:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.RCS_READ)
    return RCS_MESSAGE.make_for(caller, await message_row(caller, id))


async def answer_again(caller: Caller, id: str) -> dict[str, object]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    return answer_of(await message_row(caller, id))


async def list_messages(caller: Caller, filter: RcsFilter) -> WrittenPage[RcsPage]:
    """A page, newest first. A cursor that cannot be read gives an empty one, with a warning."""
    caller.require(Scope.RCS_READ)
    where = Where.visible_to(caller)
    where.narrow("channel = 'rcs' AND direction = 'outbound'")
    where.narrow_given(
        ("status = {}", filter.status),
        ("path = {}", filter.channel),
        ("campaign_id = {}", filter.campaign_id),
    )
    if filter.status is not None:
        known = filter.status in list(Status)
        where.conditions.append(
            hours.where_there_are(Channel.RCS, [filter.status]) if known else "false"
        )
    return await newest_uncounted(
        caller, RCS_MESSAGE, "messages", where, filter, select=SELECT, warns=True
    )


async def message_row(caller: Caller, id: str) -> HasColumns:
    """A message of the caller's. Raises NotFound."""
    return existing(
        await db.fetchrow(
            "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
            "AND channel = 'rcs' AND direction = 'outbound'",
            caller.organization_id,
            caller.env,
            id,
        )
    )


SELECT = f"SELECT {RCS_MESSAGE.columns} FROM messages"

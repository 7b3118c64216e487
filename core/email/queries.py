"""Reading e-mail: one, and pages of them. The body is never among what is read."""

from core.email.inputs import EmailFilter
from core.email.record import EMAIL_MESSAGE, EmailPage, EmailRecord, send_record
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel, hours


async def get_message(caller: Caller, id: str) -> EmailRecord:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.EMAIL_READ)
    return EMAIL_MESSAGE.make_for(caller, await message_row(caller, id))


async def answer_again(caller: Caller, id: str) -> dict[str, object]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    return send_record(await message_row(caller, id))


async def list_messages(caller: Caller, filter: EmailFilter) -> WrittenPage[EmailPage]:
    """A page, newest first. Raises ValidationFailed for a cursor of another list."""
    caller.require(Scope.EMAIL_READ)
    where = Where.visible_to(caller)
    where.narrow("channel = 'email'")
    for condition, value in (
        ("status = {}", filter.status),
        ("lower(recipient) = lower({})", filter.to),
        ("campaign_id = {}", filter.campaign_id),
    ):
        if value is not None:
            where.narrow(condition, value)
    total = _total(filter, where)
    if filter.status is not None:
        where.conditions.append(hours.where_there_are(Channel.EMAIL, [filter.status]))
    return await newest_records(caller, EMAIL_MESSAGE, "messages", where, filter, total=total)


def _total(filter: EmailFilter, where: Where) -> str | None:
    """From the counts that are kept, unless something is asked that they do not know."""
    if filter.to is None and filter.campaign_id is None:
        return f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {where}"
    return None


async def message_row(caller: Caller, id: str) -> HasColumns:
    """A message of the caller's. Raises NotFound."""
    row = await db.fetchrow(
        (
            "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
            "AND channel = 'email'"
        ),
        caller.organization_id,
        caller.env,
        id,
    )
    if row is None:
        raise NotFound
    return row

"""Reading e-mail: one, and pages of them. The body is never among what is read."""

from core.email.inputs import EmailFilter
from core.email.record import EMAIL_MESSAGE, EmailPage, EmailRecord, send_record
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller
from core.messaging import Channel, ChannelMessages

MESSAGES: ChannelMessages[EmailRecord] = ChannelMessages(
    channel=Channel.EMAIL,
    record=EMAIL_MESSAGE,
    answer=send_record,
)
get_message = MESSAGES.get
cancel_message = MESSAGES.cancel
"""Once it is in the outbox it is not canceled any more."""


async def list_messages(caller: Caller, filter: EmailFilter) -> WrittenPage[EmailPage]:
    """A page, newest first. Raises ValidationFailed for a cursor of another list."""
    where = MESSAGES.listed(caller)
    where.narrow_given(
        ("status = {}", filter.status),
        ("lower(recipient) = lower({})", filter.to),
        ("campaign_id = {}", filter.campaign_id),
    )
    total = _total(filter, where)
    MESSAGES.search_briefly(where, filter.status)
    return await newest_records(caller, EMAIL_MESSAGE, "messages", where, filter, total=total)


def _total(filter: EmailFilter, where: Where) -> str | None:
    """From the counts that are kept, unless something is asked that they do not know."""
    if filter.to is None and filter.campaign_id is None:
        return f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {where}"
    return None

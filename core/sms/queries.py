"""Reading SMS: one, and pages of them."""

from core.foundation.database.where import Where, end_of
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller
from core.messaging import Channel, ChannelMessages, hours
from core.sms.inputs import SmsFilter
from core.sms.record import SMS_MESSAGE, SmsPage, SmsRecord, repeated_record

MESSAGES: ChannelMessages[SmsRecord] = ChannelMessages(
    channel=Channel.SMS,
    record=SMS_MESSAGE,
    answer=repeated_record,
)
get_message = MESSAGES.get
cancel_message = MESSAGES.cancel


async def list_messages(caller: Caller, filter: SmsFilter) -> WrittenPage[SmsPage]:
    """A page, newest first."""
    where = MESSAGES.listed(caller)
    where.narrow_given(("status = {}", filter.status))
    kept = Where([*where.values], list(where.conditions))
    _narrow(where, filter)
    is_narrowed = len(where.conditions) > len(kept.conditions)
    where.narrow_period("created_at", filter.from_, filter.to)
    if is_narrowed:
        total = f"SELECT count(*) FROM messages WHERE {where}"
    else:
        total = _total(where, kept, filter)
    MESSAGES.search_briefly(where, filter.status)
    return await newest_records(
        caller, SMS_MESSAGE, "messages", where, filter, select=SELECT, total=total
    )


def _total(where: Where, kept: Where, filter: SmsFilter) -> str:
    """From the counts that are `kept`, which know their period alone."""
    if filter.from_ is None and filter.to is None:
        return f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {kept}"
    return hours.count_between(where, kept, [Channel.SMS], filter.from_, end_of(filter.to))


def _narrow(where: Where, filter: SmsFilter) -> None:
    """Add the conditions that the counts which are kept do not know."""
    where.narrow_given(
        ("region = {}", filter.region),
        ("contact_id = {}", filter.contact_id),
        ("campaign_id = {}", filter.campaign_id),
        ("recipient = {}", filter.phone),
    )


SELECT = f"SELECT {SMS_MESSAGE.columns} FROM messages"

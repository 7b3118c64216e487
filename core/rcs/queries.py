"""Reading RCS messages: one, and pages of them."""

from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller
from core.messaging import Channel, ChannelMessages
from core.rcs.inputs import RcsFilter
from core.rcs.record import RCS_MESSAGE, RcsPage, RcsRecord, answer_of

MESSAGES: ChannelMessages[RcsRecord] = ChannelMessages(
    channel=Channel.RCS,
    record=RCS_MESSAGE,
    answer=answer_of,
)
get_message = MESSAGES.get
cancel_message = MESSAGES.cancel


async def list_messages(caller: Caller, filter: RcsFilter) -> WrittenPage[RcsPage]:
    """A page, newest first. A cursor that cannot be read gives an empty one, with a warning."""
    where = MESSAGES.listed(caller)
    where.narrow_given(
        ("status = {}", filter.status),
        ("path = {}", filter.channel),
        ("campaign_id = {}", filter.campaign_id),
    )
    MESSAGES.search_briefly(where, filter.status)
    return await newest_uncounted(
        caller, RCS_MESSAGE, "messages", where, filter, select=SELECT, warns=True
    )


SELECT = f"SELECT {RCS_MESSAGE.columns} FROM messages"

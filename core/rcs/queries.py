"""Reading RCS messages: one, and pages of them."""

from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel, ChannelMessages, Status, hours
from core.rcs.inputs import RcsFilter
from core.rcs.record import RCS_MESSAGE, RcsPage, RcsRecord, answer_of

MESSAGES: ChannelMessages[RcsRecord] = ChannelMessages(
    channel=Channel.RCS,
    read=Scope.RCS_READ,
    send=Scope.RCS_SEND,
    record=RCS_MESSAGE,
    answer=answer_of,
)
get_message = MESSAGES.get


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


SELECT = f"SELECT {RCS_MESSAGE.columns} FROM messages"

"""The messages that a channel sent, read and called off: what is the same on each that shows one record
of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.foundation.absent import existing
from core.foundation.database.rows import HasColumns
from core.foundation.database.where import Where
from core.foundation.records import Record
from core.foundation.security.caller import Caller
from core.messaging import hours
from core.messaging.models import Channel, Status
from core.messaging.queue.cancel import cancel_queued
from core.messaging.stored_message import StoredMessage, fetch_message

Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelMessages(Generic[Shown]):
    """The messages of a channel, for the organization that sent them.

    `record`: their shape. `answer`: from the row of one, the unmasked answer to its send.
    """

    channel: Channel
    record: Record[Shown]
    answer: Callable[[HasColumns], dict[str, object]]

    async def get(self, caller: Caller, id: str) -> Shown:
        """One message of the caller's organization and environment. Raises NotFound."""
        caller.require(self.channel.facts.read)
        return self.record.make_for(caller, await self.row(caller, id))

    async def cancel(self, caller: Caller, id: str) -> Shown:
        """Cancel a message that still waits: it fails as `canceled`, and what was held for it is
        given back.

        Raises NotFound and MessageNotCancelable.
        """
        caller.require(self.channel.facts.send)
        await self.row(caller, id)
        return self.record.make_for(caller, await cancel_queued(caller, id))

    async def answer_again(self, caller: Caller, id: str) -> dict[str, object]:
        """The present state of an earlier send, unmasked, as the answer to a repeated request."""
        return self.answer(await self.row(caller, id))

    async def row(self, caller: Caller, id: str) -> StoredMessage:
        """A sent message of the caller's. Raises NotFound."""
        return existing(
            await fetch_message(ONE, caller.organization_id, caller.env, id, self.channel)
        )

    def listed(self, caller: Caller) -> Where:
        """The conditions of a list of the caller's, before anything is asked of it."""
        caller.require(self.channel.facts.read)
        where = Where.visible_to(caller)
        where.narrow(f"channel = '{self.channel}' AND direction = 'outbound'")
        return where

    def search_briefly(self, where: Where, status: str | None) -> None:
        """Keep the search of a list for messages in a status short: not behind the hour of the first,
        and none where there are none.
        """
        if status is not None:
            known = status in list(Status)
            where.conditions.append(
                hours.where_there_are(self.channel, [status]) if known else "false"
            )


ONE = """
SELECT * FROM messages
WHERE organization_id = $1 AND env = $2 AND id = $3 AND channel = $4 AND direction = 'outbound'
"""

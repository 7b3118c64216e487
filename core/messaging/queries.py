"""Reading the messages that a channel sent: what is the same on each that shows one record of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.foundation.absent import existing
from core.foundation.database.rows import HasColumns
from core.foundation.records import Record
from core.foundation.security.caller import Caller, Scope
from core.messaging.models import Channel
from core.messaging.stored_message import StoredMessage, fetch_message

Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelMessages(Generic[Shown]):
    """The messages of a channel, for the organization that sent them.

    `read` and `send`: who may read them, and call one off. `record`: their shape. `answer`: from the
    row of one, the unmasked answer to its send.
    """

    channel: Channel
    read: Scope
    send: Scope
    record: Record[Shown]
    answer: Callable[[HasColumns], dict[str, object]]

    async def get(self, caller: Caller, id: str) -> Shown:
        """One message of the caller's organization and environment. Raises NotFound."""
        caller.require(self.read)
        return self.record.make_for(caller, await self.row(caller, id))

    async def answer_again(self, caller: Caller, id: str) -> dict[str, object]:
        """The present state of an earlier send, unmasked, as the answer to a repeated request."""
        return self.answer(await self.row(caller, id))

    async def row(self, caller: Caller, id: str) -> StoredMessage:
        """A sent message of the caller's. Raises NotFound."""
        return existing(
            await fetch_message(ONE, caller.organization_id, caller.env, id, self.channel)
        )


ONE = """
SELECT * FROM messages
WHERE organization_id = $1 AND env = $2 AND id = $3 AND channel = $4 AND direction = 'outbound'
"""

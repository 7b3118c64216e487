"""Use case: simulate an inbound message in the sandbox."""

from core.conversations.inbound.inputs import NewInbound
from core.conversations.inbound.receive import ReceivedMessage, Sender, receive
from core.conversations.record import ConversationRecord, message_record
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Scope
from core.numbers import InstagramAccount, Number
from core.providers import sandbox
from core.providers.platform import InboundMessage


async def receive_in_sandbox(caller: Caller, new: NewInbound) -> ConversationRecord:
    """Let somebody write: stored and published as a real message is. Answers its record.

    Raises NotFound for a live key, and for a number or account that is not the caller's.
    """
    caller.require(Scope.MESSAGES_SEND)
    if caller.env != "test":
        raise NotFound
    at = now()
    sender = await _sender(caller, new)
    inbound = InboundMessage(
        platform_id=sender.id,
        reference=new_id("sbx"),
        sender=new.from_,
        type=new.type,
        payload=new.payload,
        at=at,
        profile_name=new.profile_name,
        referral=new.referral,
    )
    async with transaction():
        (row,) = await receive(caller, sandbox.PROVIDER, [ReceivedMessage(sender, inbound)], at=at)
    return message_record(row, masked=not caller.sees_personal_data)


async def _sender(caller: Caller, new: NewInbound) -> Sender:
    sender: Sender | None = None
    if new.number_id is not None and is_id("num", new.number_id):
        sender = await Number.visible_to(caller).get_or_none(id=new.number_id)
    elif new.instagram_account_id is not None and is_id("iga", new.instagram_account_id):
        sender = await InstagramAccount.visible_to(caller).get_or_none(id=new.instagram_account_id)
    if sender is None:
        raise NotFound
    return sender

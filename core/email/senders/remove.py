"""Removing a sender."""

from core import audit
from core.email.inputs import kind_of
from core.email.models import EmailSender, SenderVerification
from core.email.senders.queries import the_sender
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller, Scope


async def remove_sender(caller: Caller, id: str) -> None:
    """Write from it no more, or wait for it no more. What was accepted before still leaves. Raises
    NotFound.
    """
    caller.require(Scope.EMAIL_SEND)
    sender = await the_sender(caller, id)
    address = sender["address"]
    async with transaction():
        gone = await EmailSender.visible_to(caller).filter(address=address).delete()
        gone += await SenderVerification.visible_to(caller).filter(address=address).delete()
        if not gone:
            raise NotFound
        facts = {"kind": kind_of(address), "verified": "verifiedAt" in sender}
        await audit.write_entry(caller, "email_sender.removed", id, facts, at=now())

"""Whom an e-mail is from: a verified sender of the organization."""

from core.email.addresses import Sender, read_sender
from core.email.errors import NoVerifiedSender
from core.foundation.database import db
from core.foundation.security.caller import Caller

SANDBOX_SENDER = "no-reply@sandbox.test"
UNVERIFIED = "unverified.test"
"""In the sandbox every sender is verified but those of this domain."""


async def sender_for(caller: Caller, wanted: str | None) -> Sender:
    """Who the e-mail is from: the wanted sender where it is verified, the first verified one where
    none is wanted.

    Raises NoVerifiedSender.
    """
    if wanted is not None:
        sender = read_sender(wanted)
        if caller.env == "test" and sender.domain != UNVERIFIED:
            return sender
        if caller.env == "live" and await _is_verified(caller, sender):
            return sender
        raise NoVerifiedSender
    first: str | None = await db.fetchval(FIRST, caller.organization_id, caller.env)
    if first is None and caller.env == "test":
        first = SANDBOX_SENDER
    if first is None:
        raise NoVerifiedSender
    return Sender("", first)


async def _is_verified(caller: Caller, sender: Sender) -> bool:
    forms = [sender.address.lower(), f"@{sender.domain}"]
    return bool(await db.fetchval(VERIFIED, caller.organization_id, caller.env, forms))


VERIFIED = "SELECT EXISTS (SELECT FROM email_senders WHERE organization_id = $1 AND env = $2 AND address = ANY ($3))"

FIRST = """
SELECT address FROM email_senders WHERE organization_id = $1 AND env = $2 AND NOT starts_with(address, '@')
ORDER BY verified_at, id LIMIT 1
"""

"""A sender becomes verified: by its TXT record, by its code, or because an operator says so."""

from datetime import datetime

from core import audit
from core.email.inputs import NewSender, kind_of
from core.email.models import SenderMethod, SenderVerification
from core.email.senders.queries import the_sender, verified_id
from core.email.senders.record import SenderRecord
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope


async def confirm(
    caller: Caller, id: str, method: SenderMethod, *, code: bytes | None, at: datetime
) -> bool:
    """Let the organization write from a sender that waits, has not expired, and has this hash of a
    code. False where there is none (any more): somebody removed it, or was quicker.
    """
    async with transaction():
        row = await db.fetchrow(CONFIRM, caller.organization_id, caller.env, id, code, at, method)
        if row is None:
            return False
        facts = {"kind": kind_of(row["address"]), "method": method}
        await audit.write_entry(caller, "email_sender.verified", id, facts, at=at)
    return True


async def verify_sender(caller: Caller, new: NewSender) -> SenderRecord:
    """Note that an address or a domain is the organization's, because whoever runs the service says
    so. One that was verified before keeps its date.
    """
    caller.require(Scope.EMAIL_SEND)
    owner, at, method = (caller.organization_id, caller.env), now(), SenderMethod.OPERATOR
    async with transaction():
        added = await db.fetchval(ADD, *owner, new.address, at, new_id("snd"), method)
        if added is not None:
            await SenderVerification.visible_to(caller).filter(address=new.address).delete()
            facts = {"kind": kind_of(new.address), "method": method}
            await audit.write_entry(caller, "email_sender.verified", added, facts, at=at)
        return await the_sender(caller, added or await verified_id(caller, new.address) or "")


CONFIRM = """
WITH shown AS (
    DELETE FROM email_sender_verifications
    WHERE organization_id = $1 AND env = $2 AND id = $3 AND expires_at > $5::timestamptz AND code_hash IS NOT DISTINCT FROM $4::bytea
    RETURNING organization_id, env, address, id, created_at)
INSERT INTO email_senders (organization_id, env, address, verified_at, public_id, method, created_at)
SELECT organization_id, env, address, $5::timestamptz, id, $6, created_at FROM shown
ON CONFLICT (organization_id, env, address) DO NOTHING
RETURNING address
"""

ADD = """
INSERT INTO email_senders (organization_id, env, address, verified_at, created_at, public_id, method)
SELECT $1::varchar, $2::varchar, $3::varchar, $4::timestamptz, $4::timestamptz,
       coalesce((SELECT id FROM email_sender_verifications WHERE organization_id = $1 AND env = $2 AND address = $3), $5::varchar),
       $6
ON CONFLICT (organization_id, env, address) DO NOTHING
RETURNING public_id
"""

"""Asking for a sender: a TXT record for a domain, an e-mail with a code for an address."""

from datetime import datetime, timedelta
from typing import cast

from core import audit
from core.email.errors import CodeNotSent, TooManySenders
from core.email.inputs import SenderRequest, kind_of
from core.email.senders.code_email import code_hash, new_code, send_code
from core.email.senders.limits import code_within_limit, request_within_limit
from core.email.senders.queries import the_sender, verified_id
from core.email.senders.record import RequestedSender
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope

MAX_WAITING = 100
"""Senders of an organization, in an environment, that are not verified."""
RECORD_LIFE = timedelta(days=7)
CODE_LIFE = timedelta(hours=24)
FIRST_CHECK = timedelta(minutes=1)
KEPT = timedelta(days=30)
"""How long one that has expired is still shown."""


async def request_sender(caller: Caller, new: SenderRequest) -> RequestedSender:
    """Ask to write from an address, which gets an e-mail with a code, or from a domain, whose TXT
    record is looked for. Asked for again, the address gets a new e-mail and the older code ends;
    what is verified stays so.

    Raises TooManySenderRequests, TooManySenders and CodeNotSent.
    """
    caller.require(Scope.EMAIL_SEND)
    await request_within_limit(caller)
    if (verified := await verified_id(caller, new.address)) is not None:
        return cast(RequestedSender, await the_sender(caller, verified))
    code = None if new.is_domain else new_code()
    if code is not None and caller.env == "live":
        await code_within_limit(new.address)
    async with transaction():
        return await _wait_for(caller, new, code, at=now())


async def _wait_for(
    caller: Caller, new: SenderRequest, code: str | None, *, at: datetime
) -> RequestedSender:
    ends = at + (RECORD_LIFE if code is None else CODE_LIFE)
    id = await db.fetchval(
        WAIT,
        new_id("snd"),
        caller.organization_id,
        caller.env,
        new.address,
        at,
        ends,
        at + FIRST_CHECK if code is None else ends + KEPT,
        None if code is None else code_hash(caller, new.address, code),
        MAX_WAITING,
    )
    if id is None:
        raise TooManySenders(MAX_WAITING)
    if code is not None and caller.env == "live" and not await send_code(caller, new, code):
        raise CodeNotSent
    facts = {"kind": kind_of(new.address)}
    await audit.write_entry(caller, "email_sender.requested", id, facts, at=at)
    requested = cast(RequestedSender, await the_sender(caller, id))
    if code is not None and caller.env == "test":
        requested["sandboxCode"] = code
    return requested


# One that waits already begins anew, under its id.
WAIT = """
INSERT INTO email_sender_verifications AS v
    (id, organization_id, env, address, created_at, expires_at, due_at, code_hash)
SELECT $1, $2::varchar, $3::varchar, $4::varchar, $5::timestamptz, $6::timestamptz, $7::timestamptz, $8::bytea
WHERE EXISTS (SELECT FROM email_sender_verifications WHERE organization_id = $2 AND env = $3 AND address = $4)
   OR (SELECT count(*) FROM email_sender_verifications WHERE organization_id = $2 AND env = $3) < $9
ON CONFLICT (organization_id, env, address) DO UPDATE
SET created_at = excluded.created_at, expires_at = excluded.expires_at, due_at = excluded.due_at,
    code_hash = excluded.code_hash, checked_at = NULL, outcome = NULL
RETURNING v.id
"""

"""Verified senders: from which addresses an organization may write."""

from typing import Any

from core import audit
from core.email.addresses import Sender, read_sender
from core.email.errors import NoVerifiedSender
from core.email.inputs import NewSender
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.organizations import NoSuchOrganization, Organization

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


async def verify_sender(caller: Caller, new: NewSender) -> dict[str, Any]:
    """Note that an address or a domain is the organization's: `{organizationId, env, address,
    verifiedAt}`.

    That it really is, is for whoever runs the service to find out. One that was verified before
    keeps its date.
    """
    caller.require(Scope.EMAIL_SEND)
    await _must_exist(caller)
    at = now()
    async with transaction():
        added = await db.execute(ADD, caller.organization_id, caller.env, new.address, at)
        if added:
            kind = "domain" if new.address.startswith("@") else "address"
            await audit.write_entry(
                caller, "email_sender.verified", caller.organization_id, {"kind": kind}, at=at
            )
    return next(
        one for one in (await list_senders(caller))["items"] if one["address"] == new.address
    )


async def list_senders(caller: Caller) -> dict[str, Any]:
    """`{items}`, the oldest first."""
    caller.require(Scope.EMAIL_READ)
    await _must_exist(caller)
    rows = await db.fetch(LIST, caller.organization_id, caller.env)
    return {
        "items": [
            {
                "organizationId": caller.organization_id,
                "env": caller.env,
                "address": row["address"],
                "verifiedAt": wire_time(row["verified_at"]),
            }
            for row in rows
        ]
    }


async def _must_exist(caller: Caller) -> None:
    """In the shell any id can be written. Raises NoSuchOrganization."""
    if not await Organization.is_known(caller.organization_id):
        raise NoSuchOrganization


VERIFIED = (
    "SELECT EXISTS (SELECT FROM email_senders WHERE organization_id = $1 AND env "
    "= $2 AND address = ANY ($3))"
)

FIRST = """
SELECT address FROM email_senders WHERE organization_id = $1 AND env = $2 AND NOT starts_with(address, '@')
ORDER BY verified_at, id LIMIT 1
"""

ADD = """
INSERT INTO email_senders (organization_id, env, address, verified_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, env, address) DO NOTHING
"""

LIST = """
SELECT address, verified_at FROM email_senders WHERE organization_id = $1 AND env = $2 ORDER BY verified_at, id
"""

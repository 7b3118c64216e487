"""The suppression check: addresses that bounced or complained, and opt-outs from marketing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import contacts
from core.foundation.database import db
from core.messaging.opt_out import opted_out

SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True)
class Addressee:
    """Whom a message is for, with the hash that stands for the address."""

    message_id: str
    organization_id: str
    env: str
    address: str
    contact_id: str | None
    marketing: bool

    @property
    def identity(self) -> bytes:
        return contacts.identity_of_email(self.organization_id, self.address)


@dataclass(frozen=True, slots=True)
class SuppressionCheck:
    """Whether nothing may be sent there, and whether no marketing may."""

    suppressed: bool
    denied: bool


async def check_suppression(addressees: Sequence[Addressee]) -> dict[str, SuppressionCheck]:
    """How these recipients stand, by message. A denial counts whether it was given for the address,
    for the contact that the message names or for one with that address, on this channel or on all.
    """
    rows = await db.fetch(
        CHECK,
        *db.columns(
            [
                (
                    one.message_id,
                    one.organization_id,
                    one.env,
                    one.identity,
                    one.contact_id,
                    one.address.lower(),
                )
                for one in addressees
            ],
            6,
        ),
    )
    return {row["message_id"]: SuppressionCheck(row["suppressed"], row["denied"]) for row in rows}


@dataclass(frozen=True, slots=True)
class NewSuppression:
    """An address that nothing is sent to from now on, and the message that told, if it is known."""

    organization_id: str
    env: str
    address: str
    reason: str
    message_id: str | None


async def suppress(suppressions: Sequence[NewSuppression], *, at: datetime) -> None:
    """Send nothing there any more; the first reason stays. What is left of an erased address is
    none.
    """
    rows = {
        (
            one.organization_id,
            one.env,
            contacts.identity_of_email(one.organization_id, one.address),
        ): one
        for one in suppressions
        if "@" in one.address
    }
    if rows:
        # In one order, so that two writers do not wait for each other in a circle.
        columns = [(*key, one.reason, one.message_id) for key, one in sorted(rows.items())]
        await db.execute(SUPPRESS, *db.columns(columns, 5), at)


# Two branches for the contacts, one per index; an OR over both would scan.
RECIPIENT = """
    SELECT a.identity
    UNION ALL
    SELECT c.identity FROM contacts c
    WHERE c.organization_id = a.organization_id AND c.env = a.env AND c.id = a.contact_id
    UNION ALL
    SELECT c.identity FROM contacts c
    WHERE c.organization_id = a.organization_id AND c.env = a.env AND lower(c.email) = a.address"""

CHECK = f"""
SELECT a.message_id,
       EXISTS (SELECT FROM email_suppressions s
               WHERE s.organization_id = a.organization_id AND s.env = a.env AND s.identity = a.identity) AS suppressed,
       {opted_out("a", "'email'", RECIPIENT)} AS denied
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::text[])
    AS a (message_id, organization_id, env, identity, contact_id, address)
"""

SUPPRESS = """
INSERT INTO email_suppressions (organization_id, env, identity, reason, message_id, created_at)
SELECT s.*, $6 FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[]) AS s
ON CONFLICT (organization_id, env, identity) DO NOTHING
"""

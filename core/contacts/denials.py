"""Who must not be written to, and on which channel."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.contacts.identity import identity_of_phone
from core.contacts.models import ALL_CHANNELS
from core.foundation import db
from core.foundation.caller import Caller, Scope


@dataclass(frozen=True, slots=True)
class Denial:
    """One phone's wish not to be written to."""

    phone: str
    channel: str = ALL_CHANNELS
    reason: str | None = None
    source: str | None = None


async def deny(caller: Caller, denials: Sequence[Denial], *, at: datetime) -> int:
    """Record denials, whether or not a contact has the phone. Answers how many were new."""
    caller.require(Scope.CONTACTS_WRITE)
    identities = [identity_of_phone(caller.organization_id, denial.phone) for denial in denials]
    recorded = await db.execute(
        """
        INSERT INTO contact_denials
            (organization_id, env, identity, channel, reason, source, denied_at, created_at)
        SELECT $1, $2, d.*, $7, $7 FROM unnest($3::bytea[], $4::text[], $5::text[], $6::text[]) AS d
        ON CONFLICT DO NOTHING
        """,
        caller.organization_id,
        caller.env,
        identities,
        [denial.channel for denial in denials],
        [denial.reason for denial in denials],
        [denial.source for denial in denials],
        at,
    )
    await db.execute(
        "UPDATE contacts SET opt_in_status = 'denied', updated_at = $4 "
        "WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3) AND opt_in_status <> 'denied'",
        caller.organization_id,
        caller.env,
        [identity for identity, denial in zip(identities, denials, strict=True) if denial.channel == ALL_CHANNELS],
        at,
    )
    return recorded

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


async def who_denied(phones: Sequence[tuple[str, str, str]], *, channel: str) -> set[tuple[str, str, str]]:
    """Which of (organization, env, phone) asked not to be written to on this channel, in one look-up."""
    hashed = {
        (organization_id, env, identity_of_phone(organization_id, phone)): (organization_id, env, phone)
        for organization_id, env, phone in phones
    }
    if not hashed:
        return set()
    rows = await db.fetch(
        """
        SELECT DISTINCT organization_id, env, identity FROM contact_denials
        JOIN unnest($1::text[], $2::text[], $3::bytea[]) AS p (organization_id, env, identity)
          USING (organization_id, env, identity)
        WHERE channel IN ($4, 'todos')
        """,
        [slot[0] for slot in hashed],
        [slot[1] for slot in hashed],
        [slot[2] for slot in hashed],
        channel,
    )
    return {hashed[(row["organization_id"], row["env"], row["identity"])] for row in rows}

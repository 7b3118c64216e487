"""The last interaction of contacts: when they wrote, and under which profile name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import organizations
from core.contacts.identity import identity_of_phone
from core.foundation.database import db
from core.foundation.database.rows import pairs_of


@dataclass(frozen=True, slots=True)
class Interaction:
    """Somebody wrote from this phone at this time, on the platform under this name if it told one."""

    phone: str
    at: datetime
    profile_name: str | None = None


async def record_interactions(
    organization_id: str, env: str, interactions: Sequence[Interaction], *, at: datetime
) -> Mapping[str, str]:
    """Set the last interaction (and profile name) of the contacts that wrote. Answers contact ids
    by phone.

    Phones of nobody are left out: who writes does not become a contact by it.
    """
    if not interactions:
        return {}
    unified = await organizations.unifies_ninth_digit(organization_id)
    latest: dict[bytes, Interaction] = {}
    identities = {}
    for one in sorted(interactions, key=lambda one: one.at):
        identities[one.phone] = identity_of_phone(organization_id, one.phone, unified=unified)
        latest[identities[one.phone]] = one
    known = await db.fetch(
        RECORD,
        organization_id,
        env,
        at,
        list(latest),
        [one.at for one in latest.values()],
        [one.profile_name and one.profile_name[:200] for one in latest.values()],
    )
    ids = pairs_of(known, "identity", "id")
    return {phone: ids[identity] for phone, identity in identities.items() if identity in ids}


# Locked in the order of all who lock contacts. What is older than what was known changes nothing,
# not even the name.
RECORD = """/* whole */
WITH said AS (
    SELECT * FROM unnest($4::bytea[], $5::timestamptz[], $6::text[]) AS s (identity, said_at, profile_name)
), known AS MATERIALIZED (
    SELECT id, identity FROM contacts
    WHERE organization_id = $1 AND env = $2 AND identity = ANY ($4) ORDER BY id FOR UPDATE
), touched AS (
    UPDATE contacts c
    SET last_interaction_at = s.said_at,
        whatsapp_profile_name = coalesce(s.profile_name, c.whatsapp_profile_name),
        updated_at = greatest($3, c.updated_at + interval '1 microsecond')
    FROM known k JOIN said s USING (identity)
    WHERE c.id = k.id
      AND (c.last_interaction_at IS NULL OR c.last_interaction_at < s.said_at)
)
SELECT id, identity FROM known
"""

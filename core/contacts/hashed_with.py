"""Whether SVC_HASH_KEY is the one that contacts were stored with."""

from core.contacts.identity import identities_of_phone
from core.foundation.database import db

SAMPLE = 1_000
"""Contacts that are looked at: nearly all have the same key, so a few tell."""


async def stored_with_another_hash_key(*, sample: int = SAMPLE) -> tuple[int, int]:
    """Of a sample of contacts: how many are known by a hash that SVC_HASH_KEY does not make of
    their phone, and how many were looked at.
    """
    rows = await db.fetch(CONTACTS, sample)
    others = sum(
        row["identity"] not in identities_of_phone(row["organization_id"], row["phone"])
        for row in rows
    )
    return others, len(rows)


CONTACTS = "SELECT organization_id, phone, identity FROM contacts LIMIT $1"

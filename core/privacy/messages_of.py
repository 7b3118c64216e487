"""The messages of one person: those that carry the contact, and those to or from its phone."""

from core.foundation import db
from core.foundation.caller import Caller
from core.foundation.phones import ninth_digit_variants


def phones_of(caller: Caller, phone: str) -> list[str]:
    """Every form under which the phone may stand in a message."""
    return list(ninth_digit_variants(phone)) if caller.unifies_ninth_digit else [phone]


async def lock_messages_of(caller: Caller, contact_id: str, phone: str) -> list[str]:
    """Their ids, held until the transaction ends; locked in the order in which receipts lock them."""
    rows = await db.fetch(
        f"SELECT id FROM messages WHERE id IN ({MESSAGES_OF}) ORDER BY id FOR UPDATE",
        caller.organization_id,
        caller.env,
        contact_id,
        phones_of(caller, phone),
    )
    return [row["id"] for row in rows]


# Two branches, one per index; an OR over both would scan.
MESSAGES_OF = """
    SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND contact_id = $3
    UNION
    SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND recipient = ANY ($4)
"""

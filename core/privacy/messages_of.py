"""The messages of one person: those that carry the contact, and those to or from its phone or e-mail address."""

from core.foundation import db
from core.foundation.caller import Caller
from core.foundation.phones import ninth_digit_variants


def addresses_of(caller: Caller, phone: str, email: str | None) -> list[str]:
    """Every form under which the phone and the e-mail address may stand in a message."""
    phones = list(ninth_digit_variants(phone)) if caller.unifies_ninth_digit else [phone]
    return phones if email is None else [*phones, *_forms_of(email)]


def _forms_of(email: str) -> set[str]:
    """Messages hold addresses with their domain in small letters."""
    local, at, domain = email.rpartition("@")
    return {email, f"{local}{at}{domain.lower()}", email.lower()}


async def lock_messages_of(caller: Caller, contact_id: str, phone: str, email: str | None) -> list[str]:
    """Their ids, held until the transaction ends; locked in the order in which receipts lock them."""
    rows = await db.fetch(
        f"SELECT id FROM messages WHERE id IN ({MESSAGES_OF}) ORDER BY id FOR UPDATE",
        caller.organization_id,
        caller.env,
        contact_id,
        addresses_of(caller, phone, email),
    )
    return [row["id"] for row in rows]


# Two branches, one per index; an OR over both would scan.
MESSAGES_OF = """
    SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND contact_id = $3
    UNION
    SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND recipient = ANY ($4)
"""

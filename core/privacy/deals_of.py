"""The deals and companies that a person is named on."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def leave_deals(caller: Caller, contact_id: str, *, at: datetime) -> dict[str, int]:
    """Take a contact off its cards and companies: `{cards, cardNotes, companies}`, how many of
    each.

    What people wrote about those deals stays: `cardNotes` tells that somebody should look through
    it. The contact is locked by now, and cards come after contacts.
    """
    scope = (caller.organization_id, caller.env)
    cards = [row["id"] for row in await db.fetch(LOCK_CARDS, *scope, contact_id)]
    if cards:
        await db.execute(
            "DELETE FROM card_contacts WHERE card_id = ANY ($1) AND contact_id = $2",
            cards,
            contact_id,
        )
        await db.execute(UNLINK_CARDS, cards, contact_id, at)
    return {
        "cards": len(cards),
        "cardNotes": await db.fetchval(COUNT_NOTES, cards) if cards else 0,
        "companies": await db.execute(UNLINK_COMPANIES, *scope, contact_id, at),
    }


# Two branches, one per index; an OR over both would scan.
LOCK_CARDS = """
SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND id = ANY (ARRAY (
    SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND contact_id = $3
    UNION
    SELECT card_id FROM card_contacts WHERE organization_id = $1 AND env = $2 AND contact_id = $3))
ORDER BY id FOR UPDATE
"""

UNLINK_CARDS = """
UPDATE cards SET contact_id = nullif(contact_id, $2), version = version + 1, updated_at = $3 WHERE id = ANY ($1)
"""

COUNT_NOTES = "SELECT count(*) FROM card_activities WHERE card_id = ANY ($1) AND text IS NOT NULL"

UNLINK_COMPANIES = """
UPDATE companies SET main_contact_id = NULL, updated_at = $4
WHERE organization_id = $1 AND env = $2 AND main_contact_id = $3
"""

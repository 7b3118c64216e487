"""The deals of a contact that is erased."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller


async def forget_contact(caller: Caller, id: str, *, at: datetime) -> dict[str, int]:
    """Take a locked contact off its cards: `{cards, cardNotes}`, how many of each.

    What people wrote about those deals stays: `cardNotes` tells that somebody should look through
    it. Cards come after contacts.
    """
    cards = column(await db.fetch(LOCK, caller.organization_id, caller.env, id), "id")
    if not cards:
        return {"cards": 0, "cardNotes": 0}
    await db.execute(
        "DELETE FROM card_contacts WHERE card_id = ANY ($1) AND contact_id = $2 AND organization_id = $3",
        cards,
        id,
        caller.organization_id,
    )
    await db.execute(UNLINK, cards, id, at, caller.organization_id)
    notes = await db.fetchval(COUNT_NOTES, cards, caller.organization_id)
    return {"cards": len(cards), "cardNotes": notes}


# Two branches, one per index; an OR over both would scan.
LOCK = """
SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND id = ANY (ARRAY (
    SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND contact_id = $3
    UNION
    SELECT card_id FROM card_contacts WHERE organization_id = $1 AND env = $2 AND contact_id = $3))
ORDER BY id FOR UPDATE
"""

UNLINK = """
UPDATE cards SET contact_id = nullif(contact_id, $2), version = version + 1, updated_at = $3
WHERE id = ANY ($1) AND organization_id = $4
"""

COUNT_NOTES = """
SELECT count(*) FROM card_activities WHERE card_id = ANY ($1) AND organization_id = $2 AND text IS NOT NULL
"""

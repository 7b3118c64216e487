"""Events of a contact that is erased."""

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def forget_contact(caller: Caller, id: str, external_id: str | None) -> int:
    """Unlink the events of a contact, and those that were told before there was one. Answers how many."""
    scope = (caller.organization_id, caller.env)
    unlinked = await db.execute(UNLINK, *scope, id)
    return unlinked + await db.execute(FORGET_EXTERNAL_ID, *scope, external_id)


UNLINK = """
UPDATE customer_events SET contact_id = NULL, contact_external_id = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

# They bear the id that the caller knows the person by.
FORGET_EXTERNAL_ID = """
UPDATE customer_events SET contact_external_id = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id IS NULL AND contact_external_id = $3
"""

"""Erasing the row of a contact; what else names the person is erased before it (core.privacy)."""

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def erase_row(caller: Caller, id: str) -> None:
    """Delete a locked contact. The consent ledger and the denials keep the keyed hash of the phone alone."""
    scope = (caller.organization_id, caller.env)
    await db.execute(UNLINK_CONSENTS, *scope, id)
    await db.execute(DELETE, *scope, id)


UNLINK_CONSENTS = """
UPDATE contact_consents SET contact_id = NULL, ip = NULL, user_agent = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

DELETE = "DELETE FROM contacts WHERE organization_id = $1 AND env = $2 AND id = $3"

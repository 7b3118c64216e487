"""The companies of which a contact that is erased was the main one."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def lock_companies_of(caller: Caller, contact_id: str) -> None:
    """Hold them until the transaction ends: before the contact, as everybody locks them."""
    await db.execute(LOCK, caller.organization_id, caller.env, contact_id)


async def forget_contact(caller: Caller, id: str, *, at: datetime) -> int:
    """Leave these companies without a main contact; answers how many they were."""
    return await db.execute(UNLINK, caller.organization_id, caller.env, id, at)


LOCK = """
SELECT FROM companies WHERE organization_id = $1 AND env = $2 AND main_contact_id = $3 ORDER BY id FOR NO KEY UPDATE
"""

UNLINK = """
UPDATE companies SET main_contact_id = NULL, updated_at = $4
WHERE organization_id = $1 AND env = $2 AND main_contact_id = $3
"""

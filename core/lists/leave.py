"""Lists of a contact that is erased."""

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def leave_lists(caller: Caller, contact_id: str) -> int:
    """Take a contact off all of its lists; answers how many they were."""
    left: int = await db.fetchval(LEAVE, caller.organization_id, caller.env, contact_id)
    return left


LEAVE = """
WITH gone AS (
    DELETE FROM contact_list_members WHERE organization_id = $1 AND env = $2 AND contact_id = $3 RETURNING list_id
), resized AS (
    UPDATE contact_lists SET size = size - 1
    WHERE organization_id = $1 AND id IN (SELECT list_id FROM gone) RETURNING 1
)
SELECT count(*) FROM resized
"""

"""The cards of a company that is deleted."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def leave_company(caller: Caller, company_id: str, *, at: datetime) -> int:
    """Leave the cards of a company without it; answers how many they were.

    They are locked in the order of their ids, as everybody locks several of them.
    """
    return await db.execute(LEAVE, caller.organization_id, caller.env, company_id, at)


LEAVE = """
WITH held AS MATERIALIZED (
    SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND company_id = $3 ORDER BY id FOR NO KEY UPDATE)
UPDATE cards c SET company_id = NULL, version = c.version + 1, updated_at = $4 FROM held WHERE c.id = held.id
"""

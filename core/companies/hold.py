"""Holding companies that others are about to name."""

from collections.abc import Sequence

from core import contacts
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller


@contacts.holds_companies
async def hold_companies(caller: Caller, ids: Sequence[str]) -> frozenset[str]:
    """Those of the ids that are companies of the caller, in one order for all who hold several;
    none of them is deleted before the transaction ends.
    """
    rows = await db.fetch(HOLD, caller.organization_id, caller.env, list(ids))
    return frozenset(column(rows, "id"))


HOLD = """
SELECT id FROM companies WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[]) ORDER BY id FOR KEY SHARE
"""

"""The company of a contact, read from its table: companies stand above contacts."""

from collections.abc import Iterable

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def hold_companies(caller: Caller, ids: Iterable[str | None]) -> frozenset[str]:
    """Those of the ids that are companies of the caller; none of them is deleted before the
    transaction ends.

    Taken before any lock on contacts: whoever deletes a company holds it before its contacts.
    """
    wanted = list({id for id in ids if id is not None})
    if not wanted:
        return frozenset()
    rows = await db.fetch(HOLD, caller.organization_id, caller.env, wanted)
    return frozenset(row["id"] for row in rows)


HOLD = """
SELECT id FROM companies WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[]) ORDER BY id FOR KEY SHARE
"""

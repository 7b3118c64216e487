"""The company of a contact. Companies stand above contacts: they say which of them there are."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime

from core.foundation.database import db
from core.foundation.security.caller import Caller

HoldCompanies = Callable[[Caller, Sequence[str]], Awaitable[frozenset[str]]]

_holders: list[HoldCompanies] = []


def holds_companies(hold: HoldCompanies) -> HoldCompanies:
    """Register what tells which ids are companies of the caller, and keeps these from deletion
    until the transaction ends.
    """
    _holders.append(hold)
    return hold


async def hold_companies(caller: Caller, ids: Iterable[str | None]) -> frozenset[str]:
    """Those of the ids that are companies of the caller; none of them is deleted before the
    transaction ends.

    Taken before any lock on contacts: whoever deletes a company holds it before its contacts.
    """
    wanted = list({id for id in ids if id is not None})
    if not wanted:
        return frozenset()
    (hold,) = _holders
    return await hold(caller, wanted)


async def leave_company(caller: Caller, company_id: str, *, at: datetime) -> int:
    """Take the contacts of a company that is deleted out of it, and their roles with it; answers
    how many they were.

    They are locked in the order of their ids, as everybody locks several of them.
    """
    return await db.execute(LEAVE, caller.organization_id, caller.env, company_id, at)


LEAVE = """
WITH held AS MATERIALIZED (
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND company_id = $3 ORDER BY id FOR NO KEY UPDATE)
UPDATE contacts c SET company_id = NULL, company_role = NULL, updated_at = $4 FROM held WHERE c.id = held.id
"""

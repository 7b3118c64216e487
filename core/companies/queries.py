"""Reading one company."""

from typing import Any

from core.companies.record import COUNTED, COUNTS, company_record
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def get_company(caller: Caller, id: str) -> dict[str, Any]:
    """One company of the caller's organization and environment, with extended counts. Raises
    NotFound.
    """
    caller.require(Scope.CRM_READ)
    return await read_company(caller, id)


async def read_company(caller: Caller, id: str) -> dict[str, Any]:
    """The same for whoever may see it anyway."""
    row = (
        await db.fetchrow(ONE, caller.organization_id, caller.env, id) if is_id("emp", id) else None
    )
    if row is None:
        raise NotFound
    return company_record(row, extended=True)


ONE = f"SELECT {COUNTED} FROM companies c {COUNTS} WHERE c.organization_id = $1 AND c.env = $2 AND c.id = $3"

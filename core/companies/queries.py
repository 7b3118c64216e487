"""Reading one company."""

from core.companies.record import COMPANY_DETAILS, COUNTED, COUNTS, CompanyDetails
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope


async def get_company(caller: Caller, id: str) -> CompanyDetails:
    """One company of the caller's organization and environment, with extended counts. Raises
    NotFound.
    """
    caller.require(Scope.CRM_READ)
    return await read_company(caller, id)


async def read_company(caller: Caller, id: str) -> CompanyDetails:
    """The same for whoever may see it anyway."""
    row = existing(
        await db.fetchrow(ONE, caller.organization_id, caller.env, well_formed_id("emp", id))
    )
    return COMPANY_DETAILS.make_for(caller, row)


ONE = f"SELECT {COUNTED} FROM companies c {COUNTS} WHERE c.organization_id = $1 AND c.env = $2 AND c.id = $3"

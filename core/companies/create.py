"""Creating a company."""

from typing import Any

from core.companies.definitions import held_definitions
from core.companies.inputs import NewCompany
from core.companies.record import NOTHING_COUNTED, company_record
from core.companies.rules import changed_links, hold_links_of, wrong_attributes, wrong_links
from core.companies.write import hold_apart_from_imports, insert_companies, new_row
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller, Scope


async def create_company(caller: Caller, new: NewCompany) -> dict[str, Any]:
    """Register a company; the database, not a prior read, decides who was first. Answers the
    record.

    Raises CnpjTaken, and ValidationFailed for links and attributes. (Interface: Endpoints, CRM
    companies.)
    """
    caller.require(Scope.CRM_WRITE)
    row = new_row(caller, new, at=now())
    async with transaction():
        await hold_apart_from_imports(caller)
        known = await hold_links_of(caller, [row])
        wrong = wrong_links(changed_links(row, None), known)
        wrong += wrong_attributes(await held_definitions(caller), row["attributes"])
        if wrong:
            raise ValidationFailed(errors=wrong)
        await insert_companies(caller, [row])
    return company_record({**row, **NOTHING_COUNTED})

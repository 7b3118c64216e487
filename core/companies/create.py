"""Creating a company."""

from core.companies.definitions import held_definitions
from core.companies.inputs import NewCompany
from core.companies.models import Company
from core.companies.record import COMPANY, NOTHING_COUNTED, CompanyRecord
from core.companies.rules import changed_links, hold_links_of, wrong_attributes, wrong_links
from core.companies.write import hold_apart_from_imports, new_row, one_cnpj_each
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller, Scope


async def create_company(caller: Caller, new: NewCompany) -> CompanyRecord:
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
        with one_cnpj_each():
            await Company.create(**row, env=caller.env)
    return COMPANY.make_for(caller, {**row, **NOTHING_COUNTED})

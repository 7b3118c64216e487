"""Changing a company."""

from core.companies.definitions import held_definitions
from core.companies.inputs import CompanyChanges
from core.companies.queries import read_company
from core.companies.record import CompanyDetails
from core.companies.rules import changed_links, hold_links_of, wrong_attributes, wrong_links
from core.companies.write import (
    changed_row,
    hold_apart_from_imports,
    lock_company,
    row_of,
    save_company,
)
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import ValidationFailed
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope


async def change_company(caller: Caller, id: str, changes: CompanyChanges) -> CompanyDetails:
    """Change what was sent of a company; answers its record with extended counts.

    Links are checked when they change, attributes when they are sent; `updatedAt` moves only when
    something became different. Raises NotFound, CnpjTaken, and ValidationFailed for links and
    attributes.
    """
    caller.require(Scope.CRM_WRITE)
    well_formed_id("emp", id)
    async with transaction():
        await hold_apart_from_imports(caller)
        company = existing(await lock_company(caller, id))
        stored = row_of(company)
        after = changed_row(stored, changes, changes.model_fields_set, at=now())
        moved = changed_links(after, stored)
        wrong = wrong_links(moved, await hold_links_of(caller, [moved]))
        if changes.attributes is not None:
            wrong += wrong_attributes(await held_definitions(caller), changes.attributes)
        if wrong:
            raise ValidationFailed(errors=wrong)
        if after is not stored:
            await save_company(company, after)
        return await read_company(caller, id)

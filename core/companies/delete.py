"""Deleting a company."""

from core import audit, cards, contacts
from core.companies.models import Company
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope


async def delete_company(caller: Caller, id: str) -> None:
    """Delete a company; its contacts and deals stay without it, and the contacts lose their roles.
    Raises NotFound.

    Whoever links to a company holds it, so that nothing is linked to this one meanwhile.
    """
    caller.require(Scope.CRM_DELETE)
    well_formed_id("emp", id)
    at = now()
    async with transaction():
        company = existing(await Company.visible_to(caller).select_for_update().get_or_none(id=id))
        facts = {
            "contacts": await contacts.leave_company(caller, id, at=at),
            "cards": await cards.leave_company(caller, id, at=at),
        }
        await company.delete()
        await audit.write_entry(caller, "company.deleted", id, facts, at=at)

"""Deleting a company."""

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def delete_company(caller: Caller, id: str) -> None:
    """Delete a company; its contacts and deals stay without it, and the contacts lose their roles.
    Raises NotFound.

    Whoever links to a company holds it, so that nothing is linked to this one meanwhile.
    """
    caller.require(Scope.CRM_DELETE)
    if not is_id("emp", id):
        raise NotFound
    at, scope = now(), (caller.organization_id, caller.env)
    async with transaction():
        if await db.fetchval(LOCK, *scope, id) is None:
            raise NotFound
        facts = {
            "contacts": await db.execute(UNLINK_CONTACTS, *scope, id, at),
            "cards": await db.execute(UNLINK_CARDS, *scope, id, at),
        }
        await db.execute(
            "DELETE FROM companies WHERE organization_id = $1 AND env = $2 AND id = $3", *scope, id
        )
        await audit.write_entry(caller, "company.deleted", id, facts, at=at)


LOCK = "SELECT id FROM companies WHERE organization_id = $1 AND env = $2 AND id = $3 FOR UPDATE"

# Both in the order of their ids, as everybody locks several of them.
UNLINK_CONTACTS = """
WITH held AS MATERIALIZED (
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND company_id = $3 ORDER BY id FOR NO KEY UPDATE)
UPDATE contacts c SET company_id = NULL, company_role = NULL, updated_at = $4 FROM held WHERE c.id = held.id
"""

UNLINK_CARDS = """
WITH held AS MATERIALIZED (
    SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND company_id = $3 ORDER BY id FOR NO KEY UPDATE)
UPDATE cards c SET company_id = NULL, version = c.version + 1, updated_at = $4 FROM held WHERE c.id = held.id
"""

"""Deleting a card."""

from core import audit
from core.cards.files import remove_files_of
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def delete_card(caller: Caller, id: str) -> None:
    """Delete a card with its history, activities and files. Raises NotFound."""
    caller.require(Scope.CRM_DELETE)
    if not is_id("crd", id):
        raise NotFound
    scope = (caller.organization_id, caller.env)
    async with transaction():
        pipeline_id = await db.fetchval(LOCK, *scope, id)
        if pipeline_id is None:
            raise NotFound
        facts = {
            "pipelineId": pipeline_id,
            "activities": await db.execute("DELETE FROM card_activities WHERE card_id = $1", id),
            "files": await remove_files_of(caller, [id]),
            "contacts": await db.execute("DELETE FROM card_contacts WHERE card_id = $1", id),
        }
        await db.execute("DELETE FROM card_history WHERE card_id = $1", id)
        await db.execute(
            "DELETE FROM cards WHERE organization_id = $1 AND env = $2 AND id = $3", *scope, id
        )
        await audit.write_entry(caller, "card.deleted", id, facts, at=now())


LOCK = (
    "SELECT pipeline_id FROM cards WHERE organization_id = $1 AND env = $2 AND id = $3 FOR UPDATE"
)

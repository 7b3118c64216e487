"""Deleting a card."""

from core import audit
from core.cards.files import remove_files_of
from core.cards.models import Activity, Card, CardContact, CardHistory
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope


async def delete_card(caller: Caller, id: str) -> None:
    """Delete a card with its history, activities and files. Raises NotFound."""
    caller.require(Scope.CRM_DELETE)
    well_formed_id("crd", id)
    async with transaction():
        pipeline_id = existing(await db.fetchval(LOCK, caller.organization_id, caller.env, id))
        facts = {
            "pipelineId": pipeline_id,
            "activities": await Activity.visible_to(caller).filter(card_id=id).delete(),
            "files": await remove_files_of(caller, [id]),
            "contacts": await CardContact.visible_to(caller).filter(card_id=id).delete(),
        }
        await CardHistory.visible_to(caller).filter(card_id=id).delete()
        await Card.visible_to(caller).filter(id=id).delete()
        await audit.write_entry(caller, "card.deleted", id, facts, at=now())


LOCK = (
    "SELECT pipeline_id FROM cards WHERE organization_id = $1 AND env = $2 AND id = $3 FOR UPDATE"
)

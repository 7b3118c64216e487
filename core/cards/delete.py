"""Deleting a card."""

from core import audit
from core.cards.files import remove_files_of
from core.cards.models import Activity, Card, CardContact, CardHistory
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope


async def delete_card(caller: Caller, id: str) -> None:
    """Delete a card with its history, activities and files. Raises NotFound."""
    caller.require(Scope.CRM_DELETE)
    async with transaction():
        card = await Card.own(caller, "crd", id, lock=True)
        facts = {
            "pipelineId": card.pipeline_id,
            "activities": await Activity.visible_to(caller).filter(card_id=id).delete(),
            "files": await remove_files_of(caller, [id]),
            "contacts": await CardContact.visible_to(caller).filter(card_id=id).delete(),
        }
        await CardHistory.visible_to(caller).filter(card_id=id).delete()
        await Card.visible_to(caller).filter(id=id).delete()
        await audit.write_entry(caller, "card.deleted", id, facts, at=now())

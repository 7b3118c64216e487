"""Deleting a card."""

from core import audit
from core.cards.files import remove_files_of
from core.cards.models import Activity, Card, CardContact, CardHistory
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def delete_card(caller: Caller, id: str) -> None:
    """Delete a card with its history, activities and files. Raises NotFound."""
    caller.require(Scope.CRM_DELETE)
    if not is_id("crd", id):
        raise NotFound
    async with transaction():
        own = Card.visible_to(caller)
        card = await own.select_for_update().get_or_none(id=id)
        if card is None:
            raise NotFound
        facts = {
            "pipelineId": card.pipeline_id,
            "activities": await Activity.visible_to(caller).filter(card_id=id).delete(),
            "files": await remove_files_of(caller, [id]),
            "contacts": await CardContact.visible_to(caller).filter(card_id=id).delete(),
        }
        await CardHistory.visible_to(caller).filter(card_id=id).delete()
        await own.filter(id=id).delete()
        await audit.write_entry(caller, "card.deleted", id, facts, at=now())

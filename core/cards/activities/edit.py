"""Adding, changing and deleting activities."""

from core.cards import links
from core.cards.activities.inputs import ActivityChanges, NewActivity
from core.cards.activities.record import ActivityRecord, activity_record
from core.cards.errors import LinksRefused
from core.cards.models import Activity
from core.cards.queries import hold_card
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Scope


async def add_activity(caller: Caller, card_id: str, new: NewActivity) -> ActivityRecord:
    """Add an activity to a card; answers it. Raises NotFound and LinksRefused."""
    caller.require(Scope.CRM_WRITE)
    at = now()
    async with transaction():
        known = await links.hold_links(caller, members=[new.owner_id], messages=[new.message_id])
        await hold_card(caller, card_id)
        wrong = {}
        if new.owner_id is not None and new.owner_id not in known.members:
            wrong["/responsavelId"] = links.MEMBER
        if new.message_id is not None and new.message_id not in known.messages:
            wrong["/messageId"] = links.MESSAGE
        if wrong:
            raise LinksRefused(wrong)
        activity = await Activity.create(
            id=new_id("atv"),
            **owned_by(caller),
            card_id=card_id,
            **new.model_dump(),
            created_by_id=caller.account_id or caller.organization_id,
            created_at=at,
            updated_at=at,
        )
    return activity_record(vars(activity))


async def change_activity(caller: Caller, id: str, changes: ActivityChanges) -> ActivityRecord:
    """Change what was sent and nothing else; answers the activity. Raises NotFound, LinksRefused,
    ValidationFailed.
    """
    caller.require(Scope.CRM_WRITE)
    at = now()
    async with transaction():
        activity = await _lock(caller, id)
        columns = changes.model_dump(exclude={"done"}, exclude_unset=True)
        columns = {
            name: value for name, value in columns.items() if value != getattr(activity, name)
        }
        if changes.done is not None and changes.done != (activity.done_at is not None):
            columns["done_at"] = at if changes.done else None
        owner_id = columns.get("owner_id")
        if (
            owner_id is not None
            and owner_id not in (await links.hold_links(caller, members=[owner_id])).members
        ):
            raise LinksRefused({"/responsavelId": links.MEMBER})
        if columns:
            activity.update_from_dict({**columns, "updated_at": at})
            if activity.title is None and activity.text is None:
                message = "An activity keeps its titulo or its texto"
                raise ValidationFailed(errors=[FieldError("pointer", "", "required", message)])
            await activity.save(update_fields=[*columns, "updated_at"])
    return activity_record(vars(activity))


async def delete_activity(caller: Caller, id: str) -> None:
    """Delete an activity. Raises NotFound."""
    caller.require(Scope.CRM_DELETE)
    gone = await Activity.visible_to(caller).filter(id=id).delete() if is_id("atv", id) else 0
    if not gone:
        raise NotFound


async def _lock(caller: Caller, id: str) -> Activity:
    return await Activity.own(caller, "atv", id, lock=True)

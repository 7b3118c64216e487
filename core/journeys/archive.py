"""Use case: archive a journey for good, or delete it while it is a draft."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.journeys.errors import JourneyStatusConflict
from core.journeys.models import Journey, JourneyStatus
from core.journeys.queries import journey_record
from core.journeys.record import JourneyRecord


async def archive_journey(caller: Caller, id: str) -> JourneyRecord:
    """Archive a journey for good, whatever its status; it counts against no limit any more. One
    that is archived stays as it is. Raises NotFound.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await _locked(caller, id)
        if journey.status is not JourneyStatus.ARCHIVED:
            at = now()
            journey.status, journey.updated_at = JourneyStatus.ARCHIVED, at
            await journey.save(update_fields=["status", "updated_at"])
            await audit.write_entry(
                caller, "journey.archived", id, {"version": journey.version}, at=at
            )
    return await journey_record(caller, id)


async def delete_journey(caller: Caller, id: str) -> None:
    """Delete a draft for good. Raises NotFound, and JourneyStatusConflict for a journey that is no draft."""
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await _locked(caller, id)
        if journey.status is not JourneyStatus.DRAFT:
            raise JourneyStatusConflict(journey.status)
        await journey.delete()
        await audit.write_entry(
            caller, "journey.deleted", id, {"version": journey.version}, at=now()
        )


async def _locked(caller: Caller, id: str) -> Journey:
    found = (
        await Journey.visible_to(caller).select_for_update().get_or_none(id=id)
        if is_id("jor", id)
        else None
    )
    if found is None:
        raise NotFound
    return found

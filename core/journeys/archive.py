"""Use case: archive a journey for good, or delete it while it is a draft."""

from core import audit
from core.foundation import jobs
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.journeys.entry.begin import unwatch, watch_for_nobody
from core.journeys.entry.take_out import TAKEN_OUT, take_out_slice
from core.journeys.errors import JourneyStatusConflict
from core.journeys.inputs import Archiving
from core.journeys.locks import lock_journey
from core.journeys.models import JourneyStatus, RunsOfArchived
from core.journeys.queries import journey_record
from core.journeys.record import JourneyRecord
from core.journeys.runs.move import hold_still
from core.journeys.tell import announce

UNLESS_TOLD = Archiving()


async def archive_journey(caller: Caller, id: str, how: Archiving = UNLESS_TOLD) -> JourneyRecord:
    """Archive a journey for good, whatever its status; it counts against no limit any more. Nobody
    enters; those inside finish their way or are taken out, as it is said. One that is archived
    stays as it is. Raises NotFound.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await lock_journey(caller, id)
        if journey.status is not JourneyStatus.ARCHIVED:
            at = now()
            await hold_still(id)
            cancels = how.runs is RunsOfArchived.CANCEL
            inside = cancels and await take_out_slice(caller, id, at=at)
            journey.status, journey.updated_at = JourneyStatus.ARCHIVED, at
            journey.enrol_cursor = TAKEN_OUT if inside else None
            await journey.save(update_fields=["status", "updated_at", "enrol_cursor"])
            await (unwatch if cancels else watch_for_nobody)(caller, id)
            facts = {"version": journey.version, "runs": how.runs.value}
            await audit.write_entry(caller, "journey.archived", id, facts, at=at)
            await announce(caller.organization_id, caller.env, [id])
            if inside:
                await jobs.wake(jobs.Job.ENTER_JOURNEYS)
    return await journey_record(caller, id)


async def delete_journey(caller: Caller, id: str) -> None:
    """Delete a draft for good. Raises NotFound, and JourneyStatusConflict for a journey that is no draft."""
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await lock_journey(caller, id)
        if journey.status is not JourneyStatus.DRAFT:
            raise JourneyStatusConflict(journey.status)
        await journey.delete()
        await audit.write_entry(
            caller, "journey.deleted", id, {"version": journey.version}, at=now()
        )

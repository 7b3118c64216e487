"""Use cases: pause a journey, let it go on, and let nobody enter any more."""

from datetime import datetime

from core import audit
from core.foundation import jobs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.journeys.entry.begin import watch_for_nobody
from core.journeys.errors import JourneyCannotRun, JourneyStatusConflict
from core.journeys.locks import lock_journey_in_use
from core.journeys.models import Journey, JourneyStatus
from core.journeys.queries import journey_record
from core.journeys.readiness import faults_while_running
from core.journeys.record import JourneyRecord
from core.journeys.runs.move import hold_still
from core.journeys.runs.program import load_program
from core.journeys.stored import as_new
from core.journeys.tell import announce, tell_paused

NEVER_RAN = "A draft does not run; activate the journey first."


async def pause_journey(caller: Caller, id: str) -> JourneyRecord:
    """Let nobody go on for a while: everybody stays where they are. One that is paused stays as it
    is. Raises NotFound, JourneyIsArchived, and JourneyStatusConflict for a draft.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await _lock_one_that_ran(caller, id)
        if journey.status is JourneyStatus.ACTIVE:
            at = now()
            await hold_still(id)
            journey.status, journey.updated_at = JourneyStatus.PAUSED, at
            await journey.save(update_fields=["status", "updated_at"])
            facts = {"version": journey.version}
            await audit.write_entry(caller, "journey.paused", id, facts, at=at)
            await tell_paused(caller.organization_id, caller.env, [id], at=at)
    return await journey_record(caller, id)


async def resume_journey(caller: Caller, id: str) -> JourneyRecord:
    """Let a paused journey go on, also one that the service paused. One that is active stays as it
    is. Raises NotFound, JourneyIsArchived, JourneyStatusConflict for a draft, and JourneyCannotRun
    while something is missing that it needs.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await _lock_one_that_ran(caller, id)
        if journey.status is JourneyStatus.PAUSED:
            if wrong := await faults_while_running(caller, as_new(journey)):
                raise JourneyCannotRun(errors=wrong)
            at = now()
            journey.status, journey.updated_at = JourneyStatus.ACTIVE, at
            journey.paused_by = None
            await journey.save(update_fields=["status", "paused_by", "updated_at"])
            await _wait_again(caller, id, at=at)
            facts = {"version": journey.version}
            await audit.write_entry(caller, "journey.resumed", id, facts, at=at)
            await announce(caller.organization_id, caller.env, [id])
            await jobs.wake(jobs.Job.MOVE_RUNS)
    return await journey_record(caller, id)


async def end_entries(caller: Caller, id: str) -> JourneyRecord:
    """Let nobody enter any more; those inside finish their way. Raises NotFound, JourneyIsArchived,
    and JourneyStatusConflict for a draft.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    async with transaction():
        journey = await _lock_one_that_ran(caller, id)
        if not journey.entries_ended:
            at = now()
            journey.entries_ended, journey.updated_at = True, at
            journey.enrol_cursor = None
            await journey.save(update_fields=["entries_ended", "enrol_cursor", "updated_at"])
            await watch_for_nobody(caller, id)
            facts = {"version": journey.version}
            await audit.write_entry(caller, "journey.entries_ended", id, facts, at=at)
            await announce(caller.organization_id, caller.env, [id])
    return await journey_record(caller, id)


async def _lock_one_that_ran(caller: Caller, id: str) -> Journey:
    """It is no draft. Raises NotFound, JourneyIsArchived and JourneyStatusConflict."""
    journey = await lock_journey_in_use(caller, id)
    if journey.status is JourneyStatus.DRAFT:
        raise JourneyStatusConflict(journey.status, NEVER_RAN)
    return journey


async def _wait_again(caller: Caller, id: str, *, at: datetime) -> None:
    """A time of day that passed meanwhile is waited for anew, as by whoever comes to the step now;
    other waits that are over are over.
    """
    program = await load_program(id)
    clocks = [
        step.place for step in program.steps if step.kind == "espera" and "ate" in step.config
    ]
    await db.execute_for(clocks, WAIT_AGAIN, caller.organization_id, caller.env, id, clocks, at)


WAIT_AGAIN = """
UPDATE journey_runs SET wait_since = NULL
WHERE organization_id = $1 AND env = $2 AND version_id = $3 AND step = ANY ($4::smallint[]) AND state = 1
  AND due_at <= $5
"""

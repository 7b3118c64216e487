"""What messages of journeys tell others: runs that wait for them, and events that are attributed."""

from collections.abc import Sequence
from uuid import UUID

from core import customer_events, messaging
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.runs.program import read_program
from core.journeys.runs.run_id import run_id
from core.journeys.runs.wake import wake_runs


@messaging.on_journey_messages
async def wake_waiting(rows: Sequence[db.Row]) -> None:
    """Let the runs of these messages be looked at now: each waits for what becomes of its message."""
    by_time = {(row["journey_run"], row["journey_step"]): row["updated_at"] for row in rows}
    ids, steps = zip(*by_time, strict=True)
    await wake_runs(ids, steps, at=max(by_time.values()))


@customer_events.names_runs
async def name_run(caller: Caller, run: UUID, step: int) -> dict[str, str]:
    """The journey, the step and the run that sent a message, as an attribution names them."""
    row = await db.fetchrow(JOURNEY, caller.organization_id, caller.env, run)
    if row is None:
        return {}
    program = read_program(row)
    return {
        "journeyId": program.version_id,
        "journeyStepId": program.steps[step].id,
        "journeyRunId": run_id(run),
    }


JOURNEY = """
SELECT j.id, j.organization_id, j.env, j.lineage_id, j.program, j.steps, j.entry_step_id, j.trigger, j.quiet,
       j.frequency_cap, j.goal, j.exit_when, j.reentry, j.reentry_hours
FROM journey_runs r JOIN journeys j ON j.id = r.version_id
WHERE r.organization_id = $1 AND r.env = $2 AND r.id = $3
"""

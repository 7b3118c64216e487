"""The step that waits for a customer event.

Whoever comes looks back, to events recorded since the run came to the step before; the consumer of
changes (`core.journeys.runs.audience`) looks forward. It takes a change up only when all transactions
have ended that were open when it saw it: so one of the two always sees the other.
"""

from collections.abc import Sequence
from datetime import timedelta

from core.foundation.database import db
from core.journeys.runs.batch import RunAtStep, RunBatch, StepOutcome, go_on, wait

CAME, EXPIRED = "seOcorrer", "seExpirar"


async def run(batch: RunBatch) -> list[StepOutcome]:
    """On where the event came, and where it did not in time; else a wait for the rest of the time."""
    config = batch.step.config
    deadline = timedelta(hours=config["prazoHoras"])
    found = await _recorded(batch, [run for run in batch.runs if run.woken_by is None])
    return [_outcome(batch, run, found, deadline) for run in batch.runs]


def _outcome(
    batch: RunBatch, run: RunAtStep, found: dict[str, str], deadline: timedelta
) -> StepOutcome:
    event = run.woken_by or found.get(str(run.id))
    if event is not None:
        return go_on(CAME, facts={"evento": event})
    if run.step_at + deadline <= batch.at:
        return go_on(EXPIRED)
    return wait(run.step_at + deadline, event=batch.step.config["evento"], since=run.since)


async def _recorded(batch: RunBatch, runs: Sequence[RunAtStep]) -> dict[str, str]:
    """The first event that each of these runs waits for and that is recorded already, by the run's
    id. One that came after the deadline is too late.
    """
    if not runs:
        return {}
    program, config = batch.program, batch.step.config
    deadline = timedelta(hours=config["prazoHoras"])
    rows = await db.fetch(
        RECORDED,
        program.organization_id,
        program.env,
        config["evento"],
        config.get("filtros") or {},
        [run.id for run in runs],
        [run.contact_id for run in runs],
        [run.since for run in runs],
        [run.step_at + deadline for run in runs],
    )
    return {str(row["run_id"]): row["id"] for row in rows}


RECORDED = """
SELECT r.run_id, e.id
FROM unnest($5::uuid[], $6::text[], $7::timestamptz[], $8::timestamptz[]) AS r (run_id, contact_id, since, until)
CROSS JOIN LATERAL (
    SELECT e.id FROM customer_events e
    WHERE e.organization_id = $1 AND e.env = $2 AND e.contact_id = r.contact_id AND e.name = $3
      AND e.created_at >= r.since AND e.created_at <= r.until AND coalesce(e.properties, '{}') @> $4::jsonb
    ORDER BY e.created_at, e.id LIMIT 1) AS e
"""

"""The step that calls another system: one signed delivery for each run, retried as all are.

The delivery is written in the transaction that moves its run. Where the step names what follows its
end (`seOk`, `seFalhar`), the run waits for that.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from core import webhooks
from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.foundation.run_id import run_id
from core.journeys.runs.batch import RunAtStep, RunBatch, StepOutcome, go_on, wait
from core.webhooks import NewEvent, WebhookDeliveryStatus

DESCRIPTION = "Journeys"
"""What a subscription is for that came about because a step calls its address."""

FIRST_LOOK, LAST_LOOK = timedelta(seconds=5), timedelta(hours=1)
GIVEN_UP = timedelta(hours=72)
"""How long a run waits for a delivery that is not made, because its subscription is paused."""

TAKEN, FAILED = "seOk", "seFalhar"


async def run(batch: RunBatch) -> list[StepOutcome]:
    """Call for who has just come, and look what became of the deliveries of those who were here."""
    found = await _deliveries(batch.runs)
    coming = [one for one in batch.runs if one.id not in found]
    made = await _call(batch, coming)
    waits = {TAKEN, FAILED} & batch.step.next.keys()
    outcomes = []
    for one in batch.runs:
        facts = {"deliveryId": made[one.id]} if one.id in made else None
        if not waits:
            outcomes.append(go_on(facts=facts))
        elif facts is not None:
            outcomes.append(wait(batch.at + FIRST_LOOK, facts=facts))
        else:
            outcomes.append(_after(batch, found[one.id]))
    return outcomes


def _after(batch: RunBatch, delivery: db.Row) -> StepOutcome:
    """What follows from a delivery: nothing yet, or one of the two ways."""
    age = batch.at - (delivery["created_at"] or batch.at)
    facts = {"deliveryId": delivery["ref"]}
    match delivery["status"]:
        case WebhookDeliveryStatus.DELIVERED:
            return go_on(_way(batch, TAKEN), facts=facts)
        case WebhookDeliveryStatus.PENDING | WebhookDeliveryStatus.RETRYING if age < GIVEN_UP:
            return wait(batch.at + min(max(age, FIRST_LOOK), LAST_LOOK), facts=facts)
        case _:
            return go_on(_way(batch, FAILED), facts=facts)


def _way(batch: RunBatch, named: str) -> str:
    """The way that is named, or the one of all others."""
    return named if named in batch.step.next else "proximo"


async def _deliveries(runs: Sequence[RunAtStep]) -> dict[UUID, db.Row]:
    """The deliveries that this step has made for runs that were here before."""
    asked = [(one.id, one.seq) for one in runs if one.returned]
    rows = await db.fetch_for(asked, MADE, *db.columns(asked, 2))
    return by_column(rows, "run_id")


async def _call(batch: RunBatch, runs: Sequence[RunAtStep]) -> dict[UUID, str]:
    """Make the deliveries of these runs, in the order of runs."""
    if not runs:
        return {}
    events = [_event(batch, one, at=batch.at) for one in runs]
    ids = await webhooks.call_address(
        batch.caller, batch.step.config["url"], events, description=DESCRIPTION, at=batch.at
    )
    rows = [(one.id, one.seq, id) for one, id in zip(runs, ids, strict=True)]
    owner = (batch.program.organization_id, batch.program.env)
    await db.execute(NOTE, *db.columns(rows, 3), *owner)
    return {one.id: id for one, id in zip(runs, ids, strict=True)}


def _event(batch: RunBatch, one: RunAtStep, *, at: datetime) -> NewEvent:
    program = batch.program
    data = {
        "env": program.env,
        "journeyId": program.version_id,
        "stepId": batch.step.id,
        "journeyRunId": run_id(one.id),
        "contactId": one.contact_id,
        "corpo": batch.step.config.get("corpo") or {},
    }
    return NewEvent(program.organization_id, program.env, "journey.called", data, at)


MADE = """
SELECT e.run_id, e.ref, d.status, d.created_at
FROM unnest($1::uuid[], $2::int[]) AS a (run_id, seq)
JOIN journey_effects e ON e.run_id = a.run_id AND e.seq = a.seq AND e.kind = 'webhook'
LEFT JOIN webhook_deliveries d ON d.id = e.ref AND d.organization_id = e.organization_id
"""

NOTE = """
INSERT INTO journey_effects (run_id, seq, kind, ref, organization_id, env)
SELECT e.run_id, e.seq, 'webhook', e.ref, $4, $5 FROM unnest($1::uuid[], $2::int[], $3::text[]) AS e (run_id, seq, ref)
"""

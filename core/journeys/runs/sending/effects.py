"""The messages that a step has made for its runs, and what became of the last of each.

An effect of a run names the place of its content and the number of the try; it is written with the
message, in the transaction that moves the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core import customer_events, messaging
from core.foundation.database import db
from core.foundation.run_id import run_id
from core.foundation.security.caller import Caller
from core.journeys.runs.batch import RunAtStep
from core.journeys.runs.program import load_program
from core.journeys.runs.wake import wake_runs
from core.journeys.tell import tell_moved


@dataclass(frozen=True, slots=True)
class Sent:
    """The last message of a run on its step. `status`: None where it is gone."""

    place: int
    tries: int
    ref: str
    status: str | None
    reason: str | None
    created_at: datetime | None
    sent_at: datetime | None
    failed_at: datetime | None

    @property
    def never_left(self) -> bool:
        """Whether it failed, or was withdrawn, before anybody took it."""
        return self.status == messaging.Status.FAILED and self.sent_at is None


@dataclass(slots=True)  # frozen, it would take four times as long to make
class NewEffect:
    """A message or dispatch that was made for a run. `capped_at`: when a place was taken for it."""

    run: UUID
    seq: int
    place: int
    tries: int
    ref: str
    capped_at: datetime | None = None


async def find_sent(runs: Sequence[RunAtStep]) -> dict[UUID, Sent]:
    """The last messages of these runs on the step that they stand on; nothing of those that just
    came.
    """
    asked = [(run.id, run.seq) for run in runs if run.returned]
    rows = await db.fetch_for(asked, LAST, *db.columns(asked, 2))
    return {row["run_id"]: _sent(row) for row in rows}


def _sent(row: db.Row) -> Sent:
    place, tries = row["kind"][1:].split(".")
    return Sent(
        int(place),
        int(tries),
        row["ref"],
        row["status"],
        row["reason"],
        row["created_at"],
        row["sent_at"],
        row["failed_at"],
    )


async def write_effects(caller: Caller, effects: Sequence[NewEffect]) -> None:
    """Write what was made, beside the messages."""
    if effects:
        rows = [
            (one.run, one.seq, f"m{one.place}.{one.tries}", one.ref, one.capped_at)
            for one in effects
        ]
        await db.execute(WRITE, *db.columns(rows, 5), caller.organization_id, caller.env)


@messaging.on_journey_messages
async def wake_waiting(rows: Sequence[db.Row]) -> None:
    """Let the runs of these messages be looked at now: each waits for what becomes of its message."""
    by_time = {(row["journey_run"], row["journey_step"]): row["updated_at"] for row in rows}
    ids, steps = zip(*by_time, strict=True)
    await wake_runs(ids, steps, at=max(by_time.values()))


@customer_events.names_runs
async def name_run(caller: Caller, run: UUID, step: int) -> dict[str, str]:
    """The journey, the step and the run that sent a message, as an attribution names them. Who
    looks on at the journey is told: it may count the event.
    """
    version_id = await db.fetchval(VERSION, caller.organization_id, caller.env, run)
    if version_id is None:
        return {}
    program = await load_program(version_id)
    await tell_moved(program)
    return {
        "journeyId": program.version_id,
        "journeyStepId": program.steps[step].id,
        "journeyRunId": run_id(run),
    }


LAST = """
SELECT DISTINCT ON (e.run_id) e.run_id, e.kind, e.ref, m.status, m.reason, m.created_at, m.sent_at, m.failed_at
FROM unnest($1::uuid[], $2::int[]) AS a (run_id, seq)
JOIN journey_effects e ON e.run_id = a.run_id AND e.seq = a.seq AND e.kind LIKE 'm%'
LEFT JOIN messages m ON m.id = e.ref AND m.organization_id = e.organization_id
ORDER BY e.run_id, e.kind DESC
"""

WRITE = """
INSERT INTO journey_effects (run_id, seq, kind, ref, capped_at, organization_id, env)
SELECT e.*, $6, $7 FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) AS e
"""

VERSION = "SELECT version_id FROM journey_runs WHERE organization_id = $1 AND env = $2 AND id = $3"

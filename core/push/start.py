"""Starting a due dispatch: quiet hours again, and who is still reachable."""

from datetime import datetime
from typing import Any

from core.foundation import jobs
from core.foundation.database import db
from core.foundation.database.bounded_pool import LONG_SECONDS
from core.foundation.database.transactions import statements_within
from core.foundation.errors import ServiceError
from core.foundation.jobs import Job
from core.foundation.moved_clocks import narrowed
from core.foundation.security.caller import Caller, system_caller
from core.messaging.channel_package import Narrow
from core.push.announce import announce
from core.push.audience import FROM, reachable, segment_narrow
from core.push.models import DispatchStatus, PushDispatch, RateKind
from core.push.outcome_counts import OutcomeCounts, count
from core.push.quiet_window import deferred_to

START_BATCH_SIZE = 1


async def start_due(*, at: datetime) -> int:
    """Start one dispatch that is due, or put it off again when it is quiet by now. Answers how many
    were found.

    Devices that opted out, or whose contact left the segment, since the queue was built, are
    dropped, and what was set aside for them is given back. Where this process dies, nothing was
    started.
    """
    row = await db.fetchrow(*narrowed(DUE, at))
    if row is None:  # mostly: one statement then, and no transaction
        return 0
    caller = system_caller(row["organization_id"], row["env"], request_id=row["request_id"])
    # Only as long as it is due: whoever was quicker has started, put off or canceled it.
    dispatch = PushDispatch.visible_to(caller).filter(id=row["id"], due_at__lte=at)
    quiet_until = await deferred_to(caller, RateKind(row["rate_kind"]), at=at)
    async with statements_within(LONG_SECONDS):
        if quiet_until:
            taken = await dispatch.update(
                status=DispatchStatus.DEFERRED,
                quiet_deferred_to=quiet_until,
                due_at=quiet_until,
                updated_at=at,
            )
        elif taken := await dispatch.update(
            status=DispatchStatus.QUEUED, due_at=None, started_at=at, updated_at=at
        ):
            await count([await _drop_unreachable(caller, row, at=at)], at=at)
            await jobs.wake(Job.SEND_SANDBOX_PUSH if caller.env == "test" else Job.SEND_PUSH)
        if taken:
            await announce(caller.organization_id, caller.env, row["id"])
    return 1


async def _drop_unreachable(caller: Caller, row: Any, *, at: datetime) -> OutcomeCounts:
    where = reachable(caller, await _narrow(caller, row["segment"]))
    where.values += [row["id"], at]
    id, time = len(where.values) - 1, len(where.values)
    dropped = await db.fetch_one(
        f"""
        WITH dropped AS (
            UPDATE push_deliveries q SET status = 'dropped', settled_at = ${time}
            WHERE q.organization_id = $1 AND q.dispatch_id = ${id} AND q.status = 'queued'
              AND NOT EXISTS (SELECT FROM {FROM} WHERE d.id = q.device_id AND {where})
            RETURNING q.device_id, q.id
        )
        SELECT count(*) AS rows, coalesce(min(g.id), 0) AS first_row,
               count(*) FILTER (WHERE NOT d.opted_in) AS opted_out
        FROM dropped g LEFT JOIN push_devices d ON d.organization_id = $1 AND d.id = g.device_id
        """,
        *where.values,
    )
    return OutcomeCounts(
        row["id"], dropped["first_row"], dropped=dropped["rows"], opted_out=dropped["opted_out"]
    )


async def _narrow(caller: Caller, segment: str | None) -> Narrow:
    """Nobody is in a segment that is gone."""
    try:
        return await segment_narrow(caller, segment)
    except ServiceError:
        return lambda where: where.narrow("false")


DUE = """
SELECT id, organization_id, env, segment, rate_kind, request_id FROM push_dispatches
WHERE due_at <= $1 /* whose */ ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
"""

NEXT_START = "SELECT min(due_at) FROM push_dispatches WHERE organization_id = $1 AND env = 'test'"
"""When the next dispatch of a sandbox begins."""

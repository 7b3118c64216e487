"""What changed among contacts, taken up in its order: it may wake runs, start them, or end them.

Triggers write a row for each change that some version watches. A row is handled once every
transaction has ended that was open when the row was first seen (and not by its number: a lower one
may be committed later): whoever went to wait for an event without seeing it has come to wait by
then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, wake
from core.foundation.moved_clocks import is_moving, narrowed
from core.journeys.entry.leave import end_by_opt_out
from core.journeys.entry.react import end_by_goal, let_in
from core.journeys.runs.models import WatchKind
from core.journeys.runs.wake import wake_by_events

BATCH_SIZE = 1_000
LOOKS, LOOK_SECONDS = 10, 0.02
"""How often, and after how long, it is asked again whether the transactions have ended, before the
loop rests.
"""


@dataclass(frozen=True, slots=True)
class Change:
    """A contact entered or left a list or segment (`ref`: its id), or a customer event came (`ref`:
    its name, `event_id`).
    """

    id: int
    organization_id: str
    env: str
    kind: WatchKind
    ref: str
    contact_id: str
    entered: bool
    event_id: str | None
    at: datetime


Handler = Callable[[Sequence[Change], datetime], Awaitable[None]]
"""Does what follows from changes, in the transaction that takes them away. It is called with
changes of several owners, in their order.
"""

HANDLERS: tuple[Handler, ...] = (
    end_by_opt_out,
    end_by_goal,
    wake_by_events,
    let_in,
)
"""Whoever is told, in this order: what ends runs comes before what wakes them, and both before what
starts them."""


class AudienceWatcher:
    """Takes changes up. Any number may run: one at a time works, the others find nothing."""

    def __init__(self, handlers: Sequence[Handler] = HANDLERS) -> None:
        self._handlers = handlers
        self._seen: str | None = None

    async def take(self, *, at: datetime) -> int:
        """Handle a batch of changes; answers how many."""
        if is_moving():  # nobody else moves runs of a sandbox whose clock is moved
            return await self._handle(TAKE_ALL, at=at)
        if self._seen is None:
            if not await db.fetch_planned(*narrowed(IS_ANY)):
                return 0
            self._seen = await db.fetchval(NOW_SEEN)
        if not await self._others_have_ended():
            return 0
        taken = await self._handle(TAKE_SEEN, self._seen, at=at)
        if taken < BATCH_SIZE:
            self._seen = None
        return taken

    async def _others_have_ended(self) -> bool:
        """Whether all transactions that were open when changes were seen have ended, within a
        moment.
        """
        for _ in range(LOOKS):
            ended = await db.fetchval(HAVE_ENDED, self._seen)
            if ended is None:
                self._seen = None
                return False
            if ended:
                return True
            await asyncio.sleep(LOOK_SECONDS)
        return False

    async def _handle(self, statement: str, *seen: str, at: datetime) -> int:
        async with transaction():
            if not is_moving() and not await db.fetchval(ONE_AT_A_TIME):
                return 0
            rows = await db.fetch(*narrowed(statement, BATCH_SIZE, *seen))
            changes = [
                Change(
                    id=row["id"],
                    organization_id=row["organization_id"],
                    env=row["env"],
                    kind=WatchKind(row["kind"]),
                    ref=row["ref"],
                    contact_id=row["contact_id"],
                    entered=row["entered"],
                    event_id=row["event_id"],
                    at=row["at"],
                )
                for row in rows
            ]
            changes.sort(key=lambda change: change.id)
            if changes:
                for handler in self._handlers:
                    await handler(changes, at)
                await wake(Job.MOVE_RUNS)
        return len(changes)


NEXT_CHANGE = "SELECT min(at) FROM audience_changes WHERE organization_id = $1 AND env = 'test'"
"""When the first change of a sandbox is due."""

# From one owner to the next: of those that are passed over, nothing but the first is read.
IS_ANY = """
SELECT FROM (
    WITH RECURSIVE owner AS (
        (SELECT organization_id, env FROM audience_changes ORDER BY organization_id, env LIMIT 1)
        UNION ALL
        SELECT next.* FROM owner o CROSS JOIN LATERAL (
            SELECT organization_id, env FROM audience_changes
            WHERE (organization_id, env) > (o.organization_id, o.env) ORDER BY organization_id, env LIMIT 1) AS next
    )
    SELECT * FROM owner
) AS a WHERE true /* whose a. */ LIMIT 1
"""

# Numbers of transactions are those of one server, on Citus of the machine that holds the schema. When the
# database has come from another server meanwhile, all that was open there has ended.
NOW_SEEN = "/* whole */ SELECT pg_current_snapshot()::text"

# Null: what was seen is of another server.
HAVE_ENDED = """/* whole */
SELECT CASE WHEN pg_snapshot_xmax($1::text::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
       THEN pg_snapshot_xmin(pg_current_snapshot()) >= pg_snapshot_xmax($1::text::pg_snapshot) END
"""

ONE_AT_A_TIME = "SELECT pg_try_advisory_xact_lock(hashtextextended('audience of journeys ' || current_schema(), 0))"

TAKE_ALL = """
DELETE FROM audience_changes WHERE id IN (
    SELECT a.id FROM audience_changes a WHERE true /* whose a. */ ORDER BY a.id LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING *
"""

TAKE_SEEN = """/* whole */
DELETE FROM audience_changes WHERE id IN (
    SELECT a.id FROM audience_changes a
    WHERE (pg_visible_in_snapshot(a.xid::text::xid8, $2::text::pg_snapshot)
           OR a.xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint) /* whose a. */
    ORDER BY a.id LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING *
"""

"""Sequencer of the event feed: numbers committed events, one sequence per organization and env.

Publishing an event puts it into `webhook_feed_queue` too. Whatever is committed there is taken out
and numbered 1, 2, 3, … in `webhook_feed`, by one writer at a time: so a position that can be seen
has all smaller ones before it, and an event whose transaction ends late comes later, never in
between.

`webhook_feed_heads` has the last position of each owner, once for every epoch. The epoch tells
servers and their pasts apart: it changes whenever PostgreSQL starts or is promoted, and when the
database is restored or copied. What was numbered before stays in its epoch, so that a cursor can be
held against how far its own epoch got.
"""

import time
from collections import deque
from datetime import datetime

from core.foundation.database import db, on_node
from core.foundation.database.transactions import transaction

BATCH_SIZE = 2_000
RECENT_SECONDS = 2.0
"""Events of transactions that are longer wait for a look at the whole queue."""
FULL_SCAN_SECONDS = 1.0
"""How often there is one; rarer where it takes long: at most a twentieth of the time goes there."""


class Sequencer:
    """Gives positions again and again, for as long as a worker lives.

    What was taken out of the queue stays in its index for as long as any transaction of the
    database is open that began before, and each look from the front passes over all of it. So most
    looks begin behind what was numbered two seconds ago.
    """

    def __init__(self) -> None:
        self._next_full_scan = 0.0
        self._numbered: deque[tuple[float, int]] = deque()

    async def assign(self, *, at: datetime) -> int:
        """As `assign_positions`."""
        moment, started = at.timestamp(), time.perf_counter()
        if self._numbered and moment < self._numbered[-1][0]:  # the clock was set back
            self._numbered.clear()
            self._next_full_scan = 0.0
        whole = moment >= self._next_full_scan
        known = self._numbered[-1][1] if self._numbered else 0
        last, given = await _assign(behind=0 if whole else self._passed(moment), known=known)
        if last < known:  # of another machine of Citus
            self._numbered.clear()
            self._next_full_scan = 0.0
            return given
        if whole and given < BATCH_SIZE:
            self._next_full_scan = moment + max(
                FULL_SCAN_SECONDS, 20 * (time.perf_counter() - started)
            )
        self._numbered.append((moment, last))
        return given

    def _passed(self, at: float) -> int:
        """Up to which number events had been written two seconds ago."""
        while len(self._numbered) > 1 and self._numbered[1][0] <= at - RECENT_SECONDS:
            self._numbered.popleft()
        since, number = self._numbered[0]
        return number if since <= at - RECENT_SECONDS else 0


async def assign_positions(*, at: datetime) -> int:
    """Give positions to committed events that have none, at most BATCH_SIZE. Answers how many.

    While another process does so it is 0. Whoever calls is never waited for: the lock, the work and
    the commit are one message to the server, which finishes it also when this process stops in the
    middle.
    """
    _, given = await _assign(behind=0)
    return given


async def _assign(*, behind: int, known: int = 0) -> tuple[int, int]:
    """The last number that an event in the queue was given by then, and how many of those behind
    got positions. `known`: the last number of the look before.
    """
    if db.is_distributed():
        return await _assign_on_citus(behind, known)
    row = await db.fetch_one(LOOK, behind)
    if not row["waits"]:
        return row["last"], 0
    text = ASSIGN.format(batch=BATCH_SIZE, behind=behind, alone=ALONE)
    return row["last"], await db.execute(f"{BEGIN}; {text}")


async def _assign_on_citus(behind: int, known: int) -> tuple[int, int]:
    """The same in three messages: the lock is the coordinator's, and the work is done on the
    machine that holds the schema. Where this process stops in the middle, nothing of it is done.
    """
    last: int | None = await db.fetchval(LOOK_ON_CITUS, behind)
    if last is None:
        return known, 0
    last = max(last, known) if behind else last
    async with transaction():
        if not await db.fetchval(f"SELECT {LOCK}"):
            return last, 0
        text = ASSIGN.format(batch=BATCH_SIZE, behind="$1::bigint", alone="true")
        return last, await db.execute(f"{on_node.WHOLE}{text}", behind)


LOOK = """
SELECT last_value AS last, EXISTS (SELECT FROM webhook_feed_queue WHERE id > $1) AS waits
FROM webhook_feed_queue_id_seq
"""

# There the sequence does not say how far the numbers have come (core.cells.move.numbers).
LOOK_ON_CITUS = "SELECT max(id) FROM webhook_feed_queue WHERE id > $1::bigint"

# Several statements, each of which sees what was committed before it began: the second one sees all
# that the writer before has done. Without BEGIN, so that an error leaves no open transaction on the
# connection.
LOCK = "pg_try_advisory_xact_lock(hashtextextended('event feed ' || 'webhook_feed_queue'::regclass::oid, 0))"
BEGIN = f"""
SET LOCAL statement_timeout = '60s';
SELECT set_config('svc.assigns_positions', {LOCK}::text, true)
"""
ALONE = "current_setting('svc.assigns_positions') = 'true'"

# A server is known by when it started: a standby that is promoted started at another moment than
# the one it replaces. A database is known by its oid and by its table's: one that is copied or
# restored has others.
EPOCH = """
hashtextextended(concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), 'webhook_feed_heads'::regclass::oid,
    (SELECT oid FROM pg_database WHERE datname = current_database())), 0) & 9223372036854775807
"""

ASSIGN = f"""
WITH taken AS MATERIALIZED (
    DELETE FROM webhook_feed_queue
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM webhook_feed_queue WHERE id > {{behind}} ORDER BY id LIMIT {{batch}}))
      AND {{alone}}
    RETURNING id, organization_id, env, event_id, type, created_at
), counted AS (
    SELECT organization_id, env, count(*) AS events FROM taken GROUP BY 1, 2
), heads AS (
    INSERT INTO webhook_feed_heads (organization_id, env, epoch, position, began_at)
    SELECT organization_id, env, {EPOCH}, events + coalesce((
        SELECT max(h.position) FROM webhook_feed_heads h WHERE h.organization_id = c.organization_id AND h.env = c.env
    ), 0), now()
    FROM counted c
    ON CONFLICT (organization_id, env, epoch) DO UPDATE SET position = excluded.position
    RETURNING organization_id, env, position
)
INSERT INTO webhook_feed (organization_id, env, position, event_id, type, created_at)
SELECT organization_id, env,
       h.position - c.events + row_number() OVER (PARTITION BY organization_id, env ORDER BY t.id),
       t.event_id, t.type, t.created_at
FROM taken t JOIN counted c USING (organization_id, env) JOIN heads h USING (organization_id, env)
"""

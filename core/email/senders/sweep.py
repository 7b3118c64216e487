"""Looking for the TXT records of domains that wait, and forgetting what has long expired."""

import asyncio
from datetime import datetime, timedelta

import structlog

from core.email.models import SenderVerification
from core.email.senders.prove import look_for_record
from core.email.senders.request import FIRST_CHECK, KEPT
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.leases import LEASE
from core.foundation.database.rows import column
from core.foundation.moved_clocks import unless_moved
from core.foundation.security.caller import system_caller
from core.foundation.text_records import MAX_AT_ONCE

log = structlog.get_logger()

CHECK_BATCH_SIZE = 50
LATEST = timedelta(hours=1)


async def check_senders(*, at: datetime) -> int:
    """Look for the records that are due. Answers how many rows were."""
    rows = await db.fetch(*unless_moved(CLAIM, at, CHECK_BATCH_SIZE, at + LEASE))
    await db.execute(FORGET, column(rows, "id"), at - KEPT)
    waiting = iter([row for row in rows if row["expires_at"] > at - KEPT])

    async def one_after_the_other() -> None:
        for row in waiting:
            await _check(row)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(MAX_AT_ONCE, len(rows))):
            group.create_task(one_after_the_other())
    return len(rows)


async def _check(row: db.Row) -> None:
    """One sender; a fault with it stops none of the others."""
    caller = system_caller(row["organization_id"], row["env"])
    try:
        waits = row["expires_at"] > now()
        if not (waits and await look_for_record(caller, row["id"], row["address"])):
            waiting = SenderVerification.visible_to(caller).filter(id=row["id"])
            await waiting.update(due_at=_next_look(row, at=now()))
    except Exception:
        log.exception("sender_check_failed", sender=row["id"])


def _next_look(row: db.Row, *, at: datetime) -> datetime:
    """The longer it waits, the longer the pauses; after its end, when it is forgotten."""
    waited: timedelta = at - row["created_at"]
    due = at + min(max(waited / 2, FIRST_CHECK), LATEST)
    end: datetime = row["expires_at"]
    return due if due < end else end + KEPT


CLAIM = """
UPDATE email_sender_verifications SET due_at = $3
WHERE id = ANY (ARRAY(
    SELECT id FROM email_sender_verifications WHERE due_at <= $1 /* unless moved */
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, organization_id, env, address, created_at, expires_at
"""

FORGET = "DELETE FROM email_sender_verifications WHERE id = ANY ($1) AND expires_at <= $2"

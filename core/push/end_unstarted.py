"""Ending dispatches that have not begun: nothing was sent, and the hold is released."""

from collections.abc import Sequence
from datetime import datetime

from core import wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller
from core.push.announce import announce
from core.push.models import DispatchStatus
from core.push.segment_uses import WAITS


async def end_unstarted(
    caller: Caller, rows: Sequence[db.Row], status: DispatchStatus, *, at: datetime
) -> None:
    """End these locked dispatches of the caller with this status, in the transaction that locked
    them.
    """
    ids = column(rows, "id")
    await db.execute(DROP, ids, at, caller.organization_id)
    await db.execute(END, ids, status, at, caller.organization_id)
    held = [(row, row["reach"] * row["unit_coins"]) for row in rows]
    moving = [
        wallet.release(
            (row["organization_id"], row["env"]),
            row["id"],
            coins,
            caller.request_id,
            row["quote_id"],
        )
        for row, coins in held
        if coins
    ]
    if moving:
        await wallet.lock_balances({(one.organization_id, one.env) for one in moving})
        await wallet.book(moving, at=at)
    for row in rows:
        await announce(row["organization_id"], row["env"], row["id"])


async def fail_waiting(caller: Caller, segment_id: str) -> None:
    """Nobody is in a segment that is gone: what waits for it fails now, not when its time comes. In
    the transaction that removes the segment.
    """
    rows = await db.fetch(WAITING, caller.organization_id, caller.env, segment_id)
    if rows:
        await end_unstarted(caller, rows, DispatchStatus.FAILED, at=now())


WAITING = f"""
SELECT * FROM push_dispatches d
WHERE organization_id = $1 AND env = $2 AND segment = $3 AND {WAITS.format(d="d")}
ORDER BY id FOR UPDATE
"""

DROP = """
UPDATE push_deliveries SET status = 'dropped', settled_at = $2
WHERE dispatch_id = ANY ($1::text[]) AND organization_id = $3 AND status = 'queued'
"""

END = """
UPDATE push_dispatches SET
    status = $2, due_at = NULL, open_count = 0, released_coins = released_coins + reach * unit_coins,
    completed_at = $3, updated_at = $3
WHERE id = ANY ($1::text[]) AND organization_id = $4
"""

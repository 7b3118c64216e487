"""Ending queued messages whose time is over: nobody took them within their validity."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.messaging.message_channel import words_of
from core.messaging.queue.reasons import ABANDONED
from core.messaging.queue.withdraw import withdraw

EXPIRY_BATCH_SIZE = 500


async def end_expired(*, at: datetime) -> int:
    """End what waits beyond its validity, and give back what was held. Answers how many it found.

    Those that somebody is handing over right now are left to them.
    """
    rows = await db.fetch(*narrowed(EXPIRED, at, EXPIRY_BATCH_SIZE))
    if not rows:
        return 0
    async with transaction():
        ids = column(rows, "message_id")
        reasons = words_of(lambda channel: channel.abandoned)
        await withdraw(ids, reason=ABANDONED, reasons=reasons, at=at)
    return len(rows)


EXPIRED = """
SELECT message_id FROM waiting_messages WHERE expires_at <= $1 /* whose */ ORDER BY expires_at LIMIT $2
"""

NEXT_EXPIRY = """
SELECT expires_at FROM waiting_messages WHERE organization_id = $1 AND env = 'test' AND expires_at IS NOT NULL
ORDER BY organization_id, expires_at LIMIT 1
"""
"""When the next validity of what waits in a sandbox is over."""

"""The mark that a message is about to be transmitted to a provider that cannot be asked afterwards.

It is set under the lease of whoever claimed the message and in a transaction of its own, before the
first byte that could make the provider answer for it: a worker that dies before the mark has sent
nothing, one that dies after it may have.
"""

from collections.abc import Sequence
from datetime import datetime

from core.foundation.database import db
from core.foundation.database.rows import column


async def mark_begun(leases: Sequence[tuple[str, datetime]]) -> list[bool]:
    """Mark that the hand-over of these queued messages (id, end of the lease) begins.

    False for one that is leased by somebody else by now, or settled.
    """
    rows = await db.fetch(BEGIN, *db.columns(leases, 2))
    begun = set(column(rows, "id"))
    return [id in begun for id, _ in leases]


BEGIN = """
UPDATE messages m SET provider_reference = m.id
FROM (SELECT b.id, b.lease FROM unnest($1::text[], $2::timestamptz[]) AS b (id, lease) ORDER BY b.id) AS b
WHERE m.id = b.id AND m.status = 'queued' AND m.provider_reference IS NULL AND m.settle_at = b.lease
RETURNING m.id
"""

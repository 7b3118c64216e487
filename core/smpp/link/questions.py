"""Parts whose receipts do not come: their operator is asked what became of them, less and less often."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.database import db

ASKED_FOR = timedelta(hours=72)
"""How long after it was taken a part is asked about."""
SOONEST = timedelta(minutes=1)
"""Between two questions about one part."""


@dataclass(frozen=True, slots=True)
class UntoldPart:
    """A part of which no receipt has come. `smsc_id`: the operator's id as it is compared; `said_id`: as
    the operator wrote it; `source`: whom it was sent as.
    """

    smsc_id: str
    said_id: str
    source: str


async def claim_untold(link: str, *, at: datetime, limit: int) -> list[UntoldPart]:
    """Parts whose operator is to be asked now: each again once it is twice as old, for three days."""
    rows = await db.fetch(CLAIM, link, at, limit, ASKED_FOR, SOONEST)
    return [UntoldPart(row["smsc_id"], row["said_id"], row["source"]) for row in rows]


CLAIM = """
UPDATE smpp_link_parts p
SET ask_at = CASE WHEN $2::timestamptz - p.taken_at < $4::interval
                  THEN $2::timestamptz + greatest($2::timestamptz - p.taken_at, $5::interval) END
FROM (
    SELECT id FROM smpp_link_parts WHERE link = $1 AND ask_at <= $2 ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED
) AS due
WHERE p.id = due.id
RETURNING p.smsc_id, p.said_id, p.source
"""

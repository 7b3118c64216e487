"""Organizations for which something is due on a channel: the senders of SMS, RCS and e-mail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import wallet
from core.foundation.database import db
from core.messaging.models import Channel
from core.messaging.queue.pacing import DUE_COUNTS, DUE_SENDERS


@dataclass(frozen=True, slots=True)
class DueOrganization:
    """How much of each urgency is due on a channel, counted up to a bound. `id`: of the sender."""

    id: str
    organization_id: str
    env: str
    forced: int
    critical: int
    normal: int
    bulk: int

    @property
    def owner(self) -> wallet.Owner:
        """Whose ceiling it is."""
        return (self.organization_id, self.env)


async def find_due_organizations(
    channel: Channel, *, at: datetime, most: int
) -> list[DueOrganization]:
    """Everybody for whom something is due on the channel; of each, at most `most` of an urgency are
    counted.
    """
    rows = await db.fetch(DUE, at, most, channel)
    return [DueOrganization(*row.values()) for row in rows]


async def grant_all(
    senders: Sequence[DueOrganization], wanted: Mapping[str, int]
) -> Mapping[str, int]:
    """The tokens of a channel without a ceiling: what is wanted."""
    return wanted


async def return_nothing(senders: Sequence[DueOrganization], unused: Mapping[str, int]) -> None:
    """What did not leave gives nothing back where nothing was taken."""


DUE = f"""
{DUE_SENDERS}, known AS (
    SELECT s.sender_id AS id, split_part(s.sender_id, ':', 3) AS organization_id,
           split_part(s.sender_id, ':', 2) AS env
    FROM sender s WHERE split_part(s.sender_id, ':', 1) = $3
)
SELECT k.*, c.forced, c.critical, c.normal, c.bulk
FROM known k
{DUE_COUNTS}
"""

# The next one in the order of the index by sender, which may be another's. In that by time alone all that wait for other
# urgencies and channels would stand before it.
NEXT_WAITING = """
SELECT min(first.due_at)
FROM (SELECT '{}:test:' || $1 AS id) AS s CROSS JOIN unnest(ARRAY[-1, 0, 1, 2]) AS u
CROSS JOIN LATERAL (
    SELECT w.organization_id, w.sender_id, w.urgency, w.due_at FROM waiting_messages w
    WHERE (w.sender_id, w.urgency) >= (s.id, u) ORDER BY w.sender_id, w.urgency, w.due_at LIMIT 1) AS first
WHERE first.organization_id = $1 AND first.sender_id = s.id AND first.urgency = u
"""


def next_waiting(channel: Channel) -> str:
    """The SQL of when the next message of a sandbox that waits on the channel may leave."""
    return NEXT_WAITING.format(channel.value)

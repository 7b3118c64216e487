"""Pacing of conversations: the token buckets of senders and organizations."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import Take
from core.messaging.queue.pacing import DUE_COUNTS, DUE_SENDERS, fair_shares

ORGANIZATION_PER_SECOND = 1_000
INSTAGRAM_PER_SECOND = 20
INSTAGRAM_PER_DAY = 100_000
DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class DueSender:
    """A number or an account for which something is due: how much of each urgency, counted up to a
    bound.
    """

    id: str
    organization_id: str
    env: str
    per_second: int
    per_day: int
    forced: int
    critical: int
    normal: int
    bulk: int


async def find_due_senders(*, at: datetime, most: int) -> list[DueSender]:
    """Everybody for whom something is due; of each, at most `most` of an urgency are counted."""
    rows = await db.fetch(DUE, at, most, INSTAGRAM_PER_SECOND, INSTAGRAM_PER_DAY)
    return [DueSender(*row.values()) for row in rows]


async def return_tokens(senders: Sequence[DueSender], unused: Mapping[str, int]) -> None:
    """Return the tokens of what did not leave after all."""
    takes = [
        take
        for one in senders
        if (count := unused.get(one.id, 0))
        for take in (*_own(one, -count), _shared(one, -count))
    ]
    if takes:
        await rate_limit.take(takes)


async def take_tokens(senders: Sequence[DueSender], wanted: Mapping[str, int]) -> dict[str, int]:
    """Tokens of the number, of its day and of the organization; what one bucket grants and another
    does not goes back.
    """
    asking = [one for one in senders if wanted[one.id]]
    if not asking:
        return dict.fromkeys(wanted, 0)
    grants = await rate_limit.take([take for one in asking for take in _own(one, wanted[one.id])])
    own = list(zip(grants[::2], grants[1::2], strict=True))
    both = {
        one.id: min(second.granted, day.granted)
        for one, (second, day) in zip(asking, own, strict=True)
    }
    granted = dict.fromkeys(wanted, 0) | await _take_shared(asking, both)
    surplus = [
        Take(take.name, take.per_second, granted[one.id] - grant.granted, take.burst)
        for one, pair in zip(asking, own, strict=True)
        for take, grant in zip(_own(one, 0), pair, strict=True)
        if granted[one.id] < grant.granted
    ]
    if surplus:
        await rate_limit.take(surplus)
    return granted


async def _take_shared(asking: Sequence[DueSender], granted: Mapping[str, int]) -> dict[str, int]:
    """Tokens of the organizations, divided among the senders of each."""
    owners: dict[tuple[str, str], list[DueSender]] = defaultdict(list)
    for one in asking:
        owners[one.organization_id, one.env].append(one)
    shared = await rate_limit.take(
        [_shared(ones[0], sum(granted[one.id] for one in ones)) for ones in owners.values()]
    )
    shares: dict[str, int] = {}
    for ones, grant in zip(owners.values(), shared, strict=True):
        shares |= fair_shares({one.id: granted[one.id] for one in ones}, grant.granted)
    return shares


def _own(sender: DueSender, count: int) -> tuple[Take, Take]:
    return (
        Take(f"conversations:{sender.id}", sender.per_second, count),
        Take(
            f"conversations_day:{sender.id}",
            sender.per_day / DAY_SECONDS,
            count,
            burst=sender.per_day,
        ),
    )


def _shared(sender: DueSender, count: int) -> Take:
    return Take(
        f"conversations_all:{sender.organization_id}:{sender.env}", ORGANIZATION_PER_SECOND, count
    )


DUE = f"""
{DUE_SENDERS}, known AS (
    SELECT n.id, n.organization_id, n.env, n.rate_per_second, n.rate_per_day
    FROM sender s JOIN numbers n ON n.id = s.sender_id
    UNION ALL
    SELECT i.id, i.organization_id, i.env, $3, $4 FROM sender s JOIN instagram_accounts i ON i.id = s.sender_id
)
SELECT k.*, c.forced, c.critical, c.normal, c.bulk
FROM known k
{DUE_COUNTS}
"""

NEXT_WAITING = """
SELECT min(first.due_at)
FROM (
    SELECT id FROM numbers WHERE organization_id = $1 AND env = 'test'
    UNION ALL
    SELECT id FROM instagram_accounts WHERE organization_id = $1 AND env = 'test'
) AS s CROSS JOIN unnest(ARRAY[-1, 0, 1, 2]) AS u
CROSS JOIN LATERAL (
    SELECT w.organization_id, w.sender_id, w.urgency, w.due_at FROM waiting_messages w
    WHERE (w.sender_id, w.urgency) >= (s.id, u) ORDER BY w.sender_id, w.urgency, w.due_at LIMIT 1) AS first
WHERE first.organization_id = $1 AND first.sender_id = s.id AND first.urgency = u
"""
"""When the next message of a sandbox that waits for a number or an account may leave."""

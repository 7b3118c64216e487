"""Pacing: token buckets of senders and organizations, priorities, and fair shares."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.conversations.sending.accept import FORCED
from core.foundation.database import db
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import Take

ORGANIZATION_PER_SECOND = 1_000
INSTAGRAM_PER_SECOND = 20
INSTAGRAM_PER_DAY = 100_000
DAY_SECONDS = 86_400
BULK_SHARE = 0.1
"""What bulk messages get of a number's messages, whatever else is waiting."""

CRITICAL, NORMAL, BULK = 0, 1, 2


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

    @property
    def paced(self) -> int:
        """What needs a token."""
        return self.critical + self.normal + self.bulk


@dataclass(frozen=True, slots=True)
class Quota:
    """How many messages of an urgency a sender may send now."""

    sender_id: str
    urgency: int
    count: int


async def find_due_senders(*, at: datetime, most: int) -> list[DueSender]:
    """Everybody for whom something is due; of each, at most `most` of an urgency are counted."""
    rows = await db.fetch(DUE, at, most, INSTAGRAM_PER_SECOND, INSTAGRAM_PER_DAY)
    return [DueSender(*row.values()) for row in rows]


class Pacing:
    """Divides slots among senders. It remembers what bulk is owed where tokens are too few to be
    divided.
    """

    def __init__(self) -> None:
        self._owed: dict[str, float] = defaultdict(float)

    async def allot(
        self, senders: Sequence[DueSender], *, slots: int, most: Mapping[str, int] | None = None
    ) -> list[Quota]:
        """What each may send, `slots` messages in all: nobody's backlog takes another's place, and
        what one does not need goes to the others. Forced messages need no token. `most`: what a
        sender may have at all.
        """
        bounds = {} if most is None else most
        wanted = {one.id: min(one.forced + one.paced, bounds.get(one.id, slots)) for one in senders}
        shares = fair_shares(wanted, slots)
        forced = {one.id: min(one.forced, shares[one.id]) for one in senders}
        granted = await _take(
            senders, {one.id: min(one.paced, shares[one.id] - forced[one.id]) for one in senders}
        )
        quotas: list[Quota] = []
        for one in senders:
            counts = {FORCED: forced[one.id], **self._divided(one, granted[one.id])}
            quotas += [Quota(one.id, urgency, count) for urgency, count in counts.items() if count]
        return quotas

    def _divided(self, sender: DueSender, tokens: int) -> dict[int, int]:
        """Critical before normal before bulk; but bulk that waits gets its tenth."""
        if not sender.bulk:
            self._owed.pop(sender.id, None)
            owed = 0
        else:
            self._owed[sender.id] += tokens * BULK_SHARE
            # A little more than nothing: a tenth ten times is not quite one.
            owed = int(self._owed[sender.id] + 1e-9)
        bulk = min(sender.bulk, tokens, max(owed, tokens - sender.critical - sender.normal))
        if owed:
            self._owed[sender.id] = max(0.0, self._owed[sender.id] - bulk)
        critical = min(sender.critical, tokens - bulk)
        return {
            CRITICAL: critical,
            NORMAL: min(sender.normal, tokens - bulk - critical),
            BULK: bulk,
        }


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


def fair_shares(wanted: Mapping[str, int], slots: int) -> dict[str, int]:
    """Divide a slots: who wants least is served first, so that what it leaves is there for the
    others.
    """
    shares: dict[str, int] = {}
    for place, (id, count) in enumerate(sorted(wanted.items(), key=lambda item: item[1])):
        shares[id] = min(count, math.ceil(slots / (len(wanted) - place)))
        slots -= shares[id]
    return shares


async def _take(senders: Sequence[DueSender], wanted: Mapping[str, int]) -> dict[str, int]:
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


# From sender to sender by the index, however long the backlog of one is.
DUE = """
WITH RECURSIVE sender AS (
    (SELECT sender_id FROM waiting_messages ORDER BY sender_id LIMIT 1)
    UNION ALL
    SELECT (SELECT w.sender_id FROM waiting_messages w WHERE w.sender_id > s.sender_id ORDER BY w.sender_id LIMIT 1)
    FROM sender s WHERE s.sender_id IS NOT NULL
), known AS (
    SELECT n.id, n.organization_id, n.env, n.rate_per_second, n.rate_per_day
    FROM sender s JOIN numbers n ON n.id = s.sender_id
    UNION ALL
    SELECT i.id, i.organization_id, i.env, $3, $4 FROM sender s JOIN instagram_accounts i ON i.id = s.sender_id
)
SELECT k.*, c.forced, c.critical, c.normal, c.bulk
FROM known k
CROSS JOIN LATERAL (
    SELECT coalesce(sum(n) FILTER (WHERE u = -1), 0)::int AS forced,
           coalesce(sum(n) FILTER (WHERE u = 0), 0)::int AS critical,
           coalesce(sum(n) FILTER (WHERE u = 1), 0)::int AS normal,
           coalesce(sum(n) FILTER (WHERE u = 2), 0)::int AS bulk
    FROM unnest(ARRAY[-1, 0, 1, 2]) AS u
    CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM (
            SELECT FROM waiting_messages w
            WHERE w.sender_id = k.id AND w.urgency = u AND w.due_at <= $1 LIMIT $2) AS due) AS counted
) AS c
WHERE c.forced + c.critical + c.normal + c.bulk > 0
"""
